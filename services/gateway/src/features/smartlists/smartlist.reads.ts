import { sql } from 'kysely';
import type { ReadDatabase } from '../../reads/database/database.js';
import { mayOpen } from '../../reads/visibility/playlist-access.js';
import { inOrder } from '../../reads/songs/songs.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { storedRules, type StoredSearch } from '../../search/index.js';
import { isOneOf } from '../../reads/database/id-condition.js';

/** A smartlist without what it finds. */
export interface SmartlistRecord extends StoredSearch {
  readonly name: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Counts the changes of what it looks for. */
  readonly revision: number;
  /** Song count of the last run for a viewer who sees all that its owner sees. */
  readonly lastCount: number;
  readonly lastDurationMs: number;
  /** Epoch milliseconds; null when it was never run. */
  readonly lastRunAtMs: number | null;
  /** Name of the owner; null when it is nobody's, or the account is gone. */
  readonly username: string | null;
}

const records = (db: ReadDatabase) =>
  db
    .selectFrom('library.smartlist as t')
    .leftJoin('social.user as u', 'u.id', 't.owner_id')
    .select(['t.id', 't.name', 't.owner_id as ownerId', 't.is_public as isPublic', 't.collaborator_ids as collaboratorIds', 't.revision'])
    .select(['t.created_at_ms as createdAtMs', 't.updated_at_ms as updatedAtMs', 't.rules', 't.logic', 't.is_random as isRandom'])
    .select([
      't.song_limit as limit',
      't.last_count as lastCount',
      't.last_duration_ms as lastDurationMs',
      't.last_run_at_ms as lastRunAtMs',
    ])
    .select('u.username');

const withRules = <R extends { readonly rules: string }>(row: R) => ({ ...row, rules: storedRules(row.rules) });

/** A smartlist whoever asks: for whoever decides then what the caller may do with it. */
export const smartlistRecord = async (db: ReadDatabase, id: number): Promise<SmartlistRecord | undefined> => {
  const row = await records(db).where('t.id', '=', id).executeTakeFirst();
  return row && withRules(row);
};

/** Page of all smartlists by number, behind `afterId`: for administrators. */
export const smartlistsAfter = async (
  db: ReadDatabase,
  { afterId, limit }: { readonly afterId: number; readonly limit: number },
): Promise<SmartlistRecord[]> => {
  const rows = await records(db).where('t.id', '>', afterId).orderBy('t.id').limit(limit).execute();
  return rows.map(withRules);
};

/** Smartlists by id that the viewer may open, in the order of the ids. */
export const smartlistRecords = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<SmartlistRecord[]> => {
  if (ids.length === 0) return [];
  const rows = await records(db)
    .where(isOneOf(sql<number>`t.id`, ids))
    .where(mayOpen(viewer))
    .execute();
  return inOrder(ids, rows.map(withRules));
};

/** The picture of the first of some songs that has one, or whose album has one. */
export const firstArtOf = async (db: ReadDatabase, ids: Int32Array): Promise<string | null> => {
  const { rows } = await sql<{ artHash: string }>`
    select coalesce(s.art_hash, al.art_hash) as "artHash" from unnest(${Array.from(ids)}::int[]) with ordinality w(id, place)
    join library.song s on s.id = w.id left join library.album al on al.id = s.album_id
    where coalesce(s.art_hash, al.art_hash) is not null order by w.place limit 1`.execute(db);
  return rows[0]?.artHash ?? null;
};
