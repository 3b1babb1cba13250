import { Module } from '@nestjs/common';
import { CatalogController } from './catalog/catalog.controller.js';
import { ServerFolderAnswers } from './catalog/server-folders.js';
import { CollectionController } from './collection/collection.controller.js';
import { FolderController } from './folder/folder.controller.js';
import { ExternalMetadataController } from './external-metadata/external-metadata.controller.js';
import { GenreController } from './genre/genre.controller.js';
import { CatalogueReadiness } from './identity/catalogue-readiness.js';
import { IdentityRegistry } from './identity/identity-registry.js';
import { ListOwnersController } from './list-terms/list-owners.controller.js';
import { ListRoom } from './list-terms/list-room.js';
import { LiveStreamController } from './live-stream/live-stream.controller.js';
import { PlaylistFolderController } from './playlist-folder/playlist-folder.controller.js';
import { PlaylistController } from './playlist/playlist.controller.js';
import { PodcastArtController } from './podcast/podcast-art.controller.js';
import { PodcastController } from './podcast/podcast.controller.js';
import { SearchIndexing } from './search-index/search-indexing.js';
import { SmartlistController } from './smartlist/smartlist.controller.js';
import { VideoController } from './video/video.controller.js';

/** The library's command handlers, their providers, and its work in the background. */
@Module({
  controllers: [
    CatalogController,
    FolderController,
    GenreController,
    PlaylistController,
    SmartlistController,
    CollectionController,
    ListOwnersController,
    PlaylistFolderController,
    VideoController,
    LiveStreamController,
    PodcastController,
    PodcastArtController,
    ExternalMetadataController,
  ],
  providers: [CatalogueReadiness, IdentityRegistry, ListRoom, SearchIndexing, ServerFolderAnswers],
})
export class LibraryModule {}
