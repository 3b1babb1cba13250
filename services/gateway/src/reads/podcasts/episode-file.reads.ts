import { sql } from 'kysely';
import { episodeSuffix, isVideoEpisode } from './episode-files.js';
import { soundFacts, type SoundFacts } from '../../transcode/decision/sound-facts.js';
import type { ReadDatabase } from '../database/database.js';
import type { SongFile } from '../songs/songs.reads.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/** Source of an episode's audio. */
export interface EpisodeSource {
  readonly id: number;
  /** 0 when it is unknown. */
  readonly durationMs: number;
  readonly episode: { readonly podcastId: number };
  /** URL at the publisher. */
  readonly mediaUrl: string;
  /** Of the kept file, or else as far as the feed says. */
  readonly sound: SoundFacts;
  /** True for one to look at. */
  readonly isVideo: boolean;
  /** The file that is kept here; absent where none is. */
  readonly kept?: SongFile;
}

/** Reads the source of an episode; undefined when there is none for the viewer. */
export const episodeSource = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<EpisodeSource | undefined> => {
  const row = await db
    .selectFrom('library.podcast_episode as e')
    .innerJoin('library.podcast as p', 'p.id', 'e.podcast_id')
    .innerJoin('library.catalog as c', 'c.id', 'e.catalog_id')
    .select([
      'c.path as catalogPath',
      'p.title as podcastTitle',
      'e.podcast_id as podcastId',
      'e.title',
      'e.media_url as mediaUrl',
      'e.path',
    ])
    .select(['e.format', 'e.codec', 'e.mime', 'e.duration_ms as durationMs', 'e.size_bytes as sizeBytes', 'e.bitrate_bps as bitrateBps'])
    .select(['e.sample_rate_hz as sampleRateHz', 'e.channels', 'e.bit_depth as bitDepth', 'e.lossless'])
    .where('e.id', '=', id)
    .where(inVisibleCatalogs(viewer, sql`e.catalog_id`))
    .executeTakeFirst();
  if (!row) return undefined;
  const { catalogPath, path, title, podcastTitle, podcastId, mediaUrl } = row;
  const durationMs = row.durationMs ?? 0;
  const sound = soundFacts({
    format: episodeSuffix(row),
    codec: row.codec ?? undefined,
    mime: row.mime ?? 'application/octet-stream',
    lossless: row.lossless ?? undefined,
    bitrateBps: row.bitrateBps ?? (durationMs > 0 ? Math.round(((row.sizeBytes ?? 0) * 8000) / durationMs) : 0),
    sampleRateHz: row.sampleRateHz ?? 0,
    channels: row.channels ?? 0,
    bitDepth: row.bitDepth ?? 0,
    durationMs,
  });
  const source = { id, durationMs, episode: { podcastId }, mediaUrl, sound, isVideo: isVideoEpisode(row) };
  if (path === null) return source;
  const { mime, format } = sound;
  return { ...source, kept: { id, catalogPath, path, mime, durationMs, format, title, artist: podcastTitle, sound } };
};

/** A kept file of an episode. */
export interface KeptEpisode {
  readonly title: string;
  readonly podcastTitle: string;
  readonly publishedAtMs: number;
  readonly format: string | null;
  readonly catalogPath: string;
  /** Relative to the catalog's root. */
  readonly path: string | null;
}

/** Kept files of a podcast, the oldest first, or that of one episode; at most so many. */
export const keptEpisodes = (
  db: ReadDatabase,
  wanted: { readonly podcastId: number } | { readonly episodeId: number },
  viewer: Viewer,
  atMost: number,
): Promise<KeptEpisode[]> => {
  const [column, id] = 'podcastId' in wanted ? (['e.podcast_id', wanted.podcastId] as const) : (['e.id', wanted.episodeId] as const);
  return db
    .selectFrom('library.podcast_episode as e')
    .innerJoin('library.podcast as p', 'p.id', 'e.podcast_id')
    .innerJoin('library.catalog as c', 'c.id', 'e.catalog_id')
    .select(['e.title', 'p.title as podcastTitle', 'e.published_at_ms as publishedAtMs', 'e.format', 'e.path', 'c.path as catalogPath'])
    .where(column, '=', id)
    .where('e.path', 'is not', null)
    .where(inVisibleCatalogs(viewer, sql`e.catalog_id`))
    .orderBy('e.published_at_ms')
    .orderBy('e.id')
    .limit(atMost)
    .execute();
};
