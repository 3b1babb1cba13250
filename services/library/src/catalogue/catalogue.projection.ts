import { rawQuery, type ProjectedQuery, type Projection } from '@continuo/chassis';
import type { CatalogEvent, FolderEvent, RecordedEvent } from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import { BatchChanges } from './batch-changes.js';
import { catalogueDdl, catalogueTables } from './catalogue.ddl.js';
import { addCatalog, removeCatalog } from './catalog-queries.js';
import { changeQueries, touchAlbums } from './change-queries.js';
import { albumContributions, songContributions } from './contributions.js';
import type { Handle } from './handle.js';
import { albumSummaries, artistSummaries, forgetTouched, listsChanged } from './summary-queries.js';

const isCatalogEvent = (event: RecordedEvent): event is RecordedEvent<CatalogEvent> & CatalogEvent =>
  event.type === 'CatalogAdded' || event.type === 'CatalogRemoved';

/** The statements for a run of folder events. */
const folderQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  if (changes.listPosition === 0) return changeQueries(changes, db);
  const songs = sql`select unnest(${[...changes.songs.keys()]}::bigint[])`;
  return [...touchAlbums(changes, db), ...recounted(songs, changes.listPosition, db, changeQueries(changes, db))];
};

/** The statements for the end of a catalog. */
const catalogRemoval = (catalogId: number, position: number, db: Handle): ProjectedQuery[] => {
  const touched = rawQuery(sql`insert into touched_album select id from album where catalog_id = ${catalogId} on conflict do nothing`, db);
  const songs = sql`select id from song where catalog_id = ${catalogId}`;
  return [touched, ...recounted(songs, position, db, removeCatalog(catalogId, db))];
};

/** Takes off what songs and touched albums contributed, makes the changes, and adds again what they contribute now. */
const recounted = (songs: RawBuilder<unknown>, position: number, db: Handle, changes: readonly ProjectedQuery[]): ProjectedQuery[] => [
  ...songContributions(-1, songs, db),
  ...albumContributions(-1, db),
  ...changes,
  ...albumSummaries(db),
  ...songContributions(1, songs, db),
  ...albumContributions(1, db),
  ...artistSummaries(db),
  ...listsChanged(position, db),
  ...forgetTouched(db),
];

/**
 * The catalogue: songs, albums, artists, genres, folders and files as lists and pages need them. Folder events are netted within a batch and
 * written set by set; a catalog's own events cut the batch, because they concern all of its rows.
 */
const project = (events: readonly RecordedEvent[], db: Handle): ProjectedQuery[] => {
  const queries: ProjectedQuery[] = [];
  let changes = new BatchChanges();
  const flush = (): void => {
    queries.push(...folderQueries(changes, db));
    changes = new BatchChanges();
  };
  for (const event of events) {
    if (!isCatalogEvent(event)) {
      changes.apply(event as RecordedEvent<FolderEvent>);
      continue;
    }
    flush();
    if (event.type === 'CatalogAdded') queries.push(...addCatalog(event.data, event.at, db));
    if (event.type === 'CatalogRemoved') queries.push(...catalogRemoval(event.data.catalogId, event.position, db));
  }
  flush();
  return queries;
};

/** The projection of EV_LIBRARY that the read model's `library` schema shows. */
export const catalogueProjection: Projection = {
  name: 'library-catalogue',
  version: 2,
  context: 'library',
  publishedSchema: 'library',
  publishes: catalogueTables,
  ddl: catalogueDdl,
  project: (events, db) => project(events, db as unknown as Handle),
};
