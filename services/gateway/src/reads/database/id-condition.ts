import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** Ids as one value of type `int[]`: written as Postgres reads them, because the driver looks at each element of an array for what has to be quoted. */
export const idArray = (ids: ArrayLike<number>): RawBuilder<readonly number[]> =>
  sql<readonly number[]>`${`{${Array.prototype.join.call(ids, ',')}}`}::int[]`;

/**
 * The condition that an id is one of some. A single one is compared plainly: Postgres plans a prepared statement with it once, and one with an array each time, which takes
 * ten times as long as the statement itself.
 */
export const isOneOf = (id: RawBuilder<number>, ids: ArrayLike<number>): RawBuilder<SqlBool> =>
  ids.length === 1 ? sql<SqlBool>`${id} = ${ids[0]}::int` : sql<SqlBool>`${id} = any(${idArray(ids)})`;
