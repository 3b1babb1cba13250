import { projectEach, rawQuery, type ProjectedQuery, type Projection } from '@continuo/chassis';
import { given, sortKey, type CatalogEvent, type LiveStreamEvent, type LiveStreamTable, type LiveStreamTerms } from '@continuo/contracts';
import { sql, type Kysely, type RawBuilder } from 'kysely';

interface Tables {
  live_stream: LiveStreamTable;
  live_stream_catalog: { id: number };
}

const ddl = [
  `create table live_stream (
    id bigint primary key, catalog_id bigint not null, name text not null, name_sort text collate "C" not null, url text not null, site_url text,
    codec text, added_at_ms bigint not null, updated_at_ms bigint not null)`,
  'create index live_stream_by_name on live_stream (name_sort, id)',
  'create index live_stream_by_catalog on live_stream (catalog_id, name_sort, id)',
  // Catalogs that are there: a station of one that went in the same moment must not stay behind.
  'create table live_stream_catalog (id bigint primary key)',
];

/** The columns of what was named; what was not named stays. */
const changedColumns = ({ catalogId, name, url, siteUrl, codec }: Partial<LiveStreamTerms>): Partial<LiveStreamTable> => ({
  ...(catalogId === undefined ? {} : { catalog_id: catalogId }),
  ...(name === undefined ? {} : { name, name_sort: sortKey(name) }),
  ...given({ url, site_url: siteUrl, codec }),
});

const raw = (statement: RawBuilder<unknown>, db: Kysely<Tables>): ProjectedQuery => rawQuery(statement, db as unknown as Kysely<never>);

/** The radio stations. They go with their catalog. */
export const liveStreamsProjection: Projection<Tables> = {
  name: 'library-live-streams',
  version: 2,
  context: 'library',
  publishedSchema: 'library',
  publishes: ['live_stream'],
  ddl,
  ...projectEach<LiveStreamEvent | CatalogEvent, Tables>({
    CatalogAdded: ({ data }, db) => [db.insertInto('live_stream_catalog').values({ id: data.catalogId })],
    CatalogChanged: () => [],
    CatalogMoved: () => [],
    CatalogRemoved: ({ data }, db) => [
      db.deleteFrom('live_stream').where('catalog_id', '=', data.catalogId),
      db.deleteFrom('live_stream_catalog').where('id', '=', data.catalogId),
    ],
    LiveStreamCreated: ({ data, at }, db) => [
      raw(
        sql`insert into live_stream (id, catalog_id, name, name_sort, url, site_url, codec, added_at_ms, updated_at_ms)
          select ${data.liveStreamId}, c.id, ${data.name}, ${sortKey(data.name)}, ${data.url}, ${data.siteUrl}, ${data.codec}, ${at}::bigint, ${at}::bigint
          from live_stream_catalog c where c.id = ${data.catalogId}`,
        db,
      ),
    ],
    LiveStreamChanged: ({ data, at }, db) => [
      db
        .updateTable('live_stream')
        .set({ ...changedColumns(data), updated_at_ms: at })
        .where('id', '=', data.liveStreamId),
      // Moved into a catalog that is gone, it is gone as well.
      ...(data.catalogId === undefined
        ? []
        : [
            db
              .deleteFrom('live_stream')
              .where('id', '=', data.liveStreamId)
              .where('catalog_id', 'not in', (eb) => eb.selectFrom('live_stream_catalog').select('id')),
          ]),
    ],
    LiveStreamDeleted: ({ data }, db) => [db.deleteFrom('live_stream').where('id', '=', data.liveStreamId)],
  }),
};
