import { Rejection } from '@continuo/contracts';
import { z } from 'zod';
import { CompatError } from './errors.js';
import { parseId, parseIdOf, type CompatId, type CompatKind } from './ids.js';

/** Parameters: the values of every name in order. */
export type ParameterBag = ReadonlyMap<string, readonly string[]>;

/** Values of one parameter; empty when absent. */
type Values = readonly string[];

const MISSING = 'missing';

const values = z.array(z.string()).default([]);
const firstOf = (all: Values): string | undefined => all.find((value) => value !== '');

/** Reports a missing parameter, with the message that {@link readParameters} checks. */
const missing = (ctx: z.RefinementCtx): typeof z.NEVER => {
  ctx.addIssue({ code: 'custom', message: MISSING });
  return z.NEVER;
};

/** Optional text; empty counts as absent. */
export const optionalText = values.transform(firstOf).meta({ parameter: { type: 'string' } });

/** Optional text; empty clears a field. */
export const clearableText = values.transform((all) => firstOf(all) ?? all[0]).meta({ parameter: { type: 'string' } });

/** Required text. With `allowEmpty` also empty (a search for everything). */
export const requiredText = values.transform((all, ctx) => firstOf(all) ?? missing(ctx)).meta({ parameter: { type: 'string' } });

/** All values of a repeated parameter, without empty ones. Commas do not split. */
export const textList = values
  .transform((all) => all.filter((value) => value !== ''))
  .meta({ parameter: { type: 'array', items: { type: 'string' } } });

/** Largest `xs:int`, of which the schema makes all numbers. */
const LARGEST_INT = 2 ** 31 - 1;

const WHOLE = /^[+-]?\d{1,16}$/;
const whole = (text: string | undefined): number | undefined => (text !== undefined && WHOLE.test(text.trim()) ? Number(text) : undefined);

/** Optional integer; other values count as absent. */
export const optionalInt = values.transform((all) => whole(firstOf(all))).meta({ parameter: { type: 'integer' } });

const LAST_YEAR = 9999;

/** Optional year, clamped to the calendar's range. */
export const optionalYear = optionalInt.transform((year) =>
  year === undefined ? undefined : Math.max(-LAST_YEAR, Math.min(year, LAST_YEAR)),
);

/** A count: `fallback` when absent, negative or not a number; at most `cap`. Zero is allowed. */
export const count = (fallback: number, cap: number) =>
  values
    .transform((all) => {
      const value = whole(firstOf(all));
      return value === undefined || value < 0 ? fallback : Math.min(value, cap);
    })
    .meta({ parameter: { type: 'integer', minimum: 0, maximum: cap, default: fallback } });

/** Required non-negative integer. */
export const requiredCount = values
  .transform((all, ctx): number => {
    const text = firstOf(all);
    if (text === undefined) return missing(ctx);
    const value = whole(text);
    if (value !== undefined && value >= 0 && Number.isSafeInteger(value)) return value;
    ctx.addIssue({ code: 'custom', message: 'is no whole number from 0' });
    return z.NEVER;
  })
  .meta({ parameter: { type: 'integer', minimum: 0 } });

const DECIMAL = /^\+?(?:\d{1,9}\.?|\d{0,9}\.\d{1,9})$/;

/** Playback rate; 1 when absent. */
export const rate = values
  .transform((all, ctx): number => {
    const text = firstOf(all)?.trim();
    if (text === undefined) return 1;
    const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
    if (value > 0 && value <= 100) return value;
    ctx.addIssue({ code: 'custom', message: 'must be above 0 and at most 100' });
    return z.NEVER;
  })
  .meta({ parameter: { type: 'number', exclusiveMinimum: 0, maximum: 100, default: 1 } });

// Players send fractions; they are cut to whole milliseconds.
const MILLISECONDS = /^\+?(\d{1,15})(?:\.\d*)?$/;
const milliseconds = (text: string, ctx: z.RefinementCtx): number => {
  const [, digits] = MILLISECONDS.exec(text.trim()) ?? [];
  if (digits !== undefined) return Number(digits);
  ctx.addIssue({ code: 'custom', message: 'is no number of milliseconds' });
  return z.NEVER;
};

/** Optional index from 0. */
export const optionalIndex = values
  .transform((all, ctx): number | undefined => {
    const text = firstOf(all);
    const index = whole(text);
    if (text === undefined || (index !== undefined && index >= 0)) return index;
    ctx.addIssue({ code: 'custom', message: 'is no index from 0' });
    return z.NEVER;
  })
  .meta({ parameter: { type: 'integer', minimum: 0 } });

