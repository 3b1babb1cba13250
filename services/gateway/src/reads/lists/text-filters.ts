import { ARTICLES, foldName, Rejection, sortKey as sortKeyOf } from '@continuo/contracts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { FilterRow } from './list-query.js';
import { expressionFault } from '../database/regular-expression.js';
import type { Viewer } from '../visibility/viewer.js';

/** A text whose every character stands for itself in a LIKE pattern. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (char) => `\\${char}`);
/** Longer regular expressions are dropped. */
const MAX_REGEX_CHARS = 100;
/** No name is longer; comparing a million names with a text of 100 kB would cost more than the answer, which is known. */
const MAX_TEXT_CHARS = 2000;

const nothing = sql<SqlBool>`false`;

/** False for texts that no stored name can hold: too long, with NUL, which Postgres refuses, or with half a character. */
export const canOccur = (text: string): boolean => text.length <= MAX_TEXT_CHARS && !text.includes('\0') && text.isWellFormed();

const articles = ARTICLES.map((article) => `${foldName(article)} `);

/** The ends of each article: what a text that runs across the end of one begins with. */
const articleEnds = articles.flatMap((article) => Array.from({ length: article.length }, (_, start) => article.slice(start)));

/** True when a folded text may be found in the leading article that sort keys lack, or across its end. */
export const touchesArticle = (folded: string): boolean =>
  articles.some((article) => article.includes(folded)) || articleEnds.some((end) => folded.startsWith(end));

/**
 * Names that hold a text, whatever its case. Where possible the folded sort key is asked, which has an index for it and makes no difference
 * between letters with and without accents.
 */
export const holdsText = (name: RawBuilder<string>, sortKey: RawBuilder<string> | undefined, value: string): RawBuilder<SqlBool> => {
  if (!canOccur(value)) return nothing;
  const folded = foldName(value);
  const asIs = sql<SqlBool>`${name} ilike ${`%${escapeLike(value)}%`}`;
  if (!sortKey || folded === '' || value.trim() !== value) return asIs;
  const asFolded = sql<SqlBool>`${sortKey} like ${`%${escapeLike(folded)}%`}`;
  return touchesArticle(folded) ? sql<SqlBool>`(${asFolded} or ${asIs})` : asFolded;
};

const beginsWith = (name: RawBuilder<string>, value: string): RawBuilder<SqlBool> =>
  canOccur(value) ? sql<SqlBool>`${name} ilike ${`${escapeLike(value)}%`}` : nothing;

const equalsText = (name: RawBuilder<string>, sortKey: RawBuilder<string> | undefined, value: string): RawBuilder<SqlBool> => {
  if (!canOccur(value)) return nothing;
  const equal = sql<SqlBool>`lower(${name}) = lower(${value})`;
  return sortKey ? sql<SqlBool>`(${sortKey} = ${sortKeyOf(value)} and ${equal})` : equal;
};

