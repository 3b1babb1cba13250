import { Rejection } from '@continuo/contracts';
import { z } from 'zod';
import { CompatError } from './errors.js';
import { parseId, parseIdOf, type CompatId, type CompatKind } from './ids.js';

/** Parameters as they came: every name with its values in their order. */
export type ParameterBag = ReadonlyMap<string, readonly string[]>;

/** The values of one parameter; an absent one has none. */
type Values = readonly string[];

const MISSING = 'missing';

const values = z.array(z.string()).default([]);
const firstOf = (all: Values): string | undefined => all.find((value) => value !== '');

/** Reports a parameter that must be there; the message of the issue is what {@link readParameters} looks at. */
const missing = (ctx: z.RefinementCtx): typeof z.NEVER => {
  ctx.addIssue({ code: 'custom', message: MISSING });
  return z.NEVER;
};

/** Text that may be absent; an empty one counts as absent. */
export const optionalText = values.transform(firstOf);

/** Text that may be absent; an empty one is a text too, the way to take a text away. */
export const clearableText = values.transform((all) => firstOf(all) ?? all[0]);

/** Text that must be there. Any text when `allowEmpty` (a search for nothing means everything). */
export const requiredText = values.transform((all, ctx) => firstOf(all) ?? missing(ctx));

/** Every value of a repeated parameter, in order; empty ones are dropped. Commas do not split, since ids could hold them. */
export const textList = values.transform((all) => all.filter((value) => value !== ''));

const WHOLE = /^[+-]?\d{1,16}$/;
const whole = (text: string | undefined): number | undefined => (text !== undefined && WHOLE.test(text.trim()) ? Number(text) : undefined);

/** A whole number that may be absent; what is no number counts as absent. */
export const optionalInt = values.transform((all) => whole(firstOf(all)));

const LAST_YEAR = 9999;

/** A year that may be absent; one that no calendar has counts as the nearest that it could. */
export const optionalYear = optionalInt.transform((year) =>
  year === undefined ? undefined : Math.max(-LAST_YEAR, Math.min(year, LAST_YEAR)),
);

/** A count: `fallback` when absent, negative or no number, and never more than `cap`. Zero is zero. */
export const count = (fallback: number, cap: number) =>
  values.transform((all) => {
    const value = whole(firstOf(all));
    return value === undefined || value < 0 ? fallback : Math.min(value, cap);
  });

/** A whole number from 0 that must be there. */
export const requiredCount = values.transform((all, ctx): number => {
  const text = firstOf(all);
  if (text === undefined) return missing(ctx);
  const value = whole(text);
  if (value !== undefined && value >= 0 && Number.isSafeInteger(value)) return value;
  ctx.addIssue({ code: 'custom', message: 'is no whole number from 0' });
  return z.NEVER;
});

const DECIMAL = /^\+?(?:\d{1,9}\.?|\d{0,9}\.\d{1,9})$/;

/** How many times as fast as usual; 1 when absent. */
export const rate = values.transform((all, ctx): number => {
  const text = firstOf(all)?.trim();
  if (text === undefined) return 1;
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= 100) return value;
  ctx.addIssue({ code: 'custom', message: 'must be above 0 and at most 100' });
  return z.NEVER;
});

// Players work with fractions and pass them on; what is beyond the whole millisecond is left out.
const MILLISECONDS = /^\+?(\d{1,15})(?:\.\d*)?$/;
const milliseconds = (text: string, ctx: z.RefinementCtx): number => {
  const [, digits] = MILLISECONDS.exec(text.trim()) ?? [];
  if (digits !== undefined) return Number(digits);
  ctx.addIssue({ code: 'custom', message: 'is no number of milliseconds' });
  return z.NEVER;
};

/** An index from 0; undefined when absent. */
export const optionalIndex = values.transform((all, ctx): number | undefined => {
  const text = firstOf(all);
  const index = whole(text);
  if (text === undefined || (index !== undefined && index >= 0)) return index;
  ctx.addIssue({ code: 'custom', message: 'is no index from 0' });
  return z.NEVER;
});

/** A place in something that plays, in milliseconds, that must be there. */
export const requiredMs = values.transform((all, ctx): number => {
  const text = firstOf(all);
  return text === undefined ? missing(ctx) : milliseconds(text, ctx);
});

/** A place in something that plays, in milliseconds; undefined when absent. */
export const optionalMs = values.transform((all, ctx): number | undefined => {
  const text = firstOf(all);
  return text === undefined ? undefined : milliseconds(text, ctx);
});

/** A page size: as {@link count}, and zero means the default too. */
export const pageSize = (fallback: number, cap: number) => count(fallback, cap).transform((value) => (value === 0 ? fallback : value));

/** Where a page starts; 0 when absent, negative or no number. */
export const offset = count(0, Number.MAX_SAFE_INTEGER);

/** Every value of a repeated number, `undefined` in the place of what is no number. */
export const intList = values.transform((all) => all.map((value) => whole(value)));

const TRUE: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on']);
const FALSE: ReadonlySet<string> = new Set(['false', '0', 'no', 'off']);

/** True or false in the spellings that clients use; anything else is `fallback`. */
export const flag = (fallback: boolean) =>
  values.transform((all) => {
    const text = firstOf(all)?.trim().toLowerCase() ?? '';
    return TRUE.has(text) || (fallback && !FALSE.has(text));
  });

/** True or false in the spellings that clients use; undefined when absent or neither. */
export const optionalFlag = values.transform((all) => {
  const text = firstOf(all)?.trim().toLowerCase() ?? '';
  if (TRUE.has(text)) return true;
  return FALSE.has(text) ? false : undefined;
});

/** One of the given words, in any letter case. */
export const requiredWord = <W extends string>(...words: readonly W[]) =>
  values.transform((all, ctx): W => {
    const text = firstOf(all);
    if (text === undefined) return missing(ctx);
    const word = words.find((known) => known.toLowerCase() === text.trim().toLowerCase());
    if (word !== undefined) return word;
    ctx.addIssue({ code: 'custom', message: `cannot be ${JSON.stringify(text.slice(0, 40))}` });
    return z.NEVER;
  });

const notFound = { song: 'song.not-found', album: 'album.not-found', artist: 'artist.not-found', catalog: 'catalog.not-found' } as const;

/**
 * The id of a thing of one kind. An id of another kind, or one that this server cannot have given, names nothing.
 * @throws Rejection `<kind>.not-found` while it is read
 */
export const idOf = (kind: keyof typeof notFound) =>
  requiredText.transform((text) => {
    const id = parseIdOf(kind, text);
    if (id === undefined) throw new Rejection(notFound[kind], undefined, 'id');
    return id;
  });

/**
 * An id of any kind; a bare number is one of `fallback`.
 * @throws CompatError 70 while it is read, when no thing could have it
 */
export const anyId = (fallback: CompatKind) =>
  requiredText.transform((text): CompatId => {
    const id = parseId(text, fallback);
    if (!id) throw new CompatError(70, 'There is nothing with this id');
    return id;
  });

/**
 * The music folder that a list is limited to: undefined for all, null for one that cannot exist, which must show nothing.
 */
export const musicFolder = values.transform((all): number | null | undefined => {
  const text = firstOf(all);
  return text === undefined ? undefined : (parseIdOf('catalog', text) ?? null);
});

/**
 * Reads the parameters of a call.
 * @throws CompatError 10 that names the first parameter at fault
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
