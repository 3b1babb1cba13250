import type { CatalogId, FeedMemory, PodcastId, ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';

/** What a visit to a feed has to know. */
export interface VisitedPodcast {
  readonly feedUrl: string;
  readonly memory: FeedMemory;
}

/** What the library knows of podcasts. */
export interface PodcastReads {
  /** Undefined: there is no such podcast. */
  podcast(id: PodcastId): Promise<VisitedPodcast | undefined>;
  /** True for a catalog that gathers podcasts. */
  gathersPodcasts(id: CatalogId): Promise<boolean>;
}

/** The same, from the library's views. */
export const podcastReads = (db: Kysely<ReadModel>): PodcastReads => ({
  podcast: async (id) => {
    const row = await db
      .selectFrom('library.podcast')
      .select(['feed_url', 'etag', 'last_modified'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row && { feedUrl: row.feed_url, memory: { etag: row.etag, lastModified: row.last_modified } };
  },
  gathersPodcasts: async (id) => {
    const row = await db.selectFrom('library.catalog').select('gather_types').where('id', '=', id).executeTakeFirst();
    return row?.gather_types === 'podcast';
  },
});
