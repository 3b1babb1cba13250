import { podcastId, type CatalogId, type FeedMemory, type PodcastId, type ReadModel } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** Podcast as a visit to its feed needs it. */
export interface PodcastVisitState {
  readonly feedUrl: string;
  readonly memory: FeedMemory;
  /** Where the feed said last that its picture is. */
  readonly imageUrl: string | null;
}

/** Reads podcasts from the read model. */
export interface PodcastReads {
  /** Undefined: there is no such podcast. */
  podcast(id: PodcastId): Promise<PodcastVisitState | undefined>;
  /** True for a catalog that gathers podcasts. */
  gathersPodcasts(id: CatalogId): Promise<boolean>;
}

/** The same, from the library's views. */
export const podcastReads = (db: Kysely<ReadModel>): PodcastReads => ({
  podcast: async (id) => {
    const row = await db
      .selectFrom('library.podcast')
      .select(['feed_url', 'etag', 'last_modified', 'image_url'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row && { feedUrl: row.feed_url, memory: { etag: row.etag, lastModified: row.last_modified }, imageUrl: row.image_url };
  },
  gathersPodcasts: async (id) => {
    const row = await db.selectFrom('library.catalog').select('gather_types').where('id', '=', id).executeTakeFirst();
    return row?.gather_types === 'podcast';
  },
});

/** Podcasts whose feed was not visited since a time, epoch ms, the longest not visited first. Catalogs that are switched off wait. */
export const duePodcasts = async (db: Kysely<ReadModel>, beforeMs: number, count: number): Promise<PodcastId[]> => {
  const rows = await db
    .selectFrom('library.podcast as p')
    .innerJoin('library.catalog as c', 'c.id', 'p.catalog_id')
    .select('p.id')
    .where('c.enabled', '=', true)
    .where((eb) => eb.or([eb('p.synced_at_ms', 'is', null), eb('p.synced_at_ms', '<', beforeMs)]))
    .orderBy(sql`p.synced_at_ms nulls first`)
    .orderBy('p.id')
    .limit(count)
    .execute();
  return rows.map(({ id }) => podcastId.parse(id));
};

/** Podcasts by number after one, of some catalogs, or (null) of all; catalogs that are switched off wait. */
export const podcastsAfter = async (
  db: Kysely<ReadModel>,
  { id, catalogIds }: { readonly id: number; readonly catalogIds: readonly CatalogId[] | null },
  count: number,
): Promise<PodcastId[]> => {
  const query = db
    .selectFrom('library.podcast as p')
    .innerJoin('library.catalog as c', 'c.id', 'p.catalog_id')
    .select('p.id')
    .where('c.enabled', '=', true)
    .where('p.id', '>', id)
    .orderBy('p.id')
    .limit(count);
  const rows = await (catalogIds === null ? query : query.where(sql<boolean>`p.catalog_id = any(${[...catalogIds]}::int[])`)).execute();
  return rows.map((row) => podcastId.parse(row.id));
};

/** Where the picture of a podcast that is kept came from; undefined: none is. */
export const pictureKeptFrom = async (db: Kysely<ReadModel>, id: PodcastId): Promise<string | undefined> =>
  (await db.selectFrom('library.podcast_art').select('image_url').where('podcast_id', '=', id).executeTakeFirst())?.image_url;
