import { rawQuery, type ProjectedQuery } from '@continuo/chassis';
import { sql, type Kysely, type RawBuilder } from 'kysely';

/** Rows of one statement; a batch has at most some thousand events. */
const ROWS_PER_STATEMENT = 5000;

/** A statement over rows that travel as one JSON array parameter, as often as it takes; nothing at all when there are no rows. */
export const rowBatches = <Tables>(
  rows: readonly unknown[],
  db: Kysely<Tables>,
  statement: (json: RawBuilder<unknown>) => RawBuilder<unknown>,
): ProjectedQuery[] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_PER_STATEMENT) }, (_, n) => {
    const slice = rows.slice(n * ROWS_PER_STATEMENT, (n + 1) * ROWS_PER_STATEMENT);
    return rawQuery(statement(sql`${JSON.stringify(slice)}::json`), db as unknown as Kysely<never>);
  });
