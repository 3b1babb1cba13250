import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** Ids as one value of type `int[]`: written as Postgres reads them, because the driver looks at each element of an array for what has to be quoted. */
export const idArray = (ids: ArrayLike<number>): RawBuilder<readonly number[]> =>
  sql<readonly number[]>`${`{${Array.prototype.join.call(ids, ',')}}`}::int[]`;

/** Ids that Postgres supposes an array to have when it plans a statement for all of them. */
const SUPPOSED_IDS = 10;

/**
 * The condition that an id is one of some. One id is compared plainly. Fewer than supposed are filled up with the last of them: Postgres would plan a prepared statement for such an
 * array anew each time, which takes several times as long as the statement itself.
 */
export const isOneOf = (id: RawBuilder<number>, ids: ArrayLike<number>): RawBuilder<SqlBool> => {
  const last = ids[ids.length - 1];
  if (ids.length === 1) return sql<SqlBool>`${id} = ${last}::int`;
  const isShort = last !== undefined && ids.length < SUPPOSED_IDS;
  const supposed = isShort ? [...Array.from(ids), ...Array.from({ length: SUPPOSED_IDS - ids.length }, () => last)] : ids;
  return sql<SqlBool>`${id} = any(${idArray(supposed)})`;
};