/** Required position in milliseconds. */
export const requiredMs = values
  .transform((all, ctx): number => {
    const text = firstOf(all);
    return text === undefined ? missing(ctx) : milliseconds(text, ctx);
  })
  .meta({ parameter: { type: 'integer', minimum: 0, description: 'Milliseconds.' } });

/** Optional position in milliseconds. */
export const optionalMs = values
  .transform((all, ctx): number | undefined => {
    const text = firstOf(all);
    return text === undefined ? undefined : milliseconds(text, ctx);
  })
  .meta({ parameter: { type: 'integer', minimum: 0, description: 'Milliseconds.' } });

/** A page size: as {@link count}, but zero means the default. */
export const pageSize = (fallback: number, cap: number) => count(fallback, cap).transform((value) => (value === 0 ? fallback : value));

/** Offset of a page; 0 when absent, negative or not a number. */
export const offset = count(0, LARGEST_INT);

/** All values of a repeated integer; `undefined` for other values. */
export const intList = values
  .transform((all) => all.map((value) => whole(value)))
  .meta({ parameter: { type: 'array', items: { type: 'integer' } } });

const TRUE: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on']);
const FALSE: ReadonlySet<string> = new Set(['false', '0', 'no', 'off']);

/** Boolean in the spellings of clients; `fallback` for other values. */
export const flag = (fallback: boolean) =>
  values
    .transform((all) => {
      const text = firstOf(all)?.trim().toLowerCase() ?? '';
      return TRUE.has(text) || (fallback && !FALSE.has(text));
    })
    .meta({ parameter: { type: 'boolean', default: fallback } });

/** Boolean in the spellings of clients; undefined for other values. */
export const optionalFlag = values
  .transform((all) => {
    const text = firstOf(all)?.trim().toLowerCase() ?? '';
    if (TRUE.has(text)) return true;
    return FALSE.has(text) ? false : undefined;
  })
  .meta({ parameter: { type: 'boolean' } });

/** One of some words, ignoring letter case. */
export const requiredWord = <W extends string>(...words: readonly W[]) =>
  values
    .transform((all, ctx): W => {
      const text = firstOf(all);
      if (text === undefined) return missing(ctx);
      const word = words.find((known) => known.toLowerCase() === text.trim().toLowerCase());
      if (word !== undefined) return word;
      ctx.addIssue({ code: 'custom', message: `cannot be ${JSON.stringify(text.slice(0, 40))}` });
      return z.NEVER;
    })
    .meta({ parameter: { type: 'string', enum: words } });

const notFound = { song: 'song.not-found', album: 'album.not-found', artist: 'artist.not-found', catalog: 'catalog.not-found' } as const;

/**
 * Id of one kind; ids of other kinds and impossible ids are not found.
 * @throws Rejection `<kind>.not-found` while reading
 */
export const idOf = (kind: keyof typeof notFound) =>
  requiredText.transform((text) => {
    const id = parseIdOf(kind, text);
    if (id === undefined) throw new Rejection(notFound[kind], undefined, 'id');
    return id;
  });

/**
 * Id of any kind; a bare number is of kind `fallback`.
 * @throws CompatError 70 while reading, for an impossible id
 */
export const anyId = (fallback: CompatKind) =>
  requiredText.transform((text): CompatId => {
    const id = parseId(text, fallback);
    if (!id) throw new CompatError(70, 'There is nothing with this id');
    return id;
  });

/**
 * Music folder of a list: undefined for all, null for an impossible one, which gives an empty list.
 */
export const musicFolder = values
  .transform((all): number | null | undefined => {
    const text = firstOf(all);
    return text === undefined ? undefined : (parseIdOf('catalog', text) ?? null);
  })
  .meta({ parameter: { type: 'string', description: 'Id of a music folder.' } });

/**
 * Reads the parameters of a call.
 * @throws CompatError 10 naming the first invalid parameter
 */
export const readParameters = <P>(schema: z.ZodType<P>, bag: ParameterBag): P => {
  const parsed = schema.safeParse(Object.fromEntries(bag));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue?.path.join('.') ?? '';
  throw new CompatError(
    10,
    issue?.message === MISSING ? `Required parameter is missing: ${name}` : `Parameter ${name} ${issue?.message ?? 'is unusable'}`,
  );
};
