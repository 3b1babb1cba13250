import type { EpisodeState } from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import { annotationsOf, type Annotations } from '../people/annotations.reads.js';
import type { ReadDatabase } from '../database/database.js';
import { mediaPlays } from '../plays/media-plays.reads.js';
import { inOrder } from '../songs/songs.reads.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';
import { isOneOf } from '../database/id-condition.js';

/** A podcast. Texts are empty where nothing is said; times in epoch milliseconds. */
export interface PodcastView {
  readonly id: number;
  readonly catalogId: number;
  readonly feedUrl: string;
  readonly title: string;
  readonly description: string;
  readonly language: string;
  readonly copyright: string;
  readonly generator: string;
  readonly author: string;
  readonly websiteUrl: string | null;
  /** Picture URL of the feed. */
  readonly imageUrl: string | null;
  /** When the feed says that it was made. */
  readonly builtAtMs: number | null;
  /** When the feed was last read. */
  readonly syncedAtMs: number | null;
  /** Why it could not be read the last time; null when it could. */
  readonly feedError: string | null;
  readonly addedAtMs: number;
  readonly episodeCount: number;
  /** Hash of its picture; null when none is kept. */
  readonly artHash: string | null;
  readonly annotations: Annotations;
}

/** An episode of a podcast, with what differs by user. */
export interface EpisodeView {
  readonly id: number;
  readonly podcastId: number;
  readonly podcastTitle: string;
  readonly catalogId: number;
  readonly title: string;
  readonly description: string;
  readonly author: string;
  readonly category: string;
  readonly websiteUrl: string | null;
  readonly publishedAtMs: number;
  /** As far as the feed or the file says. */
  readonly durationMs: number | null;
  /** URL at the publisher. */
  readonly mediaUrl: string;
  readonly mime: string | null;
  readonly sizeBytes: number | null;
  readonly state: EpisodeState;
  /** The kept file, relative to the catalog's root; null, like what follows, where none is kept. */
  readonly path: string | null;
  /** Container by its usual file suffix. */
  readonly format: string | null;
  readonly bitrateBps: number | null;
  readonly bitrateMode: string | null;
  /** 0 when unknown, like the channels. */
  readonly sampleRateHz: number | null;
  readonly channels: number | null;
  readonly addedAtMs: number;
  /** Hash of the podcast's picture, which stands for the episode; null when none is kept. */
  readonly artHash: string | null;
  readonly annotations: Annotations;
  /** Plays of all accounts. */
  readonly playCount: number;
  readonly lastPlayedAtMs: number | null;
}

/** Podcasts by id, in the order of the ids; what is gone or may not be seen is left out. */
export const podcastsByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<PodcastView[]> => {
  if (ids.length === 0) return [];
  const reading = db
    .selectFrom('library.podcast as p')
    .leftJoin('library.podcast_art as a', 'a.podcast_id', 'p.id')
    .select(['p.id', 'p.catalog_id as catalogId', 'p.feed_url as feedUrl', 'p.title', 'p.description', 'p.language', 'p.copyright'])
    .select(['p.generator', 'p.author', 'p.website_url as websiteUrl', 'p.image_url as imageUrl', 'p.built_at_ms as builtAtMs'])
    .select(['p.synced_at_ms as syncedAtMs', 'p.feed_error as feedError', 'p.added_at_ms as addedAtMs', 'p.episode_count as episodeCount'])
    .select('a.art_hash as artHash')
    .where(isOneOf(sql<number>`p.id`, ids))
    .where(inVisibleCatalogs(viewer, sql`p.catalog_id`))
    .execute();
  const [rows, annotationOf] = await Promise.all([reading, annotationsOf(db, viewer, 'podcast', ids)]);
  return inOrder(ids, rows).map((row) => ({ ...row, annotations: annotationOf(row.id) }));
};

/** Episodes by id, in the order of the ids; what is gone or may not be seen is left out. */
export const episodesByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<EpisodeView[]> => {
  if (ids.length === 0) return [];
  const reading = db
    .selectFrom('library.podcast_episode as e')
    .innerJoin('library.podcast as p', 'p.id', 'e.podcast_id')
    .leftJoin('library.podcast_art as a', 'a.podcast_id', 'e.podcast_id')
    .select(['e.id', 'e.podcast_id as podcastId', 'p.title as podcastTitle', 'e.catalog_id as catalogId', 'e.title', 'e.description'])
    .select(['e.author', 'e.category', 'e.website_url as websiteUrl', 'e.published_at_ms as publishedAtMs', 'e.duration_ms as durationMs'])
    .select(['e.media_url as mediaUrl', 'e.mime', 'e.size_bytes as sizeBytes', 'e.state', 'e.path', 'e.format'])
    .select(['e.bitrate_bps as bitrateBps', 'e.bitrate_mode as bitrateMode', 'e.sample_rate_hz as sampleRateHz', 'e.channels'])
    .select(['e.added_at_ms as addedAtMs', 'a.art_hash as artHash'])
    .where(isOneOf(sql<number>`e.id`, ids))
    .where(inVisibleCatalogs(viewer, sql`e.catalog_id`))
    .execute();
  const [rows, annotationOf, playsOf] = await Promise.all([
    reading,
    annotationsOf(db, viewer, 'podcast_episode', ids),
    mediaPlays(db, 'podcast_episode', ids),
  ]);
  return inOrder(ids, rows).map((row) => ({ ...row, annotations: annotationOf(row.id), ...playsOf(row.id) }));
};

