import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';

/** Usual encoding of old western tools. */
const WESTERN = 'windows-1252';
/** Sets in which most letters are ASCII and the others stand alone. */
const LATIN = /^(?:iso-8859-(?:1|2|3|4|9|10|13|14|15|16)|windows-(?:1250|1252|1254|1257|1258))$/;
/** Foreign letters in a row from which on a text is in another script: accents in Latin text stand alone. */
const OTHER_SCRIPT_RUN = 2.5;
/** Share of bytes that western text hardly has, from which on it is none. */
const STRANGE_SHARE = 0.15;
/** Quotes, dashes and the like, which western text does have among the bytes from 0x80 to 0x9f. */
const PUNCTUATION = new Set([0x80, 0x85, 0x8a, 0x8c, 0x8e, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0x9a, 0x9c, 0x9e, 0x9f]);

const labelOf = (name: string): string | undefined => {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    // A set that the guess knows and the platform does not cannot be decoded, so it is no candidate.
    return undefined;
  }
};

const looksWestern = (bytes: Uint8Array): boolean => {
  let [runs, foreign, strange] = [0, 0, 0];
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0x80) continue;
    foreign += 1;
    if (at === 0 || (bytes[at - 1] ?? 0) < 0x80) runs += 1;
    if (byte < 0xa0 && !PUNCTUATION.has(byte)) strange += 1;
  }
  return foreign === 0 || (foreign / runs < OTHER_SCRIPT_RUN && strange / foreign < STRANGE_SHARE);
};

/**
 * The character set of texts that are no UTF-8, all of one file together, for one name alone is too short to tell. Text whose foreign letters stand alone is
 * western; the letters' frequencies decide among the sets of other scripts.
 * @param rule a label that `TextDecoder` knows, or `auto`
 */
export const charsetOf = (texts: readonly Uint8Array[], rule: string): string => {
  if (rule !== 'auto') return labelOf(rule) ?? WESTERN;
  const foreign = texts.filter((text) => text.some((byte) => byte >= 0x80));
  const sample = Buffer.concat(foreign.flatMap((text) => [text, Buffer.from('\n')]));
  if (looksWestern(sample)) return WESTERN;
  const likely = chardet.analyse(sample).flatMap(({ name }) => labelOf(name) ?? []);
  const label = likely.find((candidate) => !candidate.startsWith('utf-') && !LATIN.test(candidate)) ?? WESTERN;
  return label === 'big5' && !hasAsciiTrails(sample) && likely.includes('gb18030') ? 'gb18030' : label;
};

/** True where a foreign byte is followed by a plain one: nearly half of all signs of Big5 end in such, none of the usual ones of GB do. */
const hasAsciiTrails = (bytes: Uint8Array): boolean => {
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    at += 1;
    if ((bytes[at] ?? 0x80) < 0x80) return true;
  }
  return false;
};

/** One text, as UTF-8 when it is, else in the given set. */
export const textIn = (bytes: Uint8Array, charset: string): string => new TextDecoder(isUtf8(bytes) ? 'utf-8' : charset).decode(bytes);
