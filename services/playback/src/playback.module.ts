import { CONFIG, DATABASE, EVENT_STORE, SERVICE_DEPENDENCIES } from '@continuo/chassis';
import { Module } from '@nestjs/common';
import { bookmarkDependencies } from './bookmark/bookmark-dependencies.js';
import { BOOKMARK_DEPENDENCIES, BookmarkController } from './bookmark/bookmark.controller.js';
import { DemocraticController, VOTES } from './democratic/democratic.controller.js';
import { votesInView } from './democratic/votes-in-view.js';
import { LocalplayController, PLAYERS } from './localplay/localplay.controller.js';
import { configuredPlayers } from './localplay/configured-players.js';
import { PlayController } from './play/play.controller.js';
import { PlayQueueController } from './play-queue/play-queue.controller.js';
import { Relay } from './relay/relay-dependencies.js';
import { RELAY_DEPENDENCIES, RelayController } from './relay/relay.controller.js';

/** The command handlers of the playback service, their providers, and its work in the background. */
@Module({
  controllers: [BookmarkController, PlayQueueController, PlayController, DemocraticController, LocalplayController, RelayController],
  providers: [
    Relay,
    { provide: BOOKMARK_DEPENDENCIES, useFactory: bookmarkDependencies, inject: [SERVICE_DEPENDENCIES] },
    { provide: VOTES, useFactory: votesInView, inject: [DATABASE, EVENT_STORE] },
    { provide: PLAYERS, useFactory: configuredPlayers, inject: [CONFIG] },
    { provide: RELAY_DEPENDENCIES, useFactory: ({ tools }: Relay) => tools, inject: [Relay] },
  ],
})
export class PlaybackModule {}
