import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';

/** Longest file name and longest folder path that are recorded, in bytes of UTF-8: both become keys of indexes, which take no more. */
export const MAX_NAME_BYTES = 1024;
export const MAX_PATH_BYTES = 2400;

/** True for a text that takes more bytes. A byte count is only made where the length leaves a doubt. */
export const isLonger = (text: string, maxBytes: number): boolean => text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes;

const hex = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`;

/** A name that is not UTF-8, with its foreign bytes written out, so that two such names stay different. */
export const printableName = (name: Uint8Array): string =>
  Array.from(name, (byte) => (byte >= 0x20 && byte < 0x7f && byte !== 0x5c ? String.fromCodePoint(byte) : hex(byte))).join('');

/** The name as text, or undefined when it is not UTF-8. */
export const decodeName = (name: Uint8Array): string | undefined => (isUtf8(name) ? Buffer.from(name).toString('utf8') : undefined);

/** A stand-in of recordable length for a name that is too long, still different for different names. */
export const shortName = (name: string): string => {
  if (!isLonger(name, MAX_NAME_BYTES)) return name;
  const digest = createHash('sha1').update(name).digest('hex').slice(0, 12);
  return `${name.slice(0, 200).toWellFormed()}…${digest}`;
};
