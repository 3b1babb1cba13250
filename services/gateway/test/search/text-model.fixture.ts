import { foldName } from '@continuo/contracts';
import { textComparison, type TextCode } from '../../src/search/operators.js';
import { soundOf, soundsAlike } from '../../src/search/phonetic.js';

/*
 * Evaluates the text operators without SQL: the oracle of the compiled rules.
 */

/** A text as the library has it, and its folded sort key where there is one. */
export interface Text {
  readonly name: string | null;
  readonly key?: string;
}

const escaped = (char: string): string => char.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');

const like = (text: string, pattern: string, flags: string): boolean => {
  const source = Array.from(pattern, (char) => (char === '%' ? '[^]*' : char === '_' ? '[^]' : escaped(char))).join('');
  return new RegExp(`^(?:${source})$`, `u${flags}`).test(text);
};

const foldPart = (part: string): string => {
  const folded = foldName(part);
  return folded === '' && part.trim() !== ''
    ? '\0'
    : (/^\s/u.test(part) && folded !== '' ? ' ' : '') + folded + (/\s$/u.test(part) ? ' ' : '');
};

const likeEither = ({ name, key }: Text, before: string, operand: string, after: string): boolean => {
  if (like(name ?? '', before + operand + after, 'i')) return true;
  const folded = operand.split(/([%_])/).map((part) => (part === '%' || part === '_' ? part : foldPart(part)));
  return key !== undefined && !folded.includes('\0') && like(key, before + folded.join('') + after, '');
};

const equals = ({ name, key }: Text, operand: string): boolean =>
  (name ?? '').toLowerCase() === operand.toLowerCase() || (key !== undefined && key === foldName(operand));

const sounds = (text: Text, operand: string): boolean => {
  const wanted = soundOf(foldName(operand));
  if (!wanted) return equals(text, operand);
  const own = soundOf(text.key ?? (text.name ?? '').toLowerCase());
  return own !== undefined && soundsAlike(own, wanted);
};

const matchers = {
  contain: (text: Text, operand: string) => likeEither(text, '%', operand, '%'),
  start: (text: Text, operand: string) => likeEither(text, '', operand, '%'),
  end: (text: Text, operand: string) => likeEither(text, '%', operand, ''),
  equal: equals,
  sounds,
  regexp: (text: Text, operand: string) =>
    [text.name ?? '', text.key].some((one) => one !== undefined && new RegExp(operand, 'iu').test(one)),
} as const;

/** True when an operator of the text family holds for some texts; what is not there matches nothing. */
export const holdsForTexts = (operator: string, operand: string, texts: readonly Text[], optional = false): boolean => {
  const { positive, negated } = textComparison(operator as TextCode);
  const there = texts.filter(({ name }) => name !== null);
  if (optional && /^%{0,2}$/.test(operand)) return there.some(({ name }) => name !== '') === negated;
  return there.some((text) => matchers[positive](text, operand)) !== negated;
};

const numbers: Readonly<Record<string, (value: number, operand: number) => boolean>> = {
  gte: (value, operand) => value >= operand,
  lte: (value, operand) => value <= operand,
  equal: (value, operand) => value === operand,
  ne: (value, operand) => value !== operand,
  gt: (value, operand) => value > operand,
  lt: (value, operand) => value < operand,
};

/** True when a numeric operator holds for some of the values; an unknown one differs from every number, and that is all. */
export const holdsForNumbers = (operator: string, operand: number, values: readonly (number | null)[]): boolean =>
  values.some((value) => (value === null ? operator === 'ne' : numbers[operator]?.(value, operand) === true));
