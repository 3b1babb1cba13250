import { podcastEpisodeId, podcastId, type PodcastEpisodeId, type PodcastId, type ReadModel } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** An episode as its download sees it. */
export interface WantedEpisode {
  readonly mediaUrl: string;
  /** Epoch ms. */
  readonly publishedAtMs: number;
  /** Epoch ms. */
  readonly addedAtMs: number;
  readonly run: number;
  /** True while its file is on its way. */
  readonly isOnItsWay: boolean;
  readonly catalogPath: string;
  /** Where the catalog is: `local` ones are folders of this machine. */
  readonly catalogType: string;
}

/** An episode whose download nobody has spoken of for long. */
export interface StalledDownload {
  readonly podcastId: PodcastId;
  readonly episodeId: PodcastEpisodeId;
  readonly run: number;
}

/** An episode whose file is kept. */
export interface DownloadedEpisode {
  readonly podcastId: PodcastId;
  readonly episodeId: PodcastEpisodeId;
  readonly catalogPath: string;
  /** Relative to the catalog's root. */
  readonly path: string;
  /** Epoch ms. */
  readonly publishedAtMs: number;
}

/** Where a walk through kept files stands. */
export type DownloadedEpisodeCursor = Pick<DownloadedEpisode, 'podcastId' | 'publishedAtMs' | 'episodeId'>;

/** Reads for downloads. */
export interface DownloadReads {
  /** Undefined: there is no such episode. */
  episode(id: PodcastEpisodeId): Promise<WantedEpisode | undefined>;
  /** The newest episodes of a podcast whose file was never here and is not on its way: of the newest `among` those that failed fewer than `maxRuns` times. */
  missingNewest(id: PodcastId, among: number, maxRuns: number): Promise<readonly PodcastEpisodeId[]>;
  /** Kept files of a podcast that nobody asked for, but the newest `keep`; at most so many. */
  beyond(id: PodcastId, keep: number, atMost: number): Promise<readonly PodcastEpisodeId[]>;
  /** Downloads whose state did not change since a time, epoch ms. */
  stuck(sinceMs: number, atMost: number): Promise<readonly StalledDownload[]>;
  /** Kept files of catalogs that are folders of this machine and switched on, by podcast and date, behind one or from the first one on. */
  keptAfter(cursor: DownloadedEpisodeCursor | undefined, atMost: number): Promise<readonly DownloadedEpisode[]>;
  /** Absolute path of a catalog; undefined: it is gone. */
  catalogPath(id: number): Promise<string | undefined>;
}

const idsOf = (rows: readonly { readonly id: number }[]): PodcastEpisodeId[] => rows.map(({ id }) => podcastEpisodeId.parse(id));

const keptAfter = async (
  db: Kysely<ReadModel>,
  cursor: DownloadedEpisodeCursor | undefined,
  atMost: number,
): Promise<DownloadedEpisode[]> => {
  const { podcastId: podcast, publishedAtMs, episodeId } = cursor ?? { podcastId: 0, publishedAtMs: 0, episodeId: 0 };
  const rows = await db
    .selectFrom('library.podcast_episode as e')
    .innerJoin('library.catalog as c', 'c.id', 'e.catalog_id')
    .select(['e.id', 'e.podcast_id', 'e.published_at_ms as publishedAtMs', 'e.path', 'c.path as catalogPath'])
    .where('e.path', 'is not', null)
    .where(sql<boolean>`(e.podcast_id, e.published_at_ms, e.id) > (${podcast}::bigint, ${publishedAtMs}::bigint, ${episodeId}::bigint)`)
    .where('c.type', '=', 'local')
    .where('c.enabled', '=', true)
    .orderBy('e.podcast_id')
    .orderBy('e.published_at_ms')
    .orderBy('e.id')
    .limit(atMost)
    .execute();
  return rows.map(({ id, podcast_id, path, ...row }) => ({
    ...row,
    podcastId: podcastId.parse(podcast_id),
    episodeId: podcastEpisodeId.parse(id),
    path: path ?? '',
  }));
};

/** The same, from the library's views. */
export const downloadReads = (db: Kysely<ReadModel>): DownloadReads => ({
  episode: async (id) => {
    const row = await db
      .selectFrom('library.podcast_episode as e')
      .innerJoin('library.catalog as c', 'c.id', 'e.catalog_id')
      .select(['e.media_url as mediaUrl', 'e.published_at_ms as publishedAtMs', 'e.added_at_ms as addedAtMs'])
      .select(['e.download_run as run', 'e.state'])
      .select(['c.path as catalogPath', 'c.type as catalogType'])
      .where('e.id', '=', id)
      .executeTakeFirst();
    if (!row) return undefined;
    const { state, ...episode } = row;
    return { ...episode, isOnItsWay: state === 'pending' || state === 'downloading' };
  },
  missingNewest: async (id, among, maxRuns) => {
    const { rows } = await sql<{ id: number }>`select id from
      (select id, state, download_run from library.podcast_episode where podcast_id = ${id} order by published_at_ms desc, id desc limit ${among}) newest
      where (state = 'skipped' and download_run = 0) or (state = 'error' and download_run < ${maxRuns})`.execute(db);
    return idsOf(rows);
  },
  beyond: async (id, keep, atMost) => {
    const { rows } = await sql<{
      id: number;
    }>`select id from library.podcast_episode where podcast_id = ${id} and path is not null and not is_asked
      order by published_at_ms desc, id desc offset ${keep} limit ${atMost}`.execute(db);
    return idsOf(rows);
  },
  stuck: async (sinceMs, atMost) => {
    const rows = await db
      .selectFrom('library.podcast_episode')
      .select(['id', 'podcast_id', 'download_run as run'])
      .where('state', 'in', ['pending', 'downloading'])
      .where('state_at_ms', '<', sinceMs)
      .orderBy('state_at_ms')
      .limit(atMost)
      .execute();
    return rows.map(({ id, podcast_id, run }) => ({ podcastId: podcastId.parse(podcast_id), episodeId: podcastEpisodeId.parse(id), run }));
  },
  keptAfter: (cursor, atMost) => keptAfter(db, cursor, atMost),
  catalogPath: async (id) => (await db.selectFrom('library.catalog').select('path').where('id', '=', id).executeTakeFirst())?.path,
});
