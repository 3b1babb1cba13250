import type { ReadModel, SongDocument } from '@continuo/contracts';
import type { Kysely } from 'kysely';

/** A song with what was made of it: its ready document and the plays of all users. */
export interface SongRecord {
  readonly doc: SongDocument;
  readonly playCount: number;
  /** Epoch milliseconds; null when it was never played. */
  readonly lastPlayedAtMs: number | null;
}

/** Puts records into the order of the ids that named them; ids that name nothing (any more) drop out. */
export const inOrderOf = <R>(ids: readonly number[], records: readonly R[], idOf: (record: R) => number): R[] => {
  const byId = new Map(records.map((record) => [idOf(record), record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/** Songs by id, in the order of the ids. One statement whatever their number. */
export const songsByIds = async (db: Kysely<ReadModel>, ids: readonly number[]): Promise<SongRecord[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('library.song as s')
    .leftJoin('playback.song_plays as p', 'p.song_id', 's.id')
    .select(['s.doc', 'p.play_count', 'p.last_played_at_ms'])
    .where((eb) => eb('s.id', '=', eb.fn.any(eb.val([...ids]))))
    .execute();
  const records = rows.map((row) => ({
    doc: JSON.parse(row.doc) as SongDocument,
    playCount: row.play_count ?? 0,
    lastPlayedAtMs: row.last_played_at_ms,
  }));
  return inOrderOf(ids, records, (record) => record.doc.id);
};

/** Ids of an album's songs in the order of discs and tracks. */
export const songIdsOfAlbum = async (db: Kysely<ReadModel>, albumId: number): Promise<number[]> => {
  const rows = await db.selectFrom('library.song').select('id').where('album_id', '=', albumId).orderBy('disk').orderBy('track').orderBy('title_sort').orderBy('id').execute();
  return rows.map((row) => row.id);
};

/** Ids of the songs that lie directly in a folder, by file name. */
export const songIdsOfFolder = async (db: Kysely<ReadModel>, folderId: number): Promise<number[]> => {
  const rows = await db.selectFrom('library.song').select('id').where('folder_id', '=', folderId).orderBy('file_name').orderBy('id').execute();
  return rows.map((row) => row.id);
};
