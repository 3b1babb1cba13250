import { badOperand, badSearch, missingParameter } from './faults.js';
import { isRegex, operatorCode } from './operators.js';
import type { Logic, SearchRule } from './rule.js';
import { ruleNamed, type SearchType } from './search-types.js';

/** The texts of a request by name. */
export type RuleParams = Readonly<Record<string, string>>;

/** A rule of a request before it is looked up in a type's table. */
export interface RequestedRule {
  /** `rule_1` */
  readonly parameter: string;
  readonly name: string;
  /** Undefined where an older version may leave it out. */
  readonly operator: string | undefined;
  readonly input: string | undefined;
  readonly subtype: string | null;
}

const MAX_RULES = 100;
const RULE = /^rule_(\d{1,9})$/;

/**
 * Reads `rule_N`, `rule_N_operator`, `rule_N_input` and `rule_N_subtype`; numbers may have gaps. From version 5 on rule 1 is demanded with all its parts,
 * and every other rule with its operator.
 * @throws Rejection for what is missing, and for too many rules
 */
export const requestedRules = (params: RuleParams, isStrict: boolean): RequestedRule[] => {
  const numbers = Object.keys(params)
    .flatMap((name) => RULE.exec(name)?.[1] ?? [])
    .toSorted((a, b) => Number(a) - Number(b));
  if (isStrict)
    for (const name of ['rule_1', 'rule_1_operator', 'rule_1_input']) if (params[name] === undefined) throw missingParameter(name);
  if (numbers.length === 0) throw missingParameter('rule_1');
  if (numbers.length > MAX_RULES) throw badSearch(`${numbers.length} rules, the most is ${MAX_RULES}`);
  return numbers.map((number) => {
    const parameter = `rule_${number}`;
    const operator = params[`${parameter}_operator`];
    if (isStrict && operator === undefined) throw missingParameter(`${parameter}_operator`);
    return {
      parameter,
      name: params[parameter] ?? '',
      operator,
      input: params[`${parameter}_input`],
      subtype: params[`${parameter}_subtype`] ?? null,
    };
  });
};

/** A `|` makes several rules of one, but not in a regular expression, where it has its own meaning. */
const operandsOf = (input: string, code: string): readonly string[] => {
  if (isRegex(code)) return [input];
  const parts = input.split('|').filter((part) => part.trim() !== '');
  return parts.length === 0 ? [input.replaceAll('|', '')] : parts;
};

const rulesFor = (type: SearchType, requested: RequestedRule): SearchRule[] => {
  const { parameter, name, operator = '0', input = '', subtype } = requested;
  const row = ruleNamed(type, name.trim().toLowerCase());
  if (!row) return [];
  // Every text holds an empty one: who forgot to say what to look for must not get everything.
  if (row.family === 'text' && requested.input === undefined) throw missingParameter(`${parameter}_input`);
  const code = operatorCode(row.family, operator);
  if (code === undefined) throw badOperand(`${parameter}_operator`, operator, 'no such operator');
  return operandsOf(input, code).map((operand) => ({ name: row.name, operator: code, input: operand, subtype, parameter }));
};

/**
 * The rules of a request that a type knows, in the form in which they are stored; unknown ones are dropped.
 * @throws Rejection for an unknown operator, and when one operand names too many alternatives
 */
export const knownRules = (type: SearchType, requested: readonly RequestedRule[]): SearchRule[] => {
  const rules = requested.flatMap((rule) => rulesFor(type, rule));
  if (rules.length > MAX_RULES) throw badSearch(`${rules.length} rules, the most is ${MAX_RULES}`);
  return rules;
};

/**
 * The same, for one type.
 * @throws Rejection also when no rule is left: a search for nothing must not return everything
 */
export const searchRules = (type: SearchType, requested: readonly RequestedRule[]): SearchRule[] => {
  const rules = knownRules(type, requested);
  if (rules.length === 0) throw noRuleLeft(requested);
  return rules;
};

/** Builds the error when every rule was dropped. */
export const noRuleLeft = (requested: readonly RequestedRule[]): Error =>
  badOperand(requested[0]?.parameter ?? 'rule_1', requested.map(({ name }) => name).join(', '), 'no such rule');

/** `and` unless `or` was asked for. */
export const logicOf = (text: string | undefined): Logic => (text?.trim().toLowerCase() === 'or' ? 'or' : 'and');