/** Reads an episode for counting its play; undefined when there is none for the viewer. */
export const playedEpisode = async (
  db: ReadDatabase,
  id: number,
  viewer: Viewer,
): Promise<{ readonly id: number; readonly durationMs: number; readonly episode: { readonly podcastId: number } } | undefined> => {
  const row = await db
    .selectFrom('library.podcast_episode as e')
    .select(['e.id', 'e.podcast_id as podcastId', 'e.duration_ms as durationMs'])
    .where('e.id', '=', id)
    .where(inVisibleCatalogs(viewer, sql`e.catalog_id`))
    .executeTakeFirst();
  return row && { id: row.id, durationMs: row.durationMs ?? 0, episode: { podcastId: row.podcastId } };
};

/** Deleted episode. Times in epoch milliseconds. */
export interface DeletedEpisodeView {
  readonly id: number;
  readonly podcastId: number;
  readonly catalogId: number;
  readonly title: string;
  readonly file: string;
  readonly addedAtMs: number;
  readonly deletedAtMs: number;
  /** Plays of all accounts. */
  readonly playCount: number;
}

/** Episodes that are gone by id, in the order of the ids; those of catalogs that the viewer may not see are left out. */
export const deletedEpisodesByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<DeletedEpisodeView[]> => {
  if (ids.length === 0) return [];
  const reading = db
    .selectFrom('library.deleted_podcast_episode as d')
    .select(['d.episode_id as id', 'd.podcast_id as podcastId', 'd.catalog_id as catalogId', 'd.title', 'd.path as file'])
    .select(['d.added_at_ms as addedAtMs', 'd.deleted_at_ms as deletedAtMs'])
    .where(isOneOf(sql<number>`d.episode_id`, ids))
    .where(inVisibleCatalogs(viewer, sql`d.catalog_id`))
    .execute();
  const [rows, playsOf] = await Promise.all([reading, mediaPlays(db, 'podcast_episode', ids)]);
  return inOrder(ids, rows).map((row) => ({ ...row, playCount: playsOf(row.id).playCount }));
};

/** The picture of a podcast: its hash, null when none is kept, undefined when there is no such podcast for the viewer. */
export const podcastArt = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<string | null | undefined> =>
  (await podcastsByIds(db, [id], viewer))[0]?.artHash;

/** The picture of an episode: that of its podcast. */
export const episodeArt = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<string | null | undefined> =>
  (await episodesByIds(db, [id], viewer))[0]?.artHash;

/** The latest first; of those of the same moment the one that was found last. */
export const LATEST_FIRST: RawBuilder<unknown> = sql`e.published_at_ms desc, e.id desc`;

/** Ids of the latest episodes over all podcasts. */
export const newestEpisodeIds = async (db: ReadDatabase, viewer: Viewer, count: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select e.id from library.podcast_episode e
    where ${inVisibleCatalogs(viewer, sql`e.catalog_id`)} order by ${LATEST_FIRST} limit ${count}`.execute(db);
  return rows.map(({ id }) => id);
};

/** A random episode of a podcast, which has ten thousand at most; undefined when it has none for the viewer. */
export const randomEpisode = async (db: ReadDatabase, podcastId: number, viewer: Viewer): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`select e.id from library.podcast_episode e
    where e.podcast_id = ${podcastId} and ${inVisibleCatalogs(viewer, sql`e.catalog_id`)} order by random() limit 1`.execute(db);
  return rows[0]?.id;
};

/** Ids of podcasts in visible catalogs after one, in order. */
export const podcastIdsAfter = async (db: ReadDatabase, viewer: Viewer, page: { afterId: number; limit: number }): Promise<number[]> => {
  const rows = await db
    .selectFrom('library.podcast as p')
    .select('p.id')
    .where('p.id', '>', page.afterId)
    .where(inVisibleCatalogs(viewer, sql`p.catalog_id`))
    .orderBy('p.id')
    .limit(page.limit)
    .execute();
  return rows.map(({ id }) => id);
};
