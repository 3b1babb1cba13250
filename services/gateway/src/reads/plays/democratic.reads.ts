import { DEMOCRATIC_LIST } from '@continuo/contracts';
import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/** A song that people vote for. */
export interface VotedSong {
  readonly songId: number;
  readonly durationMs: number;
  readonly voteCount: number;
}

/** Songs with votes that the viewer may see, in the order of their turns: most votes first, of as many those that wait longest. */
export const votedSongs = (
  db: ReadDatabase,
  viewer: Viewer,
  page: { readonly offset?: number; readonly limit?: number },
): Promise<VotedSong[]> => {
  const all = db
    .selectFrom('playback.democratic_song as d')
    .innerJoin('library.song as s', 's.id', 'd.song_id')
    .select(['d.song_id as songId', 's.duration_ms as durationMs', 'd.vote_count as voteCount'])
    .where('d.list_id', '=', DEMOCRATIC_LIST)
    .where(inVisibleCatalogs(viewer, sql`s.catalog_id`))
    .orderBy('d.vote_count', 'desc')
    .orderBy('d.listed_at_ms')
    .orderBy('d.song_id')
    .offset(page.offset ?? 0);
  return (page.limit === undefined ? all : all.limit(page.limit)).execute();
};