const negated = (condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> => sql<SqlBool>`not (${condition})`;

const unlessEmpty = (where: (value: string, viewer: Viewer) => RawBuilder<SqlBool>): FilterRow => ({
  where: (value, viewer) => (value === '' ? undefined : where(value, viewer)),
});

const regexFilter = (name: RawBuilder<string>, matching: boolean): FilterRow => ({
  bounded: true,
  where: (value) => {
    if (value === '' || value.length > MAX_REGEX_CHARS) return undefined;
    const fault = expressionFault(value);
    if (fault !== undefined) throw new Rejection('input.invalid', `not a regular expression that is taken: ${fault}`, 'cond');
    const matches = canOccur(value) ? sql<SqlBool>`${name} ~* ${value}` : nothing;
    return matching ? matches : negated(matches);
  },
});

/** Columns of text filters: a name and, where there is one, its folded form with an index. */
export interface TextColumns {
  readonly name: RawBuilder<string>;
  /** Searched instead of the name where possible. */
  readonly sortKey?: RawBuilder<string>;
  /** True when the sort key follows from the name alone, so that equal names have equal keys. */
  readonly keyFollowsName?: boolean;
}

/** The text filters that every kind has. All but regular expressions ignore case; `like` ignores accents too. */
export const textFilters = ({ name, sortKey, keyFollowsName = false }: TextColumns): Record<string, FilterRow> => {
  const contains = unlessEmpty((value) => holdsText(name, sortKey, value));
  const equals = unlessEmpty((value) => equalsText(name, keyFollowsName ? sortKey : undefined, value));
  return {
    like: contains,
    alpha_match: contains,
    equal: equals,
    exact_match: equals,
    not_like: unlessEmpty((value) => negated(holdsText(name, sortKey, value))),
    starts_with: unlessEmpty((value) => beginsWith(name, value)),
    not_starts_with: unlessEmpty((value) => negated(beginsWith(name, value))),
    regex_match: regexFilter(name, true),
    regex_not_match: regexFilter(name, false),
  };
};

/** A filter that keeps names which hold its text. */
export const containsFilter = (name: RawBuilder<string>): FilterRow => unlessEmpty((value) => holdsText(name, undefined, value));

const FARTHEST = Number.MAX_SAFE_INTEGER;

/** Parses the number of a filter: 0 for anything else; digits beyond all ids stay beyond all ids. */
export const integerOf = (value: string): number => {
  if (!/^-?\d+$/.test(value)) return 0;
  return Math.max(-FARTHEST, Math.min(FARTHEST, Number(value)));
};

/** A filter on a number; 0 and what is no number restrict nothing. */
export const idFilter = (where: (id: number, viewer: Viewer) => RawBuilder<SqlBool>): FilterRow => ({
  where: (value, viewer) => {
    const id = integerOf(value);
    return id === 0 ? undefined : where(id, viewer);
  },
});

/** A filter on an id that also takes 0, for what has none. */
export const idOrNoneFilter = (
  where: (id: number, viewer: Viewer) => RawBuilder<SqlBool>,
  none: (viewer: Viewer) => RawBuilder<SqlBool>,
): FilterRow => ({
  where: (value, viewer) => {
    const id = integerOf(value);
    return id === 0 ? none(viewer) : where(id, viewer);
  },
});

/** A filter of 0 or 1; anything else counts as 0. */
export const switchFilter = (where: (on: boolean, viewer: Viewer) => RawBuilder<SqlBool> | undefined): FilterRow => ({
  where: (value, viewer) => where(integerOf(value) === 1, viewer),
});

const LIST_OF_IDS = /^\d{1,15}(,\d{1,15})*$/;

/**
 * `id`: a list of ids, which methods give as a comma list. `cond` cannot carry a list: what a client sends is emptied before it comes here, and
 * an empty list yields nothing.
 */
export const idsFilter = (column: RawBuilder<number>): FilterRow => ({
  where: (value) =>
    LIST_OF_IDS.test(value)
      ? sql<SqlBool>`${column} = any(${value.split(',').map((id) => Math.min(Number(id), FARTHEST))}::bigint[])`
      : nothing,
});

const MS_PER_S = 1000;
/** Filters on a time column: `<name>_gt` and `<name>_lt` in epoch seconds, both inclusive. */
export const timeFilters = (name: string, columnMs: RawBuilder<number>): Record<string, FilterRow> => ({
  [`${name}_gt`]: idFilter((seconds) => sql<SqlBool>`${columnMs} >= ${startMs(seconds)}::bigint`),
  [`${name}_lt`]: idFilter((seconds) => sql<SqlBool>`${columnMs} <= ${endMs(seconds)}::bigint`),
});

const inRange = (ms: number): number => Math.max(-FARTHEST, Math.min(FARTHEST, ms));
/** The first millisecond of a second. */
export const startMs = (seconds: number): number => inRange(seconds * MS_PER_S);
/** The last millisecond of a second. */
export const endMs = (seconds: number): number => inRange(seconds * MS_PER_S + MS_PER_S - 1);

/** A filter that is always on and carries no value. */
export const flagFilter = (where: (viewer: Viewer) => RawBuilder<SqlBool>): FilterRow => ({ where: (_value, viewer) => where(viewer) });
