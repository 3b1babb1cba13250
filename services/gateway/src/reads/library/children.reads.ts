import { sql, type RawBuilder } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { parseIds } from '../lists/id-list.js';
import type { Viewer } from '../visibility/viewer.js';

/** Statement of the ids of the children of the owner `o.id`, in order. */
export type Children = (viewer: Viewer) => RawBuilder<unknown>;

/** A thing is shown with this many children at most; the methods that list them page through the rest. */
export const MAX_CHILDREN = 5000;

const NOTHING = new Int32Array(0);

/** The ids of what hangs off some things, in order, {@link MAX_CHILDREN} of each at most: one statement, one small array per owner. */
export const childIds = async (
  db: ReadDatabase,
  children: Children,
  owners: ArrayLike<number>,
  viewer: Viewer,
): Promise<(owner: number) => Int32Array> => {
  if (owners.length === 0) return () => NOTHING;
  const { rows } = await sql<{ owner: number; ids: string | null }>`
    select o.id as owner, array(select c.id from (${children(viewer)} limit ${MAX_CHILDREN}) c)::text as ids
    from unnest(${Array.from(owners)}::int[]) as o(id)`.execute(db);
  const byOwner = new Map(rows.map(({ owner, ids }) => [owner, parseIds(ids)]));
  return (owner) => byOwner.get(owner) ?? NOTHING;
};
