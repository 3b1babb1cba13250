import type { AlbumDocument, ReadModel } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import { inOrderOf } from './song-records.reads.js';

/** An album with what was made of it: its columns, its document and the plays of all users. */
export interface AlbumRecord {
  readonly id: number;
  readonly name: string;
  /** First album artist. */
  readonly artistId: number | null;
  /** 0 when unknown. */
  readonly year: number;
  readonly originalYear: number | null;
  readonly songCount: number;
  readonly durationMs: number;
  readonly addedAtMs: number;
  readonly mbid: string | null;
  readonly doc: AlbumDocument;
  readonly playCount: number;
  /** Epoch milliseconds; null when none of its songs was ever played. */
  readonly lastPlayedAtMs: number | null;
}

const albumRows = (db: Kysely<ReadModel>, ids: readonly number[]) =>
  db
    .selectFrom('library.album')
    .select(['id', 'name', 'album_artist_id', 'year', 'original_year', 'song_count', 'duration_ms', 'added_at_ms', 'mbid', 'doc'])
    .where((eb) => eb('id', '=', eb.fn.any(eb.val([...ids]))))
    .execute();

/** Plays of the songs of each album; albums without any are missing. */
const playsOf = async (db: Kysely<ReadModel>, ids: readonly number[]) => {
  const rows = await db
    .selectFrom('library.song as s')
    .innerJoin('playback.song_plays as p', 'p.song_id', 's.id')
    .select(['s.album_id', sql<number>`sum(p.play_count)::float8`.as('play_count'), sql<number>`max(p.last_played_at_ms)::float8`.as('last_played_at_ms')])
    .where((eb) => eb('s.album_id', '=', eb.fn.any(eb.val([...ids]))))
    .groupBy('s.album_id')
    .execute();
  return new Map(rows.map((row) => [row.album_id, row]));
};

/** Albums by id, in the order of the ids. Two statements whatever their number. */
export const albumsByIds = async (db: Kysely<ReadModel>, ids: readonly number[]): Promise<AlbumRecord[]> => {
  if (ids.length === 0) return [];
  const [rows, plays] = await Promise.all([albumRows(db, ids), playsOf(db, ids)]);
  const records = rows.map((row): AlbumRecord => ({
    id: row.id,
    name: row.name,
    artistId: row.album_artist_id,
    year: row.year,
    originalYear: row.original_year,
    songCount: row.song_count,
    durationMs: row.duration_ms,
    addedAtMs: row.added_at_ms,
    mbid: row.mbid,
    doc: JSON.parse(row.doc) as AlbumDocument,
    playCount: plays.get(row.id)?.play_count ?? 0,
    lastPlayedAtMs: plays.get(row.id)?.last_played_at_ms ?? null,
  }));
  return inOrderOf(ids, records, (record) => record.id);
};
