import { jsonOf } from '@continuo/chassis';
import { z } from 'zod';
import { OperatorError } from '@continuo/operations';
import type { Rule } from './rules-argument.js';

type Logic = 'and' | 'or';

/** A smartlist as a smart playlist file (`.nsp`, the format of Navidrome) describes it, as far as it has a counterpart here. */
export interface ImportedSmartlist {
  readonly name: string;
  readonly rules: Rule[];
  readonly logic: Logic;
  readonly isRandom: boolean;
  readonly limit: number;
  /** Omitted rules of the file, with reasons. */
  readonly unknown: readonly string[];
}

type Value = string | number | boolean | readonly (string | number)[];
const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))]);
const condition = z.record(z.string(), z.record(z.string(), value));
const file = z.object({
  name: z.string().trim().min(1).optional(),
  all: z.array(z.unknown()).optional(),
  any: z.array(z.unknown()).optional(),
  sort: z.string().optional(),
  limit: z.number().int().min(0).optional(),
});

const texts: Readonly<Record<string, string>> = {
  title: 'title',
  album: 'album',
  artist: 'artist',
  albumartist: 'album_artist',
  genre: 'genre',
  comment: 'comment',
  composer: 'composer',
  filepath: 'file',
  lyrics: 'lyrics',
};
const textOperators: Readonly<Record<string, string>> = {
  is: 'equal',
  isNot: 'not equal',
  contains: 'contain',
  notContains: 'notcontain',
  startsWith: 'start',
  endsWith: 'end',
};
/** Fields of numbers, and how many of theirs make one of ours. */
const numbers: Readonly<Record<string, readonly [rule: string, divisor: number]>> = {
  year: ['year', 1],
  tracknumber: ['track', 1],
  bpm: ['bpm', 1],
  bitrate: ['bitrate', 1],
  duration: ['time', 60],
  playcount: ['myplayed_times', 1],
  rating: ['myrating', 1],
};
const numberOperators: Readonly<Record<string, string>> = { is: 'equal', isNot: 'ne', gt: 'gt', lt: 'lt' };
const days: Readonly<Record<string, string>> = { dateadded: 'days_added', datemodified: 'days_updated', lastplayed: 'last_play' };
const dayOperators: Readonly<Record<string, string>> = { inTheLast: 'gt', notInTheLast: 'lt' };

const rule = (name: string, operator: string, input: string | number): Rule => ({
  name,
  operator,
  input: String(input),
  subtype: null,
});

const numeric = (
  [name, divisor]: readonly [string, number],
  { operator, given, logic }: { readonly operator: string; readonly given: Value; readonly logic: Logic },
): Rule[] | undefined => {
  const known = numberOperators[operator];
  if (known !== undefined && (typeof given === 'number' || typeof given === 'string')) return [rule(name, known, Number(given) / divisor)];
  // A range is two rules, which both have to be fulfilled.
  if (operator !== 'inTheRange' || logic !== 'and' || !Array.isArray(given) || given.length !== 2) return undefined;
  return [rule(name, 'gte', Number(given[0]) / divisor), rule(name, 'lte', Number(given[1]) / divisor)];
};

const rulesOf = (operator: string, field: string, given: Value, logic: Logic): Rule[] | undefined => {
  const name = field.toLowerCase();
  const text = texts[name];
  const textOperator = textOperators[operator];
  if (text !== undefined && textOperator !== undefined && typeof given === 'string') return [rule(text, textOperator, given)];
  const number = numbers[name];
  if (number) return numeric(number, { operator, given, logic });
  const day = days[name];
  const dayOperator = dayOperators[operator];
  if (day !== undefined && dayOperator !== undefined && typeof given === 'number') return [rule(day, dayOperator, given)];
  const isOne = (operator === 'is') === (given === true || given === 'true');
  return name === 'loved' && (operator === 'is' || operator === 'isNot')
    ? [rule('my_flagged_song', isOne ? 'true' : 'false', '')]
    : undefined;
};

/**
 * Reads a smart playlist file. Groups within groups, other orders than a random one and fields that this server does not search have no counterpart.
 * @param fallbackName what it is called when the file does not say
 * @throws OperatorError when nothing is left of it
 */
export const smartlistOf = (text: string, fallbackName: string): ImportedSmartlist => {
  const parsed = file.safeParse(jsonOf(text));
  if (!parsed.success) throw new OperatorError('this is no smart playlist file', 'it is JSON with a list "all" or "any" of rules');
  const { name = fallbackName, all, any, sort, limit = 0 } = parsed.data;
  const logic: Logic = all ? 'and' : 'or';
  const unknown = [...(all && any ? ['the list "any" beside "all"'] : []), ...(sort && sort !== 'random' ? [`the order "${sort}"`] : [])];
  const rules = (all ?? any ?? []).flatMap((entry) => {
    const known = condition.safeParse(entry);
    const found = known.success
      ? Object.entries(known.data).map(([operator, of]) =>
          Object.entries(of).map(([field, given]) => rulesOf(operator, field, given, logic)),
        )
      : [[undefined]];
    const whole = found.flat();
    if (whole.every((one) => one !== undefined)) return whole.flat();
    unknown.push(JSON.stringify(entry));
    return [];
  });
  if (rules.length === 0) throw new OperatorError('no rule of this file has a counterpart here');
  return { name, rules, logic, isRandom: sort === 'random', limit, unknown };
};
