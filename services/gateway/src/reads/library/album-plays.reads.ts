import { sql } from 'kysely';
import { albumsByIds, annotatedAlbum, annotatedAlbums, type AlbumView } from './albums.reads.js';
import type { ReadDatabase } from '../database/database.js';
import { isOneOf } from '../database/id-condition.js';
import { ANNOTATED_AT_ONCE } from '../people/annotations.reads.js';
import { inOrder } from '../songs/songs.reads.js';
import type { Viewer } from '../visibility/viewer.js';

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
    .where(isOneOf(sql<number>`s.album_id`, ids))
    .groupBy('s.album_id')
    .execute();
  return new Map(rows.map((row) => [row.albumId, row]));
};

/** A few albums with their plays, in one statement. */
export const annotatedPlayedAlbums = (db: ReadDatabase, viewer: Viewer) =>
  annotatedAlbums(db, viewer)
    .leftJoinLateral(
      sql<{ playCount: number | null; lastPlayedAtMs: number | null }>`(
        select sum(p.play_count)::float8 as "playCount", max(p.last_played_at_ms) as "lastPlayedAtMs"
        from library.song s join playback.song_plays p on p.song_id = s.id where s.album_id = a.id)`.as('plays'),
      (join) => join.onTrue(),
    )
    .select(['plays.playCount', 'plays.lastPlayedAtMs']);

type PlayedRow = Awaited<ReturnType<ReturnType<typeof annotatedPlayedAlbums>['execute']>>[number];

/** An album as a row of {@link annotatedPlayedAlbums} has it. */
export const playedAlbum = (row: PlayedRow): PlayedAlbum => ({ ...annotatedAlbum(row), playCount: row.playCount ?? 0 });

/** Albums by id with their plays, in the order of the ids, in one statement or three, whatever their number. */
export const playedAlbumsByIds = async (db: ReadDatabase, ids: readonly number[], viewer: Viewer): Promise<PlayedAlbum[]> => {
  if (ids.length === 0) return [];
  if (ids.length <= ANNOTATED_AT_ONCE) {
    const few = await annotatedPlayedAlbums(db, viewer)
      .where(isOneOf(sql<number>`a.id`, ids))
      .execute();
    return inOrder(ids, few).map(playedAlbum);
  }
  const [albums, plays] = await Promise.all([albumsByIds(db, ids, viewer), playsOf(db, ids)]);
  return albums.map((album) => {
    const played = plays.get(album.id);
    return { ...album, playCount: played?.playCount ?? 0, lastPlayedAtMs: played?.lastPlayedAtMs ?? null };
  });
};
