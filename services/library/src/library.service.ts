import type { ServiceDefinition, ServiceDependencies } from '@continuo/chassis';
import { catalogueProjection } from './catalogue/catalogue.projection.js';
import { collectionsProjection } from './collection/collections.projection.js';
import { libraryConfig, type LibraryConfig } from './config.js';
import { CatalogueReadiness } from './identity/catalogue-readiness.js';
import { foundFactsProjection } from './found-facts/found-facts.projection.js';
import { identityMigrations } from './identity/identity.migrations.js';
import { madeIdMigrations } from './identity/made-ids.js';
import { LibraryModule } from './library.module.js';
import { liveStreamsProjection } from './live-stream/live-streams.projection.js';
import { playlistFoldersProjection } from './playlist-folder/playlist-folders.projection.js';
import { playlistsProjection } from './playlist/playlists.projection.js';
import { podcastArtProjection } from './podcast/podcast-art.projection.js';
import { podcastsProjection } from './podcast/podcasts.projection.js';
import { searchIndexMigrations } from './search-index/popularity-mark.js';
import { startSearchIndexing } from './search-index/start-search-indexing.js';
import { smartlistsProjection } from './smartlist/smartlists.projection.js';
import { videosProjection } from './video/videos.projection.js';

/** One readiness per running service, shared by its handlers and its start. */
const readinessOf = new WeakMap<ServiceDependencies<LibraryConfig>, CatalogueReadiness>();

const readiness = (deps: ServiceDependencies<LibraryConfig>): CatalogueReadiness => {
  const known = readinessOf.get(deps) ?? new CatalogueReadiness(deps.db, deps.eventStore, deps.log);
  readinessOf.set(deps, known);
  return known;
};

/** The library service: catalogs, folders, songs, albums, artists, genres, videos. Owns the stream `EV_LIBRARY` and the schema `library`. */
export const libraryService: ServiceDefinition<LibraryConfig> = {
  name: 'library',
  config: libraryConfig,
  contexts: ['library'],
  schema: 'library',
  migrations: [...identityMigrations, ...madeIdMigrations, ...searchIndexMigrations],
  projections: () => [
    catalogueProjection,
    videosProjection,
    playlistsProjection,
    smartlistsProjection,
    collectionsProjection,
    playlistFoldersProjection,
    liveStreamsProjection,
    podcastsProjection,
    podcastArtProjection,
    foundFactsProjection,
  ],
  module: (deps) => LibraryModule.over(deps, readiness(deps)),
  start: async (deps) => {
    const gate = readiness(deps);
    const preparing = gate.prepare();
    const indexing = startSearchIndexing(deps);
    return {
      parts: () => indexing.parts(),
      stop: async () => {
        gate.stop();
        await indexing.stop();
        await preparing;
      },
    };
  },
};
