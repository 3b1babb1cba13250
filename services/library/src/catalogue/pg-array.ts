import { sql, type RawBuilder } from 'kysely';

const NEEDS_CARE = /["\\]/g;

/** Value of a cell. */
type Cell = string | number | null;

const number = (value: string | number): string => String(value);
const text = (value: string | number): string => `"${String(value).replace(NEEDS_CARE, '\\$&')}"`;

const columns = {
  bigint: { type: 'bigint[]', write: number },
  int: { type: 'int[]', write: number },
  float: { type: 'double precision[]', write: number },
  text: { type: 'text[]', write: text },
} as const;

/** Type of a column; `json` is JSON that is kept as text, in no row null. */
export type ColumnKind = keyof typeof columns | 'json';

/** A column of rows. */
export type Column = readonly [kind: ColumnKind, values: readonly Cell[]];

/** Stands between documents: JSON has no bare control characters, so that nothing in them needs care. */
const SEPARATOR = '\u001F';

/** The text of a Postgres array, ready to be cast. Nothing but nulls is no text at all: `unnest` fills up with nulls. */
export const arrayText = (kind: Exclude<ColumnKind, 'json'>, values: readonly Cell[]): string => {
  if (values.every((value) => value === null)) return '{}';
  const { write } = columns[kind];
  return `{${values.map((value) => (value === null ? 'NULL' : write(value))).join(',')}}`;
};

const array = ([kind, values]: Column): RawBuilder<unknown> =>
  kind === 'json'
    ? sql`string_to_array(${values.join(SEPARATOR)}, ${sql.lit(SEPARATOR)})`
    : sql`${arrayText(kind, values)}::${sql.raw(columns[kind].type)}`;

/** Rows, an array for each column, for statements over many: quicker to write and to read than rows as JSON, which repeats the names in each. The first column has no null. */
export const unnested = (of: readonly Column[]): RawBuilder<unknown> => sql`unnest(${sql.join(of.map(array))})`;
