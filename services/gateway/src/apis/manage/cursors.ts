import { z } from 'zod';
import { ManageProblem } from './problems.js';

const MAX_LIMIT = 500;
const DEFAULT_LIMIT = 50;
const MAX_CURSOR = 2048;

/** Query of every list. */
export const pageQuery = z.strictObject({
  limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT).meta({ description: 'Most items of the answer' }),
  cursor: z.string().max(MAX_CURSOR).optional().meta({ description: 'The `nextCursor` of the page before' }),
});

/** Schema of a page of a list. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().meta({ description: 'Asks for the next page; null on the last one' }),
  });

/** A page of a list. */
export interface Page<T> {
  readonly items: T[];
  readonly nextCursor: string | null;
}

/** Number of rows to read for a page: one more tells whether there is another page. */
export const rowsOfPage = ({ limit }: { readonly limit: number }): number => limit + 1;

/**
 * Cuts a page out of the rows that were read for it.
 * @param keyOf values of the last row after which the next page begins
 */
export const cutPage = <T>(rows: readonly T[], { limit }: { readonly limit: number }, keyOf: (row: T) => unknown): Page<T> => {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const isMore = rows.length > limit && last !== undefined;
  return { items, nextCursor: isMore ? Buffer.from(JSON.stringify(keyOf(last))).toString('base64url') : null };
};

/**
 * Reads the cursor of a request; undefined on the first page.
 * @throws ManageProblem `input.invalid` for a text that is no cursor of this list
 */
export const readCursor = <T>(schema: z.ZodType<T>, cursor: string | undefined): T | undefined => {
  if (cursor === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    const detail = 'is no cursor of this list';
    throw new ManageProblem('input.invalid', `/cursor ${detail}`, [{ in: 'query', pointer: '/cursor', detail }]);
  }
};

/** Cursor of lists that are ordered by number. */
const idCursor = z.int().min(0);

/** Cuts a page out of a whole list ordered by number, for lists as short as an operator makes them. */
export const pageById = <T extends { readonly id: number }>(
  all: readonly T[],
  query: { readonly limit: number; readonly cursor?: string | undefined },
): Page<T> => {
  const after = readCursor(idCursor, query.cursor) ?? 0;
  const rows = all.filter(({ id }) => id > after).slice(0, rowsOfPage(query));
  return cutPage(rows, query, ({ id }) => id);
};

/** Cuts a page out of a whole list that is ordered by a text, for lists that the server has in memory. */
export const pageByText = <T>(
  all: readonly T[],
  query: { readonly limit: number; readonly cursor?: string | undefined },
  textOf: (one: T) => string,
): Page<T> => {
  const after = readCursor(z.string().max(MAX_CURSOR), query.cursor) ?? '';
  const ordered = all.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  const rows = ordered.filter((one) => textOf(one) > after).slice(0, rowsOfPage(query));
  return cutPage(rows, query, textOf);
};
