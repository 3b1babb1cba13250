import { ARTICLES, foldName } from '@continuo/contracts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { FilterRow } from './list-query.js';

/** A text whose every character stands for itself in a LIKE pattern. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (char) => `\\${char}`);
// A regular expression is the only filter whose cost a client can choose.
const MAX_REGEX_CHARS = 100;

const unlessEmpty = (where: (value: string) => RawBuilder<SqlBool>): FilterRow => ({
  where: (value) => (value === '' ? undefined : where(value)),
});

const articles = ARTICLES.map((article) => `${foldName(article)} `);

/** The ends of each article: what a text that runs across the end of one begins with. */
const articleEnds = articles.flatMap((article) => Array.from({ length: article.length }, (_, start) => article.slice(start)));

/** True when a folded text may be found in the leading article that sort keys lack, or across its end. */
const touchesArticle = (folded: string): boolean =>
  articles.some((article) => article.includes(folded)) || articleEnds.some((end) => folded.startsWith(end));

/**
 * Names that hold a text, whatever its case. Where possible the folded sort key is asked, which has an index for it and makes no difference
 * between letters with and without accents.
 */
export const holdsText = (name: RawBuilder<string>, sortKey: RawBuilder<string>, value: string): RawBuilder<SqlBool> => {
  const folded = foldName(value);
  if (folded === '' || touchesArticle(folded)) return sql<SqlBool>`${name} ilike ${`%${escapeLike(value)}%`}`;
  return sql<SqlBool>`${sortKey} like ${`%${escapeLike(folded)}%`}`;
};

/** The text filters that every kind has (browse.md, `TEXT`), over a name and, where there is one, its folded sort key. */
export const textFilters = (column: RawBuilder<string>, sortKey?: RawBuilder<string>): Record<string, FilterRow> => {
  const contains = unlessEmpty((value) =>
    sortKey ? holdsText(column, sortKey, value) : sql<SqlBool>`${column} ilike ${`%${escapeLike(value)}%`}`,
  );
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
