import { createHash } from 'node:crypto';

/** JSON with sorted keys and without absent values: equal data gives equal text. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
};

/**
 * Lower-case hex SHA-1 of the canonical form of everything that was read. Size and time of the file belong to it, so that a touched file is
 * recorded once and then compares equal again; its name does not.
 */
export const digestOf = (track: object): string => createHash('sha1').update(canonicalJson(track)).digest('hex');

/**
 * Raised when the library makes more of the same tags (2: ids of labels and licences, 3: each song's own label, 4: ids of composers and contributors), so that a
 * verification records files again that say what they always said.
 */
const MAKING_OF_NAMES = 4;

/** The digest of what was read of a track, without its name. */
export const trackDigest = (read: object): string => digestOf({ ...read, makingOfNames: MAKING_OF_NAMES });
