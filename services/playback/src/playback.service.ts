import type { ServiceDefinition } from '@continuo/chassis';
import { playbackConfig, type PlaybackConfig } from './config.js';
import { PlayModule } from './play/play.module.js';
import { playsProjection } from './play/play.projection.js';

/** The playback service: who played what, and when. Owns the stream `EV_PLAYBACK` and the schema `playback`. */
export const playbackService: ServiceDefinition<PlaybackConfig> = {
  name: 'playback',
  config: playbackConfig,
  contexts: ['playback'],
  schema: 'playback',
  migrations: [],
  projections: () => [playsProjection],
  module: (deps) => PlayModule.over(deps),
};
