/** A line of an answer: name and value. */
export type MpdPair = readonly [name: string, value: string];

/** MPD's refusal of a command: `ACK [error@command_listNum] {current_command} message_text`. */
export interface MpdRefusal {
  readonly code: number;
  /** Which command of a list it was, from 0 on. */
  readonly commandIndex: number;
  readonly message: string;
}

/** Texts are cut to this; MPD takes lines of several kilobytes. Addresses are bounded by the command that brings them. */
const TEXT_LENGTH = 4096;

/**
 * An argument in quotes (MPD protocol, "Escaping String Values"). What could end the line becomes a blank, so that no name can smuggle in a second command.
 */
export const quoted = (text: string): string => {
  const oneLine = text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, TEXT_LENGTH);
  return `"${oneLine.toWellFormed().replace(/["\\]/g, '\\$&')}"`;
};

/** A command with its arguments. Numbers go as they are; names of commands are ours. */
export const mpdCommand = (name: string, ...args: readonly (string | number)[]): string =>
  [name, ...args.map((arg) => (typeof arg === 'number' ? String(arg) : quoted(arg)))].join(' ');

const PAIR = /^(?<name>[^:]+): ?(?<value>.*)$/s;
const ACK = /^ACK \[(?<code>\d+)@(?<index>\d+)\] \{[^}]*\} ?(?<message>.*)$/s;

/** A line of an answer as name and value; undefined for one that is none. */
export const pairOf = (line: string): MpdPair | undefined => {
  const { name, value = '' } = PAIR.exec(line)?.groups ?? {};
  return name === undefined ? undefined : [name, value];
};

/** A refusal; undefined for a line that is none. */
export const refusalOf = (line: string): MpdRefusal | undefined => {
  if (!line.startsWith('ACK ')) return undefined;
  const { code = '0', index = '0', message = line } = ACK.exec(line)?.groups ?? {};
  return { code: Number(code), commandIndex: Number(index), message };
};

/** The first value of each name. */
export const fieldsOf = (pairs: readonly MpdPair[]): ReadonlyMap<string, string> => new Map(pairs.toReversed());

/** Cuts pairs into objects, each of which begins with the pair `first`. */
export const objectsOf = (pairs: readonly MpdPair[], first: string): ReadonlyMap<string, string>[] => {
  const starts = pairs.flatMap(([name], index) => (name === first ? [index] : []));
  return starts.map((start, n) => fieldsOf(pairs.slice(start, starts[n + 1])));
};
