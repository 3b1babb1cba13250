import type { ServiceDefinition } from '@continuo/chassis';
import { pluginMigrations } from '@continuo/plugins';
import { bookmarkIdMigration } from './bookmark/bookmark-ids.js';
import { placesProjection } from './bookmark/places.projection.js';
import { playbackConfig, type PlaybackConfig } from './config.js';
import { democraticProjection } from './democratic/democratic.projection.js';
import { playsProjection } from './play/play.projection.js';
import { PlaybackModule } from './playback.module.js';
import { relayProjection } from './relay/relay.projection.js';
import { relayJournalMigration } from './relay/sending/relay-journal.js';
import { relayOpinionMigration } from './relay/sending/relay-opinions.js';

/** The playback service: who played what, and when. Owns the stream `EV_PLAYBACK` and the schema `playback`. */
export const playbackService: ServiceDefinition<PlaybackConfig> = {
  name: 'playback',
  config: playbackConfig,
  contexts: ['playback'],
  schema: 'playback',
  migrations: [bookmarkIdMigration, relayJournalMigration, relayOpinionMigration, ...pluginMigrations],
  projections: (deps) => [playsProjection, democraticProjection, placesProjection(deps.userKeys, deps.log), relayProjection],
  module: PlaybackModule,
};
