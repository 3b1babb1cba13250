import type { ProjectedQuery, Projection } from '@continuo/chassis';
import { catalogAdded, catalogRemoved, folderDiscovered, videoEvents, type CatalogEvent, type RecordedEvent } from '@continuo/contracts';
import type { Handle } from '../catalogue/handle.js';
import { VideoChanges } from './video-changes.js';
import { videoCatalogAdded, videoCatalogRemoved, videoRun } from './video-queries.js';
import { videosDdl, videosTables } from './videos.ddl.js';

type Added = RecordedEvent<Extract<CatalogEvent, { type: 'CatalogAdded' }>>;
type Gone = RecordedEvent<Extract<CatalogEvent, { type: 'CatalogRemoved' }>>;

/** Events about folders and videos are netted; those about whole catalogs cut the run. */
const project = (events: readonly RecordedEvent[], db: Handle): ProjectedQuery[] => {
  const queries: ProjectedQuery[] = [];
  let changes = new VideoChanges();
  const flush = (): void => {
    queries.push(...videoRun(changes, db));
    changes = new VideoChanges();
  };
  for (const event of events) {
    if (event.type === 'CatalogAdded') {
      flush();
      queries.push(...videoCatalogAdded(event as Added, db));
    } else if (event.type === 'CatalogRemoved') {
      flush();
      queries.push(...videoCatalogRemoved(event as Gone, db));
    } else changes.apply(event);
  }
  flush();
  return queries;
};

/** The projection of EV_LIBRARY that shows videos, beside the catalogue in the read model's `library` schema. */
export const videosProjection: Projection = {
  name: 'library-videos',
  version: 2,
  context: 'library',
  publishedSchema: 'library',
  publishes: videosTables,
  ddl: videosDdl,
  handles: [catalogAdded, catalogRemoved, folderDiscovered, ...videoEvents].map(({ type }) => type),
  project: (events, db) => project(events, db as unknown as Handle),
};
