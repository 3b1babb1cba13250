import { isUtf8 } from 'node:buffer';

/** Text of a companion file: UTF-8 or UTF-16 with a byte-order mark, UTF-8 without, otherwise the western single-byte set of old tools. */
export const decodeText = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
};
