import { sql, type SqlBool } from 'kysely';
import { instantOfText } from '../server/date-text.js';
import { expressionFault } from '../reads/database/regular-expression.js';
import { badOperand, missingParameter } from './faults.js';
import { isRegex, numberCode, textComparison, type NumericCode, type TextCode } from './operators.js';
import { not, type RuleCall, type SearchRule } from './rule.js';
import { isPresent, textTest, type Condition, type TextTest, type Value } from './text-tests.js';

const MAX_TEXT_CHARS = 1000;
const MAX_REGEX_CHARS = 200;
/** Most records that the rules about recent things look back on. */
const MAX_RECENT = 100_000;
const MAX_DAYS = 36_500;
const DAY_MS = 86_400_000;

const inputOf = ({ parameter }: SearchRule): string => `${parameter ?? 'rule'}_input`;

/** @throws Rejection for an operand that is too long, or that no text of the library can hold */
const checkedText = (rule: SearchRule): string => {
  const { input, operator } = rule;
  const most = isRegex(operator) ? MAX_REGEX_CHARS : MAX_TEXT_CHARS;
  if (input.length > most) throw badOperand(inputOf(rule), input, `longer than ${most} characters`);
  if (input.includes('\0')) throw badOperand(inputOf(rule), input, 'holds a null character');
  if (isRegex(operator) && UNBOUNDED.test(input))
    throw badOperand(inputOf(rule), input, 'back references and look-around are not supported');
  const fault = isRegex(operator) ? expressionFault(input) : undefined;
  if (fault !== undefined) throw badOperand(inputOf(rule), input, fault);
  return input.toWellFormed();
};

// What makes matching take more than linear time.
const UNBOUNDED = /\\[1-9]|\(\?(?!:)/;

/**
 * A condition on texts: `lift` says whose texts are asked. A negative operator holds when no such text matches. With `optional`, an empty operand
 * (or `%`) asks whether there is a text at all: positive operators for none, negative ones for one.
 */
export const textCondition = (rule: SearchRule, lift: (test: TextTest) => Condition, optional = false): Condition => {
  const { positive, negated } = textComparison(rule.operator as TextCode);
  const operand = checkedText(rule);
  if (optional && /^%{0,2}$/.test(operand)) return negated ? lift(isPresent) : not(lift(isPresent));
  const matches = lift(textTest(positive, operand));
  return negated ? not(matches) : matches;
};

/** The test of one text, negation included: for rules that look at a limited set of things. */
export const wholeTextTest = (rule: SearchRule): TextTest => {
  const { positive, negated } = textComparison(rule.operator as TextCode);
  const test = textTest(positive, checkedText(rule));
  return negated ? (name, key) => not(test(name, key)) : test;
};

/** A comparison with a number, ready for any value. An unknown value fulfils `ne` alone. */
export interface Comparison {
  readonly test: (value: Value) => Condition;
  /** True when 0 fulfils it: what has no value often counts as 0. */
  readonly holdsForZero: boolean;
}

const comparisons: Readonly<
  Record<NumericCode, readonly [sql: (value: Value, operand: Value) => Condition, js: (operand: number) => boolean]>
> = {
  gte: [(value, operand) => sql<SqlBool>`${value} >= ${operand}`, (operand) => operand <= 0],
  lte: [(value, operand) => sql<SqlBool>`${value} <= ${operand}`, (operand) => operand >= 0],
  equal: [(value, operand) => sql<SqlBool>`${value} = ${operand}`, (operand) => operand === 0],
  ne: [(value, operand) => sql<SqlBool>`${value} is distinct from ${operand}`, (operand) => operand !== 0],
  gt: [(value, operand) => sql<SqlBool>`${value} > ${operand}`, (operand) => operand < 0],
  lt: [(value, operand) => sql<SqlBool>`${value} < ${operand}`, (operand) => operand > 0],
};

const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,9})?$/;

/** An operand as a number; an empty one is 0. @throws Rejection when it is none */
export const numberOf = (rule: SearchRule): number => {
  const text = rule.input.trim();
  if (text === '') return 0;
  if (!NUMBER.test(text)) throw badOperand(inputOf(rule), rule.input, 'not a number');
  return Number(text);
};

/** The comparison of a numeric rule; the operand is multiplied first where the rule's unit is not the column's. */
export const comparisonOf = (rule: SearchRule, factor = 1): Comparison => {
  // Tenths of minutes are not to become slightly more than their seconds.
  const operand = Math.round(numberOf(rule) * factor * 1e6) / 1e6;
  const [test, holds] = comparisons[(numberCode(rule.operator) ?? rule.operator) as NumericCode];
  return { test: (value) => test(value, sql`${operand}::float8`), holdsForZero: holds(operand) };
};

/** Things whose value in sparse rows `k`, `v` fulfils a comparison; what has no row counts as 0. */
export const sparse = (key: Value, rows: Value, { test, holdsForZero }: Comparison): Condition =>
  holdsForZero
    ? sql<SqlBool>`${key} not in (select x.k from (${rows}) x where ${not(test(sql`x.v`))})`
    : sql<SqlBool>`${key} in (select x.k from (${rows}) x where ${test(sql`x.v`)})`;

/** An id; 0, which nothing has, for what cannot be one. @throws Rejection when it is no number */
export const idOperand = (rule: SearchRule): number => {
  const id = numberOf(rule);
  return Number.isInteger(id) && id > 0 && id <= 0x7fffffff ? id : 0;
};

/** Returns the number of recent records of a rule. */
export const recentOperand = (rule: SearchRule): number => Math.min(MAX_RECENT, Math.max(0, Math.trunc(numberOf(rule))));

const instantOf = (rule: SearchRule, nowMs: number): number => {
  const atMs = instantOfText(rule.input, nowMs);
  if (Number.isNaN(atMs)) throw badOperand(inputOf(rule), rule.input, 'not a date');
  return atMs;
};

/** Before or after a date. */
export const dateCondition = ({ rule, nowMs }: RuleCall, atMs: Value): Condition => {
  const cutMs = instantOf(rule, nowMs);
  return rule.operator === 'lt' ? sql<SqlBool>`${atMs} < ${cutMs}::bigint` : sql<SqlBool>`${atMs} > ${cutMs}::bigint`;
};

/** More than so many days ago, or since. What never happened is neither. */
export const daysCondition = ({ rule, nowMs }: RuleCall, atMs: Value): Condition => {
  const days = Math.min(MAX_DAYS, Math.max(-MAX_DAYS, numberOf(rule)));
  const cutMs = Math.round(nowMs - days * DAY_MS);
  return rule.operator === 'lt' ? sql<SqlBool>`${atMs} < ${cutMs}::bigint` : sql<SqlBool>`${atMs} >= ${cutMs}::bigint`;
};

/** The field that a metadata rule looks at. @throws Rejection when it is not named */
export const subtypeOf = (rule: SearchRule): string => {
  const { subtype, parameter } = rule;
  if (subtype === null || subtype === '') throw missingParameter(`${parameter ?? 'rule'}_subtype`);
  if (subtype.length > MAX_TEXT_CHARS || subtype.includes('\0'))
    throw badOperand(`${parameter ?? 'rule'}_subtype`, subtype, 'no such field');
  return subtype.toWellFormed();
};
