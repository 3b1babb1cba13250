import type { ServiceDefinition } from '@continuo/chassis';
import { catalogueProjection } from './catalogue/catalogue.projection.js';
import { collectionsProjection } from './collection/collections.projection.js';
import { libraryConfig, type LibraryConfig } from './config.js';
import { externalMetadataProjection } from './external-metadata/external-metadata.projection.js';
import { identityMigrations } from './identity/identity.migrations.js';
import { userContentIdMigrations } from './identity/user-content-ids.js';
import { LibraryModule } from './library.module.js';
import { liveStreamsProjection } from './live-stream/live-streams.projection.js';
import { playlistFoldersProjection } from './playlist-folder/playlist-folders.projection.js';
import { playlistsProjection } from './playlist/playlists.projection.js';
import { podcastArtProjection } from './podcast/podcast-art.projection.js';
import { podcastsProjection } from './podcast/podcasts.projection.js';
import { searchIndexMigrations } from './search-index/popularity-mark.js';
import { smartlistsProjection } from './smartlist/smartlists.projection.js';
import { videosProjection } from './video/videos.projection.js';

/** The library service: catalogs, folders, songs, albums, artists, genres, videos. Owns the stream `EV_LIBRARY` and the schema `library`. */
export const libraryService: ServiceDefinition<LibraryConfig> = {
  name: 'library',
  config: libraryConfig,
  contexts: ['library'],
  schema: 'library',
  migrations: [...identityMigrations, ...userContentIdMigrations, ...searchIndexMigrations],
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
    externalMetadataProjection,
  ],
  module: LibraryModule,
};
