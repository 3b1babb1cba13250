import type { ReadModel, VideoTable } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { FIRST_ADDED_MS } from './fixture-library.js';

const DAY_MS = 86_400_000;

const film: VideoTable = {
  id: 1,
  catalog_id: 1,
  folder_id: 1,
  file_name: 'The <Long> Film.mp4',
  path: 'The <Long> Film.mp4',
  title: 'The <Long> Film & more',
  title_sort: '<long> film & more',
  format: 'mp4',
  mime: 'video/mp4',
  video_codec: 'h264',
  audio_codec: 'aac',
  width_px: 1920,
  height_px: 1080,
  duration_ms: 5_400_400,
  bitrate_bps: 1_200_000,
  size_bytes: 800_000_000,
  mtime_ms: FIRST_ADDED_MS,
  release_date: '1999-05-02',
  added_at_ms: FIRST_ADDED_MS,
  updated_at_ms: FIRST_ADDED_MS,
  random_key: 0.25,
  doc: JSON.stringify({
    genres: [{ id: 1, name: 'Folk' }],
    captions: [{ index: 0, codec: 'mov_text', language: 'eng' }],
    audioTracks: [{ index: 0, codec: 'aac', language: 'eng', title: 'Original' }],
  }),
};

/** The videos of the fixture library: one with everything, one with next to nothing, one that is gone. Made after the songs, whose genres they carry. */
export const fixtureVideos: readonly VideoTable[] = [
  film,
  {
    ...film,
    id: 2,
    catalog_id: 2,
    file_name: 'clip.ogv',
    path: 'Clips/clip.ogv',
    title: 'clip',
    title_sort: 'clip',
    format: 'ogv',
    mime: 'video/ogg',
    video_codec: 'theora',
    audio_codec: null,
    width_px: 400,
    height_px: 300,
    duration_ms: 0,
    release_date: null,
    random_key: 0.75,
    doc: '{"genres":[]}',
  },
];

/** Writes {@link fixtureVideos} into a read model that has the fixture's catalogs. */
export const seedFixtureVideos = async (db: Kysely<ReadModel>): Promise<void> => {
  await db
    .insertInto('library.video')
    .values([...fixtureVideos])
    .execute();
  await db.insertInto('library.video_genre').values({ video_id: 1, genre_id: 1, position: 0 }).execute();
  const gone = { video_id: 3, catalog_id: 1, title: 'Gone & away', file: '/music/1/away.mkv' };
  await db
    .insertInto('library.deleted_video')
    .values({ ...gone, added_at_ms: FIRST_ADDED_MS, deleted_at_ms: FIRST_ADDED_MS + DAY_MS })
    .execute();
  await db
    .insertInto('library.video_counter')
    .values([
      { kind: 'video', catalog_id: 0, total: 2, max_id: 3, version: 1 },
      { kind: 'deleted_video', catalog_id: 0, total: 1, max_id: 0, version: 1 },
    ])
    .execute();
};
