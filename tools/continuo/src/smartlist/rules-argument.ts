import type { ManageTypes } from '@continuo/client';
import { requestedRules, searchRules } from '@continuo/gateway/search';
import { OperatorError } from '@continuo/operations';
import { z } from 'zod';

/** A rule of a smartlist as the management API takes it. */
export type Rule = ManageTypes['schemas']['NewSmartlist']['rules'][number];

const REMEDY = 'rules are JSON, [["title","contain","loud",null]], or parameters, rule_1=title rule_1_operator=0 rule_1_input=loud';

const word = z.union([z.string(), z.number()]).transform(String);
const listed = z.tuple([z.string(), word, word]).rest(z.string().nullable());
const named = z.object({ name: z.string(), operator: word, input: word.default(''), subtype: z.string().nullable().default(null) });
const written = z.array(
  z.union([listed.transform(([name, operator, input, subtype = null]) => ({ name, operator, input, subtype })), named]),
);

const fromJson = (text: string): Rule[] => {
  try {
    return written.parse(JSON.parse(text));
  } catch (error) {
    throw new OperatorError('the rules are no JSON that can be read', REMEDY, { cause: error });
  }
};

const fromParameters = (texts: readonly string[]): Rule[] => {
  const pairs = texts.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)] as const);
  const stray = texts.find((text) => !/^rule_\d+(?:_\w+)?=/.test(text));
  if (stray !== undefined) throw new OperatorError(`"${stray}" is no rule`, REMEDY);
  const rules = searchRules('song', requestedRules(Object.fromEntries(pairs), true));
  return rules.map(({ name, operator, input, subtype }) => ({ name, operator, input, subtype }));
};

/**
 * The rules of a smartlist, from JSON or from parameters as the API has them.
 * @throws OperatorError for what is no rule; Rejection for parameters that cannot be used
 */
export const rulesFrom = (texts: readonly string[]): Rule[] => {
  const [first = ''] = texts;
  return texts.length === 1 && first.trim().startsWith('[') ? fromJson(first) : fromParameters(texts);
};
