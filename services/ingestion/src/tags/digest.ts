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
