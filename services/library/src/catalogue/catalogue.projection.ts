import type { Projection, ProjectedQuery } from '@continuo/chassis';
import type { CatalogEvent, FolderEvent, RecordedEvent } from '@continuo/contracts';
import { BatchChanges } from './batch-changes.js';
import { catalogueDdl, catalogueTables } from './catalogue.ddl.js';
import { addCatalog, removeCatalog } from './catalog-queries.js';
import { changeQueries } from './change-queries.js';
import type { Handle } from './handle.js';
import { summaryQueries } from './summary-queries.js';

const isCatalogEvent = (event: RecordedEvent): event is RecordedEvent<CatalogEvent> & CatalogEvent =>
  event.type === 'CatalogAdded' || event.type === 'CatalogRemoved';

/**
 * The catalogue: songs, albums, artists, genres, folders and files as lists and pages need them. Folder events are netted within a batch and
 * written set by set; a catalog's own events cut the batch, because they concern all of its rows.
 */
const project = (events: readonly RecordedEvent[], db: Handle): ProjectedQuery[] => {
  const queries: ProjectedQuery[] = [];
  let changes = new BatchChanges();
  const flush = (): void => {
    queries.push(...changeQueries(changes, db), ...summaryQueries(changes.listPosition, db));
    changes = new BatchChanges();
  };
  for (const event of events) {
    if (!isCatalogEvent(event)) {
      changes.apply(event as RecordedEvent<FolderEvent>);
      continue;
    }
    flush();
    if (event.type === 'CatalogAdded') queries.push(...addCatalog(event.data, event.at, db));
    else queries.push(...removeCatalog(event.data.catalogId, db), ...summaryQueries(event.position, db));
  }
  flush();
  return queries;
};

/** The projection of EV_LIBRARY that the read model's `library` schema shows. */
export const catalogueProjection: Projection = {
  name: 'library-catalogue',
  version: 1,
  context: 'library',
  publishedSchema: 'library',
  publishes: catalogueTables,
  ddl: catalogueDdl,
  project: (events, db) => project(events, db as unknown as Handle),
};
