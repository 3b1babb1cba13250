import { charsetOf, textIn } from './foreign-text.js';

/** Text of a companion file: UTF-8 or UTF-16 with a byte-order mark, UTF-8 without, otherwise in the set that its letters or the rule tell. */
export const decodeText = (bytes: Uint8Array, rule = 'auto'): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return textIn(bytes, charsetOf([bytes], rule));
};
