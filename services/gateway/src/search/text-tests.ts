import { foldName, sortKey } from '@continuo/contracts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { escapeLike, touchesArticle } from '../reads/lists/text-filters.js';
import type { PositiveTextCode } from './operators.js';
import { soundOf, soundPattern } from './phonetic.js';

/** A condition, and a value, as SQL with its values bound. */
export type Condition = RawBuilder<SqlBool>;
export type Value = RawBuilder<unknown>;

/** Tests a text, given as it is and, where there is one, as its folded sort key, which lacks a leading article. */
export type TextTest = (name: Value, sortKey?: Value) => Condition;

const WILDCARDS = /([%_])/;
const isWildcard = (part: string): boolean => part === '%' || part === '_';
const literal = (text: string): string => text.replace(/\\/g, '\\\\');

/** A part of a pattern in the form of sort keys. Blanks at its ends stay: they are where the pattern goes on. */
const foldPart = (part: string): string => {
  const folded = escapeLike(foldName(part));
  return `${/^\s/u.test(part) && folded !== '' ? ' ' : ''}${folded}${/\s$/u.test(part) ? ' ' : ''}`;
};

/** A LIKE pattern as the client sent it and in the form of sort keys. */
interface Pattern {
  readonly plain: string;
  /** Undefined when a part has nothing that sort keys keep. */
  readonly folded: string | undefined;
  /** True when the sort key alone says whether a name matches. */
  readonly keyDecides: boolean;
}

/** `%` and `_` of the operand are wildcards; a backslash is a backslash. */
const patternOf = (operand: string, before: string, after: string): Pattern => {
  const parts = operand.split(WILDCARDS).filter((part) => part !== '');
  const folded = parts.map((part) => (isWildcard(part) ? part : foldPart(part)));
  const texts = parts.filter((part) => !isWildcard(part));
  const first = foldName(texts[0] ?? '');
  const isFoldable = folded.every((part) => part !== '');
  const oneForOne = !parts.includes('_');
  return {
    plain: before + literal(operand) + after,
    folded: isFoldable ? before + folded.join('') + after : undefined,
    keyDecides: isFoldable && oneForOne && first !== '' && !/^\s/u.test(texts[0] ?? '') && !touchesArticle(first),
  };
};

const WORD = '[\\p{L}\\p{N}]';
const NO_WORD = '[^\\p{L}\\p{N}%_]';
/** Texts that a trigram index supports: three letters in a row, or the beginning or the end of a word. */
const HAS_TRIGRAM = new RegExp(`${WORD}{3}|${WORD}${NO_WORD}|${NO_WORD}${WORD}|^${WORD}|${WORD}$`, 'u');

/**
 * A sort key that no index is used for. A trigram index that has nothing to look for answers every row and has each of them checked again, which takes
 * longer than to look at the rows in the first place.
 */
const unindexed = (key: Value): Value => sql`(${key} || '')`;

/** Names whose text or sort key is like the pattern. Where the key decides it is asked alone, since it has an index for that. */
const likeTest =
  ({ plain, folded, keyDecides }: Pattern): TextTest =>
  (name, key) => {
    if (!key || folded === undefined) return sql<SqlBool>`${name} ilike ${plain}`;
    if (!keyDecides) return sql<SqlBool>`(${name} ilike ${plain} or ${key} like ${folded})`;
    return sql<SqlBool>`${HAS_TRIGRAM.test(folded) ? key : unindexed(key)} like ${folded}`;
  };

const equalTest =
  (operand: string): TextTest =>
  (name, key) =>
    key
      ? sql<SqlBool>`(${key} = ${foldName(operand)} or (${key} = ${sortKey(operand)} and lower(${name}) = lower(${operand})))`
      : sql<SqlBool>`lower(${name}) = lower(${operand})`;

const soundTest = (operand: string): TextTest => {
  const sound = soundOf(foldName(operand));
  // Without Latin letters there is no sound to compare.
  if (!sound) return equalTest(operand);
  const pattern = soundPattern(sound);
  return (name, key) => sql<SqlBool>`${key ? unindexed(key) : sql`lower(${name})`} ~ ${pattern}`;
};

// A name that only its key matches is one with an article or an accent, so that both have to be looked at, without an index.
const regexTest =
  (operand: string): TextTest =>
  (name, key) =>
    key ? sql<SqlBool>`(${name} ~* ${operand} or ${unindexed(key)} ~* ${operand})` : sql<SqlBool>`${name} ~* ${operand}`;

const tests: Readonly<Record<PositiveTextCode, (operand: string) => TextTest>> = {
  contain: (operand) => likeTest(patternOf(operand, '%', '%')),
  start: (operand) => likeTest(patternOf(operand, '', '%')),
  end: (operand) => likeTest(patternOf(operand, '%', '')),
  equal: equalTest,
  sounds: soundTest,
  regexp: regexTest,
};

/** The test that an operator makes of its operand. Letter case never matters; sort keys make accents and a leading article not matter either. */
export const textTest = (code: PositiveTextCode, operand: string): TextTest => tests[code](operand);

/** The test for any text at all. */
export const isPresent: TextTest = (name) => sql<SqlBool>`${name} <> ''`;
