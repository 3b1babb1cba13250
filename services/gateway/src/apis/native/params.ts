import { z } from 'zod';
import type { RequestParams } from '../../auth/index.js';
import { instantOfText } from '../../server/date-text.js';
import { textParams } from '../../server/requests/parameters.js';
import { badValue, missing, oneOf } from './errors/native-fault.js';

/** Parameters of a call as strings: the last value of a repeated name. */
export type RawParams = Readonly<Record<string, string>>;

/** Converts merged request parameters to strings; arrays become comma lists. */
export const rawParams = (params: RequestParams): RawParams => {
  const raw = Object.create(null) as Record<string, string>;
  for (const name of Object.keys(params)) {
    const values = textParams(params, name);
    const value = Array.isArray(params[name]) && name === 'include' ? values.join(',') : values.at(-1);
    if (value !== undefined) raw[name] = value;
  }
  return raw;
};

const withAliases = (raw: RawParams, aliases: Readonly<Record<string, readonly string[]>>): RawParams => {
  const named: Record<string, string> = Object.assign(Object.create(null), raw);
  for (const [name, others] of Object.entries(aliases)) {
    const value = others.map((other) => raw[other]).find((text) => text !== undefined);
    if (value !== undefined) named[name] = value;
  }
  return named;
};

/** Rule that a value violates; messages of our own schemas are rules already. */
const ruleOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'invalid_value') return oneOf(issue.values.map(String));
  if (issue.code === 'too_big') return `must have ${issue.maximum} characters at most`;
  if (issue.code === 'too_small') return `must have ${issue.minimum} characters at least`;
  return issue.message.startsWith('must ') ? issue.message : 'must have another form';
};

/**
 * Reads a method's parameters.
 * @throws NativeRefusal 4710 of type `system` for a missing parameter, else with the name and value of the invalid one
 */
export const readParams = <P>(schema: z.ZodType<P>, raw: RawParams, aliases: Readonly<Record<string, readonly string[]>> = {}): P => {
  const named = withAliases(raw, aliases);
  const parsed = schema.safeParse({ ...named });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const parameter = String(issue?.path[0] ?? 'parameter');
  const value = named[parameter];
  throw value === undefined || !issue ? missing(parameter) : badValue(parameter, value, ruleOf(issue));
};

const DEFAULT_LIMIT = 5000;
const WHOLE = /^\d{1,9}$/;

/** Offset of a page; other values are 0. */
export const offset = z
  .string()
  .optional()
  .transform((text) => (text !== undefined && WHOLE.test(text.trim()) ? Number(text) : 0))
  .meta({ parameter: { type: 'integer', minimum: 0, default: 0 } });

/** Page size: undefined for `none`, the usual one when absent, 0 or not a number. */
export const pageSize = (usual: number) =>
  z
    .string()
    .optional()
    .transform((text) => {
      const trimmed = text?.trim().toLowerCase() ?? '';
      if (trimmed === 'none') return undefined;
      return WHOLE.test(trimmed) && Number(trimmed) > 0 ? Number(trimmed) : usual;
    });

/** Page size, 5000 by default. */
export const limit = pageSize(DEFAULT_LIMIT).meta({
  parameter: { title: 'Limit', anyOf: [{ type: 'integer', minimum: 1 }, { const: 'none' }], default: 5000 },
});

/** Entries that one call may name by their positions. */
const MOST_POSITIONS = 500;

/** `positions`: places in the ordered list, from 0, separated by commas; undefined when absent or empty. */
export const positions = z
  .string()
  .optional()
  .transform((text, context) => {
    const texts = (text ?? '').split(',').map((one) => one.trim());
    if (texts.length === 1 && texts[0] === '') return undefined;
    if (texts.length <= MOST_POSITIONS && texts.every((one) => WHOLE.test(one))) return texts.map(Number);
    context.addIssue({ code: 'custom', message: `must be at most ${MOST_POSITIONS} whole numbers, separated by commas` });
    return z.NEVER;
  })
  .meta({
    parameter: { type: 'string', description: 'Positions in the ordered list, from 0, separated by commas: these instead of a page.' },
  });

