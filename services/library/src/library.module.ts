import type { ServiceDependencies } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import { CatalogController } from './catalog/catalog.controller.js';
import { CollectionController } from './collection/collection.controller.js';
import { FolderController } from './folder/folder.controller.js';
import { FoundFactsController } from './found-facts/found-facts.controller.js';
import { GenreController } from './genre/genre.controller.js';
import { CatalogueReadiness } from './identity/catalogue-readiness.js';
import { IdentityRegistry } from './identity/identity-registry.js';
import { ListOwnersController } from './list-terms/list-owners.controller.js';
import { LiveStreamController } from './live-stream/live-stream.controller.js';
import { PlaylistFolderController } from './playlist-folder/playlist-folder.controller.js';
import { PlaylistController } from './playlist/playlist.controller.js';
import { PodcastArtController } from './podcast/podcast-art.controller.js';
import { PodcastController } from './podcast/podcast.controller.js';
import { SmartlistController } from './smartlist/smartlist.controller.js';
import { VideoController } from './video/video.controller.js';
import { AGGREGATES, DATABASE, EVENT_STORE, SEALER } from './tokens.js';

/** The library's command handlers and what they need. */
@Module({})
export class LibraryModule {
  static over(deps: ServiceDependencies, readiness: CatalogueReadiness): DynamicModule {
    return {
      module: LibraryModule,
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
        FoundFactsController,
      ],
      providers: [
        { provide: AGGREGATES, useValue: deps.aggregates },
        { provide: DATABASE, useValue: deps.db },
        { provide: SEALER, useValue: deps.sealer },
        { provide: EVENT_STORE, useValue: deps.eventStore },
        { provide: IdentityRegistry, useValue: new IdentityRegistry(deps.db) },
        { provide: CatalogueReadiness, useValue: readiness },
      ],
    };
  }
}
