import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import {
  deletePodcast,
  deletePodcastEpisode,
  editPodcast,
  podcastId,
  refreshPodcasts,
  removeEpisodeFiles,
  requestEpisodeDownloads,
  sortKey,
  subscribePodcast,
  syncPodcast,
  type PodcastEpisodeTable,
  type PodcastTable,
  type ReadModel,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { FIRST_ADDED_MS } from './fixture-library.js';

const DAY_MS = 86_400_000;
const none = async () => ({ result: {}, positions: [] });

/** Answers the commands about podcasts and changes nothing: what is subscribed to is the second of the fixtures. */
export const withPodcasts = (commands: InMemoryCommandClient): InMemoryCommandClient =>
  commands
    .handle(subscribePodcast, async () => ({ result: { podcastId: podcastId.parse(2) }, positions: [] }))
    .handle(syncPodcast, async () => ({ result: { added: 0, changed: 0 }, positions: [] }))
    .handle(refreshPodcasts, none)
    .handle(editPodcast, none)
    .handle(deletePodcast, none)
    .handle(deletePodcastEpisode, none)
    .handle(removeEpisodeFiles, async ({ data }) => ({ result: { removed: data.episodeIds.length }, positions: [] }))
    .handle(requestEpisodeDownloads, async ({ data }) => ({ result: { requested: data.episodeIds.length }, positions: [] }));

/** Writes a podcast into a read model of a test, as the projection of the library would. */
export const insertPodcast = async (
  db: Kysely<ReadModel>,
  row: Pick<PodcastTable, 'id' | 'title' | 'catalog_id'> & Partial<PodcastTable>,
): Promise<void> => {
  const silent = { description: '', language: '', copyright: '', generator: '', author: '', website_url: null, image_url: null };
  const usual = { feed_url: `https://feeds.example/${row.id}`, built_at_ms: null, synced_at_ms: null, etag: null, last_modified: null };
  const times = { added_at_ms: FIRST_ADDED_MS, updated_at_ms: FIRST_ADDED_MS };
  await db
    .insertInto('library.podcast')
    .values({ title_sort: sortKey(row.title), episode_count: 0, ...silent, ...usual, ...times, ...row })
    .execute();
};

const noFile = {
  path: null,
  format: null,
  codec: null,
  bitrate_bps: null,
  bitrate_mode: null,
  lossless: null,
  sample_rate_hz: null,
  channels: null,
  bit_depth: null,
  downloaded_at_ms: null,
  download_error: null,
  is_asked: false,
};

/** Writes an episode, and counts it in its podcast. */
export const insertEpisode = async (
  db: Kysely<ReadModel>,
  row: Pick<PodcastEpisodeTable, 'id' | 'podcast_id' | 'title' | 'catalog_id'> & Partial<PodcastEpisodeTable>,
): Promise<void> => {
  const silent = {
    description: '',
    author: '',
    category: '',
    website_url: null,
    image_url: null,
    duration_ms: null,
    mime: null,
    size_bytes: null,
  };
  const feed = { feed_duration_ms: null, feed_mime: null, feed_size_bytes: null, media_url: `https://feeds.example/${row.id}.mp3` };
  const times = {
    published_at_ms: FIRST_ADDED_MS,
    added_at_ms: FIRST_ADDED_MS,
    updated_at_ms: FIRST_ADDED_MS,
    state_at_ms: FIRST_ADDED_MS,
  };
  await db
    .insertInto('library.podcast_episode')
    .values({ title_sort: sortKey(row.title), state: 'skipped', download_run: 0, ...noFile, ...silent, ...feed, ...times, ...row })
    .execute();
  await db
    .updateTable('library.podcast')
    .set((eb) => ({ episode_count: eb('episode_count', '+', 1) }))
    .where('id', '=', row.podcast_id)
    .execute();
};

const keptFile = {
  state: 'completed',
  path: 'podcast-1/episode-1-1.mp3',
  format: 'mp3',
  codec: 'mp3',
  mime: 'audio/mpeg',
  size_bytes: 18_170_164,
  duration_ms: 745_000,
  bitrate_bps: 192_000,
  bitrate_mode: 'cbr',
  lossless: false,
  sample_rate_hz: 44_100,
  channels: 2,
  bit_depth: 0,
  download_run: 1,
  downloaded_at_ms: FIRST_ADDED_MS,
} as const;

/** A podcast of which all is said, with episodes that are kept, played and gone, in a catalog of podcasts: what recorded calls are made over. */
export const seedFullPodcasts = async (db: Kysely<ReadModel>, catalog_id: number): Promise<void> => {
  const said = {
    description: 'Talks',
    language: 'en',
    copyright: 'nobody',
    generator: 'hand',
    author: 'Ada',
    website_url: 'https://talks.example',
  };
  const times = { built_at_ms: FIRST_ADDED_MS, synced_at_ms: FIRST_ADDED_MS };
  const texts = { description: 'Told', author: 'Ada', category: 'News', website_url: 'https://talks.example/1' };
  for (const id of [1, 2]) {
    await insertPodcast(db, { id, catalog_id, title: `Weekly ${id}`, ...said, ...times });
    await db
      .insertInto('library.podcast_art')
      .values({ podcast_id: id, image_url: 'https://talks.example/a.png', art_hash: 'c'.repeat(64), art_mime: 'image/png' })
      .execute();
    for (const number of [1, 2]) {
      const episode = { id: 2 * (id - 1) + number, podcast_id: id, catalog_id, title: `Episode ${number}` };
      await insertEpisode(db, { ...episode, ...texts, ...keptFile, path: `podcast-${id}/episode-${episode.id}-1.mp3` });
    }
  }
  const plays = { user_id: 1, play_count: 1, last_played_at_ms: FIRST_ADDED_MS };
  await db
    .insertInto('playback.media_plays')
    .values([1, 2, 3, 4].map((object_id) => ({ object_type: 'podcast_episode', object_id, ...plays })))
    .execute();
  const gone = { episode_id: 9, podcast_id: 1, catalog_id, title: 'Gone', path: 'podcast-1/episode-9-1.mp3' };
  await db
    .insertInto('library.deleted_podcast_episode')
    .values({ ...gone, added_at_ms: FIRST_ADDED_MS, deleted_at_ms: FIRST_ADDED_MS + DAY_MS })
    .execute();
  await db
    .insertInto('library.podcast_counter')
    .values([
      { kind: 'podcast', catalog_id: 0, total: 2, max_id: 2, version: 1 },
      { kind: 'podcast_episode', catalog_id: 0, total: 4, max_id: 9, version: 1 },
      { kind: 'deleted_podcast_episode', catalog_id: 0, total: 1, max_id: 0, version: 1 },
    ])
    .execute();
};

/** A podcast with everything, one with next to nothing, and episodes: one that is kept, one of which only the feed tells, one without words, one that is gone. */
export const seedPodcasts = async (db: Kysely<ReadModel>): Promise<void> => {
  await insertPodcast(db, {
    id: 1,
    catalog_id: 1,
    title: 'The <Long> Talk & more',
    description: 'Talks\nabout "boats" & storms',
    language: 'en-gb',
    copyright: '© nobody',
    generator: 'by hand',
    author: 'Ada',
    website_url: 'https://talks.example/?a=1&b=2',
    image_url: 'https://talks.example/cover.png',
    built_at_ms: FIRST_ADDED_MS - DAY_MS,
    synced_at_ms: FIRST_ADDED_MS + DAY_MS,
  });
  await insertPodcast(db, { id: 2, catalog_id: 2, title: 'été' });
  const art = { art_hash: 'c'.repeat(64), art_mime: 'image/png' };
  await db
    .insertInto('library.podcast_art')
    .values({ podcast_id: 1, image_url: 'https://talks.example/cover.png', ...art })
    .execute();
  const place = { podcast_id: 1, catalog_id: 1 };
  const said = {
    author: 'Ada & Bob',
    category: 'Science',
    website_url: 'https://talks.example/1',
    image_url: 'https://talks.example/1.png',
  };
  await insertEpisode(db, { id: 1, ...place, title: 'Ropes & <knots>', description: 'All about ropes', ...said, ...keptFile });
  const told = { mime: 'audio/x-m4a', duration_ms: 3_726_400, size_bytes: 46_635_577, media_url: 'https://talks.example/2.m4a?from=feed' };
  await insertEpisode(db, { id: 2, ...place, title: 'Sails', ...told, published_at_ms: FIRST_ADDED_MS + DAY_MS });
  await insertEpisode(db, { id: 3, podcast_id: 2, catalog_id: 2, title: 'Sans paroles', published_at_ms: FIRST_ADDED_MS - DAY_MS });
  const gone = { episode_id: 4, podcast_id: 1, catalog_id: 1, title: 'Gone & <away>', path: 'podcast-1/episode-4-1.mp3' };
  await db
    .insertInto('library.deleted_podcast_episode')
    .values({ ...gone, added_at_ms: FIRST_ADDED_MS, deleted_at_ms: FIRST_ADDED_MS + DAY_MS })
    .execute();
  await db
    .insertInto('library.podcast_counter')
    .values([
      { kind: 'podcast', catalog_id: 0, total: 2, max_id: 2, version: 1 },
      { kind: 'podcast_episode', catalog_id: 0, total: 3, max_id: 4, version: 1 },
      { kind: 'deleted_podcast_episode', catalog_id: 0, total: 1, max_id: 0, version: 1 },
    ])
    .execute();
  await db
    .insertInto('playback.media_plays')
    .values([
      { object_type: 'podcast_episode', object_id: 1, user_id: 1, play_count: 2, last_played_at_ms: FIRST_ADDED_MS + DAY_MS },
      { object_type: 'podcast_episode', object_id: 1, user_id: 2, play_count: 1, last_played_at_ms: FIRST_ADDED_MS },
    ])
    .execute();
};
