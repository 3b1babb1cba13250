import { Rejection } from '@continuo/contracts';

/** Different names that the parameters of one body, or of one query, may have: a search of a hundred rules needs four hundred. */
export const MAX_NAMES = 1000;

/** Values that one body may hold, however often a name comes again: a playlist of fifty thousand songs. */
export const MAX_VALUES = 50_000;

/** Greatest nesting of a JSON body; client capabilities have five levels. */
export const MAX_DEPTH = 32;

/** Characters that one value may have: the longest are lyrics and descriptions. A list of numbers may have {@link MAX_VALUES} of them. */
export const MAX_VALUE_CHARS = 65_536;

/** Largest body of the pages for browsers, which have a handful of fields. Files are taken apart from it. */
export const PAGE_BODY_BYTES = 65_536;

/** Largest field of a multipart form. */
export const MULTIPART_FIELD_BYTES = 262_144;

const tooMany = (what: string, most: number): Rejection => new Rejection('input.too-large', `a request may have up to ${most} ${what}`);

/** Builds the rejection of a value of more than {@link MAX_VALUE_CHARS} characters. */
export const tooLong = (subject?: string): Rejection =>
  new Rejection('input.too-large', `a parameter may have up to ${MAX_VALUE_CHARS} characters`, subject);

/** Builds the rejection of more than {@link MAX_NAMES} names. */
export const tooManyNames = (): Rejection => tooMany('different parameters', MAX_NAMES);

const NUMBERS = /^[\d,\s]*$/;

/** True when a character comes more often than `most` times. */
const isOftener = (text: string, character: string, most: number): boolean => {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
};

/** True for a value that is longer than any request needs. */
export const isTooLong = (value: string): boolean =>
  value.length > MAX_VALUE_CHARS && (!NUMBERS.test(value) || isOftener(value, ',', MAX_VALUES));

/** Characters of an encoded value for each that it stands for, at most: three bytes of UTF-8, each with its sign. */
const ENCODED_CHARS = 9;
const ENCODED_NUMBERS = /^[^=&]*=(?:[\d,+]|%2[Cc]|%20)*$/;

/** True when a pair is longer than one with the longest value can be: it is not worth decoding. */
const holdsLongPair = (text: string): boolean => {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('&', start);
    const next = end < 0 ? text.length : end;
    if (next - start > MAX_VALUE_CHARS * ENCODED_CHARS && !ENCODED_NUMBERS.test(text.slice(start, next))) return true;
    start = next + 1;
  }
  return false;
};

/**
 * Counts the pairs of a form, and their characters, before anything is made of them.
 * @throws Rejection `input.too-large`
 */
export const boundForm = (text: string): void => {
  if (isOftener(text, '&', MAX_VALUES - 1)) throw tooMany('values', MAX_VALUES);
  if (holdsLongPair(text)) throw tooLong();
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
};

/** Counts that each structural character of JSON adds. */
const STRUCTURE: Readonly<Record<number, { readonly depth?: number; readonly values?: number; readonly names?: number }>> = {
  [0x7b]: { depth: 1, values: 1 },
  [0x5b]: { depth: 1, values: 1 },
  [0x7d]: { depth: -1 },
  [0x5d]: { depth: -1 },
  [0x2c]: { values: 1 },
  [0x3a]: { names: 1 },
};

/**
 * Walks once over the text of a JSON body, before anything is made of it. Names of all levels count together.
 * @throws Rejection `input.too-large` for too many names or values, `input.invalid` for too many levels
 */
export const boundJson = (text: string): void => {
  let depth = 0;
  let values = 0;
  let names = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    const adds = STRUCTURE[code];
    if (adds === undefined) continue;
    depth += adds.depth ?? 0;
    values += adds.values ?? 0;
    names += adds.names ?? 0;
    if (depth > MAX_DEPTH) throw new Rejection('input.invalid', `a body may have up to ${MAX_DEPTH} levels`);
    if (values > MAX_VALUES) throw tooMany('values', MAX_VALUES);
    if (names > MAX_NAMES) throw tooManyNames();
  }
};
