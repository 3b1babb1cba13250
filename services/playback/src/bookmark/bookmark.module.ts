import { jetStreamUserKeys, type ServiceDependencies, type UserKeys } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import { PLAY_QUEUE_AGGREGATES, PlayQueueController } from '../play-queue/play-queue.controller.js';
import { postgresBookmarkIds } from './bookmark-ids.js';
import { bookmarkLabels } from './bookmark-labels.js';
import { BOOKMARK_TOOLS, BookmarkController, type BookmarkTools } from './bookmark.controller.js';

/** The keys of accounts, under which the labels of bookmarks are sealed. */
export const keysOf = ({ nats, config, secrets }: Pick<ServiceDependencies, 'nats' | 'config' | 'secrets'>): UserKeys =>
  jetStreamUserKeys({ nats, secret: secrets, replicas: config.NATS_REPLICAS });

/** What bookmarks are kept with on a running service. */
export const bookmarkTools = (deps: ServiceDependencies): BookmarkTools => ({
  aggregates: deps.aggregates,
  ids: postgresBookmarkIds(deps.db),
  labels: bookmarkLabels({ secret: deps.secrets, keys: keysOf(deps) }),
});

/** Bookmarks and play queues as a Nest module. */
@Module({})
export class BookmarkModule {
  /** The module of a running service. */
  static over(deps: ServiceDependencies): DynamicModule {
    return {
      module: BookmarkModule,
      controllers: [BookmarkController, PlayQueueController],
      providers: [
        { provide: BOOKMARK_TOOLS, useValue: bookmarkTools(deps) },
        { provide: PLAY_QUEUE_AGGREGATES, useValue: deps.aggregates },
      ],
    };
  }
}
