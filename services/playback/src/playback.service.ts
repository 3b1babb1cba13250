import type { ServiceDefinition } from '@continuo/chassis';
import { playbackConfig, type PlaybackConfig } from './config.js';
import { democraticProjection } from './democratic/democratic.projection.js';
import { playsProjection } from './play/play.projection.js';
import { PlaybackModule } from './playback.module.js';

/** The playback service: who played what, and when. Owns the stream `EV_PLAYBACK` and the schema `playback`. */
export const playbackService: ServiceDefinition<PlaybackConfig> = {
  name: 'playback',
  config: playbackConfig,
  contexts: ['playback'],
  schema: 'playback',
  migrations: [],
  projections: () => [playsProjection, democraticProjection],
  module: (deps) => PlaybackModule.over(deps),
};
