import { InvalidArgumentError } from 'commander';

/** Reads a whole number within bounds. `otherwise` says what is expected. @throws InvalidArgumentError */
export const wholeNumber =
  (least: number, most = Number.MAX_SAFE_INTEGER, otherwise?: string) =>
  (text: string): number => {
    const number = Number(text);
    if (Number.isSafeInteger(number) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(
      otherwise ?? `It is a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}.`,
    );
  };

/** Reads the numbers of an argument that may be repeated. @throws InvalidArgumentError */
export const wholeNumbers =
  (otherwise: string) =>
  (text: string, before: number[] = []): number[] => [...before, wholeNumber(1, undefined, otherwise)(text)];
