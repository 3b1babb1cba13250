import { z } from 'zod';
import type { RequestParams } from '../auth/index.js';
import { instantOfText } from '../http/date-text.js';
import { textParams } from '../http/parameters.js';
import { badValue, missing } from './errors/native-fault.js';

/** The parameters of a call as texts: the last value of a name that came several times. */
export type RawParams = Readonly<Record<string, string>>;

/** Takes the texts out of merged request parameters; lists become comma lists, as the few methods that take them read them. */
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

/**
 * Reads a method's parameters.
 * @throws NativeRefusal 4710 of type `system` for a missing one, else of the parameter's name with its value
 */
export const readParams = <P>(schema: z.ZodType<P>, raw: RawParams, aliases: Readonly<Record<string, readonly string[]>> = {}): P => {
  const named = withAliases(raw, aliases);
  const parsed = schema.safeParse({ ...named });
  if (parsed.success) return parsed.data;
  const parameter = String(parsed.error.issues[0]?.path[0] ?? 'parameter');
  const value = named[parameter];
  throw value === undefined ? missing(parameter) : badValue(parameter, value);
};

const DEFAULT_LIMIT = 5000;
const WHOLE = /^\d{1,9}$/;

/** Index of the first match to answer; what is no such number is 0 (choices.md row 23). */
export const offset = z
  .string()
  .optional()
  .transform((text) => (text !== undefined && WHOLE.test(text.trim()) ? Number(text) : 0));

/** Size of the page: undefined for `none`, 5000 when absent, 0 or no number. */
export const limit = z
  .string()
  .optional()
  .transform((text) => {
    const trimmed = text?.trim().toLowerCase() ?? '';
    if (trimmed === 'none') return undefined;
    return WHOLE.test(trimmed) && Number(trimmed) > 0 ? Number(trimmed) : DEFAULT_LIMIT;
  });

/** 0 or 1, or one of the words for them; anything else is no. */
export const flag = z
  .string()
  .optional()
  .transform((text) => text !== undefined && ['1', 'true', 'yes', 'on'].includes(text.trim().toLowerCase()));

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const HIGHEST_CHARACTER = 0x10ffff;

/** Named entities that matter in markup, and characters by their decimal or hexadecimal number. */
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

/** `cond`: pairs of name and value, joined by semicolons (browse.md). Entities are decoded first. */
export const cond = z
  .string()
  .optional()
  .transform((text) =>
    decodeEntities(text ?? '')
      .split(';')
      .flatMap(toCondition),
  );

/** `sort`: a name and a direction (browse.md); undefined when absent. */
export const sort = z
  .string()
  .optional()
  .transform((text) => {
    const [name = '', direction = ''] = decodeEntities(text ?? '').split(',');
    return name.trim() === '' ? undefined : { name: name.trim().toLowerCase(), descending: direction.trim().toUpperCase() === 'DESC' };
  });

const epochOf = (text: string): number => Math.floor(instantOfText(text, Date.now()) / 1000);

/** `add` and `update`: a date, or two of them as a range; undefined when absent or empty. */
export const dateRange = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === undefined || text.trim() === '') return undefined;
    const [from = '', to] = text.split('/').length === 2 ? text.split('/') : [text];
    const range = { from: epochOf(from), to: to === undefined || to.trim() === '' ? undefined : epochOf(to) };
    if (!Number.isNaN(range.from) && !Number.isNaN(range.to ?? 0)) return range;
    context.addIssue({ code: 'custom', message: 'not a date' });
    return z.NEVER;
  });

/** `include`: the names of a comma list; `1` means all that the method knows. */
export const include = z
  .string()
  .optional()
  .transform((text) => {
    const names = (text ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim());
    return (name: string): boolean => names.includes(name) || names.includes('1');
  });

/** A parameter that must be sent; an empty one counts as sent. */
export const required = z.string();

/** An id as clients send it; undefined for what cannot be one, which nothing is found under. */
export const idOf = (text: string): number | undefined => {
  const trimmed = text.trim();
  return /^\d{1,10}$/.test(trimmed) && Number(trimmed) > 0 && Number(trimmed) <= 0x7fffffff ? Number(trimmed) : undefined;
};
