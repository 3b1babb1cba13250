import type { Limitation } from './client-info.js';

/** The properties of sound that limitations speak of; undefined where one is not known or has no meaning. */
export interface SoundProperties {
  readonly audioChannels: number | undefined;
  readonly audioBitrate: number | undefined;
  readonly audioSamplerate: number | undefined;
  readonly audioBitdepth: number | undefined;
  readonly audioProfile: string | undefined;
}

export type PropertyName = keyof SoundProperties;

const names: readonly PropertyName[] = ['audioChannels', 'audioBitrate', 'audioSamplerate', 'audioBitdepth', 'audioProfile'];

/** The property that a limitation speaks of; undefined for one that nobody knows. */
export const propertyOf = ({ name }: Pick<Limitation, 'name'>): PropertyName | undefined =>
  names.find((known) => known.toLowerCase() === name.toLowerCase());

/** The numbers of a limitation; those of the last two comparisons read the first value alone. */
export const numbersOf = ({ values }: Pick<Limitation, 'values'>): number[] => values.map(Number).filter(Number.isFinite);

const holdsForText = (value: string, { comparison, values }: Limitation): boolean => {
  const isOne = values.some((one) => one.toLowerCase() === value.toLowerCase());
  if (comparison === 'Equals') return isOne;
  // Sizes mean nothing to a name.
  return comparison === 'NotEquals' ? !isOne : true;
};

/** Whether a value is as a limitation wants it. What is not known limits nothing. */
export const holds = (value: number | string | undefined, limitation: Limitation): boolean => {
  if (value === undefined) return true;
  if (typeof value === 'string') return holdsForText(value, limitation);
  const numbers = numbersOf(limitation);
  const [first] = numbers;
  if (first === undefined) return true;
  switch (limitation.comparison) {
    case 'Equals':
      return numbers.includes(value);
    case 'NotEquals':
      return !numbers.includes(value);
    case 'LessThanEqual':
      return value <= first;
    case 'GreaterThanEqual':
      return value >= first;
  }
};

/** The highest value that is no higher than this one and as a limitation wants it; undefined when lowering does not help. */
export const lowered = (value: number, limitation: Limitation): number | undefined => {
  if (holds(value, limitation)) return value;
  const numbers = numbersOf(limitation);
  if (limitation.comparison === 'Equals') return numbers.filter((one) => one < value && one > 0).toSorted((a, b) => b - a)[0];
  if (limitation.comparison === 'LessThanEqual') return numbers[0] !== undefined && numbers[0] > 0 ? numbers[0] : undefined;
  return undefined;
};
