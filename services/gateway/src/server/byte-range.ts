/** A range of bytes, both ends inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Blanks are counted: two runs of any length beside each other would be tried in every way. */
const SINGLE = /^bytes=\s{0,9}(\d*)\s{0,9}-\s{0,9}(\d*)\s{0,9}$/i;

/**
 * Reads a `Range` header for a thing of `sizeBytes`. Undefined means the whole of it: no header, several ranges at once, or one that cannot be
 * read, all of which HTTP allows to ignore. `unsatisfiable` means 416.
 */
export const parseRange = (header: string | undefined, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined => {
  const match = header === undefined ? null : SINGLE.exec(header);
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '') return suffix(Number(last), sizeBytes);
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= sizeBytes ? 'unsatisfiable' : { start, end };
};

const suffix = (length: number, sizeBytes: number): ByteRange | 'unsatisfiable' =>
  length === 0 || sizeBytes === 0 ? 'unsatisfiable' : { start: Math.max(0, sizeBytes - length), end: sizeBytes - 1 };
