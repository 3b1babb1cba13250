import { sql } from 'kysely';
import { albumsByIds, type AlbumView } from './albums.reads.js';
import type { ReadDatabase } from './database.js';
import type { Viewer } from './viewer.js';

/** An album with the plays of its songs by everybody. */
export interface PlayedAlbum extends AlbumView {
  readonly playCount: number;
  /** Epoch milliseconds; null when none of its songs was ever played. */
  readonly lastPlayedAtMs: number | null;
}

/** Plays of the songs of each album; albums without any are missing. */
const playsOf = async (db: ReadDatabase, ids: readonly number[]) => {
  const rows = await db
    .selectFrom('library.song as s')
    .innerJoin('playback.song_plays as p', 'p.song_id', 's.id')
    .select([
      's.album_id as albumId',
      sql<number>`sum(p.play_count)::float8`.as('playCount'),
      sql<number>`max(p.last_played_at_ms)`.as('lastPlayedAtMs'),
    ])
    .where(sql<boolean>`s.album_id = any(${[...ids]}::int[])`)
    .groupBy('s.album_id')
    .execute();
  return new Map(rows.map((row) => [row.albumId, row]));
};

/** Albums by id with their plays, in the order of the ids. Two statements whatever their number. */
export const playedAlbumsByIds = async (db: ReadDatabase, ids: readonly number[], viewer: Viewer): Promise<PlayedAlbum[]> => {
  if (ids.length === 0) return [];
  const [albums, plays] = await Promise.all([albumsByIds(db, ids, viewer), playsOf(db, ids)]);
  return albums.map((album) => {
    const played = plays.get(album.id);
    return { ...album, playCount: played?.playCount ?? 0, lastPlayedAtMs: played?.lastPlayedAtMs ?? null };
  });
};
