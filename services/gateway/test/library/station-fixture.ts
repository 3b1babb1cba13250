import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import {
  changeLiveStream,
  createLiveStream,
  deleteLiveStream,
  liveStreamId,
  sortKey,
  type LiveStreamTable,
  type ReadModel,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { FIRST_ADDED_MS } from './fixture-library.js';

/** Answers the commands about stations and changes nothing: what is made is the second of the fixtures. */
export const withStations = (commands: InMemoryCommandClient): InMemoryCommandClient =>
  commands
    .handle(createLiveStream, async () => ({ result: { liveStreamId: liveStreamId.parse(2) }, positions: [] }))
    .handle(changeLiveStream, async () => ({ result: {}, positions: [] }))
    .handle(deleteLiveStream, async () => ({ result: {}, positions: [] }));

/** Answers them as the library does, over the rows alone. */
export const keepStations = (commands: InMemoryCommandClient, db: Kysely<ReadModel>): InMemoryCommandClient =>
  commands
    .handle(createLiveStream, async ({ data: { catalogId, name, url, siteUrl, codec } }) => {
      const { id } = await db
        .selectFrom('library.live_stream')
        .select((eb) => eb.fn.coalesce(eb.fn.max('id'), eb.lit(0)).as('id'))
        .executeTakeFirstOrThrow();
      await insertStation(db, { id: id + 1, catalog_id: catalogId, name, url, site_url: siteUrl, codec });
      return { result: { liveStreamId: liveStreamId.parse(id + 1) }, positions: [] };
    })
    .handle(changeLiveStream, async ({ data: { liveStreamId: id, catalogId, name, url, siteUrl, codec } }) => {
      await db
        .updateTable('library.live_stream')
        .set({
          ...(catalogId === undefined ? {} : { catalog_id: catalogId }),
          ...(name === undefined ? {} : { name, name_sort: sortKey(name) }),
          ...(url === undefined ? {} : { url }),
          ...(siteUrl === undefined ? {} : { site_url: siteUrl }),
          ...(codec === undefined ? {} : { codec }),
          updated_at_ms: FIRST_ADDED_MS,
        })
        .where('id', '=', id)
        .execute();
      return { result: {}, positions: [] };
    })
    .handle(deleteLiveStream, async ({ data }) => {
      await db.deleteFrom('library.live_stream').where('id', '=', data.liveStreamId).execute();
      return { result: {}, positions: [] };
    });

/** Writes a station into a read model of a test, as the projection of the library would. */
export const insertStation = async (
  db: Kysely<ReadModel>,
  row: Pick<LiveStreamTable, 'id' | 'name' | 'url'> & Partial<LiveStreamTable>,
): Promise<void> => {
  const usual = { catalog_id: 1, site_url: null, codec: null, added_at_ms: FIRST_ADDED_MS, updated_at_ms: FIRST_ADDED_MS };
  await db
    .insertInto('library.live_stream')
    .values({ name_sort: sortKey(row.name), ...usual, ...row })
    .execute();
};

/** One station with everything, one with next to nothing. */
export const seedStations = async (db: Kysely<ReadModel>): Promise<void> => {
  const [url, site_url] = ["https://radio.example:8443/harbour?quality=high&name='a'", 'http://radio.example/'];
  await insertStation(db, { id: 1, name: 'The <Harbour> & Radio', url, site_url, codec: 'mp3' });
  await insertStation(db, { id: 2, name: 'Été FM', catalog_id: 2, url: 'http://fm.example/live.ogg' });
};
