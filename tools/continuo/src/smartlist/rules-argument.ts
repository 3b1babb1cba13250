import type { SmartlistRule } from '@continuo/contracts';
import {
  compileSearch,
  operatorOf,
  requestedRules,
  ruleNamed,
  rulesToStore,
  searchRules,
  type Logic,
  type SearchRule,
} from '@continuo/gateway/search';
import { z } from 'zod';
import { CliError } from '../connect/cli-error.js';

const REMEDY = 'rules are JSON, [["title","contain","loud",null]], or parameters, rule_1=title rule_1_operator=0 rule_1_input=loud';
const ANYBODY = { userId: 1, catalogs: 'all' } as const;

const listed = z.tuple([z.string(), z.union([z.string(), z.number()]), z.union([z.string(), z.number()])]).rest(z.string().nullable());
const named = z.object({
  name: z.string(),
  operator: z.union([z.string(), z.number()]),
  input: z.union([z.string(), z.number()]).default(''),
  subtype: z.string().nullable().default(null),
});
const written = z.array(
  z.union([listed.transform(([name, operator, input, subtype = null]) => ({ name, operator, input, subtype })), named]),
);

const ruleOf = ({ name, operator, input, subtype }: z.output<typeof named>, place: number): SearchRule => {
  const row = ruleNamed('song', name.trim().toLowerCase());
  if (!row) throw new CliError(`there is no rule "${name}" for songs`, 'search_rules of the API lists them');
  const code = operatorOf(row.family, String(operator));
  if (code === undefined) throw new CliError(`the rule "${name}" has no operator "${operator}"`, REMEDY);
  return { name: row.name, operator: code, input: String(input), subtype, parameter: `rule_${place + 1}` };
};

const fromJson = (text: string): SearchRule[] => {
  try {
    return written.parse(JSON.parse(text)).map(ruleOf);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError('the rules are no JSON that can be read', REMEDY, { cause: error });
  }
};

const fromParameters = (texts: readonly string[]): SearchRule[] => {
  const pairs = texts.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)] as const);
  const stray = texts.find((text) => !/^rule_\d+(?:_\w+)?=/.test(text));
  if (stray !== undefined) throw new CliError(`"${stray}" is no rule`, REMEDY);
  return searchRules('song', requestedRules(Object.fromEntries(pairs), true));
};

/**
 * The rules of a smartlist as they are kept, from JSON or from parameters as the API has them.
 * @throws CliError for what is no rule; Rejection for operands that cannot be used
 */
export const rulesFrom = (texts: readonly string[], logic: Logic): SmartlistRule[] => {
  const [first = ''] = texts;
  const rules = texts.length === 1 && first.trim().startsWith('[') ? fromJson(first) : fromParameters(texts);
  return checked(rules, logic);
};

/** The rules in the form in which they are kept, once it is known that they can be run. @throws Rejection for operands that cannot be used */
export const checked = (rules: readonly SearchRule[], logic: Logic): SmartlistRule[] => {
  compileSearch('song', rules, logic, { viewer: ANYBODY, nowMs: Date.now() });
  return rulesToStore(rules);
};