const YES = ['1', 'true', 'yes', 'on'];
const NO = ['0', 'false', 'no', 'off'];

/** 0 or 1, or a word for them; other values are false. */
export const flag = z
  .string()
  .optional()
  .transform((text) => text !== undefined && YES.includes(text.trim().toLowerCase()))
  .meta({ parameter: { type: 'integer', enum: [0, 1], default: 0 } });

/** True unless switched off. */
export const unlessOff = z
  .string()
  .optional()
  .transform((text) => !NO.includes((text ?? '1').trim().toLowerCase()));

/** Boolean that rejects all other words. */
export const strictFlag = z
  .string()
  .refine((text) => [...YES, ...NO].includes(text.trim().toLowerCase()), 'must be 0 or 1')
  .transform((text) => YES.includes(text.trim().toLowerCase()));

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const HIGHEST_CHARACTER = 0x10ffff;

/** Decodes named entities of markup and numeric entities. */
const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g,
    (entity, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? entity) : entity;
      const number = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
      return number > 0 && number <= HIGHEST_CHARACTER ? String.fromCodePoint(number) : entity;
    },
  );

const toCondition = (text: string): { name: string; value: string }[] => {
  const [name = '', value = ''] = text.split(',');
  return name.trim() === '' ? [] : [{ name: name.trim().toLowerCase(), value: value.trim() }];
};

/** `cond`: pairs of name and value, separated by semicolons. Entities are decoded first. */
export const cond = z
  .string()
  .optional()
  .transform((text) =>
    decodeEntities(text ?? '')
      .split(';')
      .flatMap(toCondition),
  )
  .meta({ parameter: { type: 'string', description: 'Conditions as `name,value`, separated by semicolons.' } });

/** `sort`: name and direction; undefined when absent. */
export const sort = z
  .string()
  .optional()
  .transform((text) => {
    const [name = '', direction = ''] = decodeEntities(text ?? '').split(',');
    return name.trim() === '' ? undefined : { name: name.trim().toLowerCase(), descending: direction.trim().toUpperCase() === 'DESC' };
  })
  .meta({ parameter: { type: 'string', description: 'Order as `name` or `name,DESC`.' } });

const epochOf = (text: string): number => Math.floor(instantOfText(text, Date.now()) / 1000);

/** `add` and `update`: a date or a range of two; undefined when absent or empty. */
export const dateRange = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === undefined || text.trim() === '') return undefined;
    const [from = '', to] = text.split('/').length === 2 ? text.split('/') : [text];
    const range = { from: epochOf(from), to: to === undefined || to.trim() === '' ? undefined : epochOf(to) };
    if (!Number.isNaN(range.from) && !Number.isNaN(range.to ?? 0)) return range;
    context.addIssue({ code: 'custom', message: 'must be a date, or two joined by a slash' });
    return z.NEVER;
  })
  .meta({ parameter: { type: 'string', description: 'A date, or two joined by a slash.' } });

/** `include`: a comma list of names; `1` means all names of the method. */
export const include = z
  .string()
  .optional()
  .transform((text) => {
    const names = (text ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim());
    return (name: string): boolean => names.includes(name) || names.includes('1');
  })
  .meta({ parameter: { type: 'string', description: 'Relations to include, separated by commas.' } });

/** Required parameter; may be empty. */
export const required = z.string();

/** Text parameter that may be absent. */
export const optional = z.string().optional();

/** Parameter that names a thing, by its id for most. */
export const named = { filter: required };

/** Text that names have to contain, or to equal. */
export const matching = { filter: optional, exact: flag };

/** When things were added and changed. */
export const changed = { add: dateRange, update: dateRange };

/** Page of a list, and its conditions and order. */
export const paging = { offset, limit, cond, sort };

/** Parses an id; undefined for an impossible one. */
export const idOf = (text: string): number | undefined => {
  const trimmed = text.trim();
  return /^\d{1,10}$/.test(trimmed) && Number(trimmed) > 0 && Number(trimmed) <= 0x7fffffff ? Number(trimmed) : undefined;
};
