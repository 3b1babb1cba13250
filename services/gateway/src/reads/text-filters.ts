import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { FilterRow } from './list-query.js';

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (char) => `\\${char}`);
// A regular expression is the only filter whose cost a client can choose.
const MAX_REGEX_CHARS = 100;

const unlessEmpty = (where: (value: string) => RawBuilder<SqlBool>): FilterRow => ({
  where: (value) => (value === '' ? undefined : where(value)),
});

/** The text filters that every kind has (browse.md, `TEXT`), over one column. */
export const textFilters = (column: RawBuilder<string>): Record<string, FilterRow> => {
  const contains = unlessEmpty((value) => sql<SqlBool>`${column} ilike ${`%${escapeLike(value)}%`}`);
  const equals = unlessEmpty((value) => sql<SqlBool>`lower(${column}) = lower(${value})`);
  const matches = (negate: boolean): FilterRow => ({
    where: (value) => {
      if (value === '' || value.length > MAX_REGEX_CHARS || !isSafeRegex(value)) return undefined;
      return negate ? sql<SqlBool>`${column} !~* ${value}` : sql<SqlBool>`${column} ~* ${value}`;
    },
  });
  return {
    like: contains,
    alpha_match: contains,
    equal: equals,
    exact_match: equals,
    not_like: unlessEmpty((value) => sql<SqlBool>`${column} not ilike ${`%${escapeLike(value)}%`}`),
    starts_with: unlessEmpty((value) => sql<SqlBool>`${column} ilike ${`${escapeLike(value)}%`}`),
    not_starts_with: unlessEmpty((value) => sql<SqlBool>`${column} not ilike ${`${escapeLike(value)}%`}`),
    regex_match: matches(false),
    regex_not_match: matches(true),
  };
};

// Postgres' engine is linear without back references; with them, or with what it cannot parse, the filter says nothing.
const isSafeRegex = (pattern: string): boolean => {
  if (/\\[1-9]|\(\?/.test(pattern)) return false;
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
};

/** A whole number in a filter's text; undefined when it is none, which restricts nothing. */
export const whole = (value: string): number | undefined => (/^-?\d{1,15}$/.test(value) ? Number(value) : undefined);

/** A filter on a positive id; 0 and what is no number restrict nothing. */
export const idFilter = (where: (id: number) => RawBuilder<SqlBool>): FilterRow => ({
  where: (value) => {
    const id = whole(value);
    return id === undefined || id === 0 ? undefined : where(id);
  },
});

/** Filters on a time column: `<name>_gt` and `<name>_lt` in epoch seconds, both inclusive. */
export const timeFilters = (name: string, columnMs: RawBuilder<number>): Record<string, FilterRow> => ({
  [`${name}_gt`]: idFilter((seconds) => sql<SqlBool>`${columnMs} >= ${seconds * 1000}::bigint`),
  [`${name}_lt`]: idFilter((seconds) => sql<SqlBool>`${columnMs} <= ${seconds * 1000 + 999}::bigint`),
});

/** A filter that is always on and carries no value. */
export const flagFilter = (where: RawBuilder<SqlBool>): FilterRow => ({ where: () => where });
