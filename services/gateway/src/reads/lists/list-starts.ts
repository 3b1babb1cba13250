import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import type { Viewer } from '../visibility/viewer.js';
import { sortOf, type ListDefinition } from './list-query.js';

/** A first letter or a year in an ordered list, and the position of the first entry that has it, from 0. */
export interface ListStart {
  readonly name: string;
  readonly position: number;
}

/** Entries that are looked at by one statement. */
const AT_ONCE = 4096;
/** Gaps that are looked into further; of more, which only writings with thousands of letters have, some are chosen. */
const MOST_GAPS = 128;

/** Reads what the entries at positions begin with. */
type ReadNames = (positions: readonly number[]) => Promise<readonly string[]>;

interface Gap {
  readonly from: number;
  readonly to: number;
}

const spread = ({ from, to }: Gap, count: number): number[] => {
  const steps = Math.min(count, to - from);
  return Array.from({ length: steps + 1 }, (_, step) => from + Math.floor(((to - from) * step) / steps));
};

const chosen = (gaps: readonly Gap[]): readonly Gap[] =>
  gaps.length <= MOST_GAPS ? gaps : Array.from({ length: MOST_GAPS }, (_, at) => gaps[Math.floor((at * gaps.length) / MOST_GAPS)] as Gap);

/**
 * Finds where the names of an ordered list change, by looking at entries in even steps and then again in the gaps in which a name changes: some ten thousand entries of
 * a million, and no pass over the rows.
 */
export const findStarts = async (total: number, read: ReadNames): Promise<ListStart[]> => {
  if (total === 0) return [];
  const starts: ListStart[] = [];
  let gaps: readonly Gap[] = [{ from: 0, to: Math.max(1, total - 1) }];
  for (let isFirst = true; gaps.length > 0; isFirst = false) {
    const looked = gaps.map((gap) =>
      spread(gap, Math.max(2, Math.floor(AT_ONCE / gaps.length) - 1)).filter((position) => position < total),
    );
    const names = await read(looked.flat());
    if (isFirst) starts.push({ name: names[0] ?? '', position: 0 });
    const found: Gap[] = [];
    let at = 0;
    for (const positions of looked) {
      for (const [step, to] of positions.entries()) {
        const from = positions[step - 1];
        if (from !== undefined && names[at] !== names[at - 1]) {
          if (to - from === 1) starts.push({ name: names[at] ?? '', position: to });
          else found.push({ from, to });
        }
        at += 1;
      }
    }
    gaps = chosen(found);
  }
  return starts.toSorted((one, other) => one.position - other.position);
};

/** Orders that begin with a name, and those that begin with a year. */
const BY_NAME: ReadonlySet<string> = new Set(['title', 'name', 'artist', 'album', 'album_artist']);
const BY_YEAR: ReadonlySet<string> = new Set(['year', 'original_year']);

/** Row at which each first letter, or each year, begins in an ordered list; nothing for orders by something else. */
export const listStarts = async (
  db: ReadDatabase,
  list: ListDefinition,
  { order, ids, viewer }: { readonly order: string; readonly ids: Int32Array; readonly viewer: Viewer },
): Promise<ListStart[]> => {
  const sort = sortOf(list, order);
  const column = sort?.columns?.(viewer)[0];
  if (column === undefined || !(BY_NAME.has(order) || BY_YEAR.has(order))) return [];
  const name = BY_NAME.has(order) ? sql`left(${column}, 1)` : sql`${column}::text`;
  return findStarts(ids.length, async (positions) => {
    const looked = positions.map((position) => ids[position] ?? 0);
    const { rows } = await sql<{ id: number; name: string | null }>`
      select t.id, ${name} as name from ${list.from} ${sort?.join ?? sql``} where t.id = any(${looked}::bigint[])`.execute(db);
    const names = new Map(rows.map((row) => [row.id, (row.name ?? '').toUpperCase()]));
    return looked.map((id) => names.get(id) ?? '');
  });
};
