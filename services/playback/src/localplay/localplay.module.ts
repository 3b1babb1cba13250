import { Module, type DynamicModule } from '@nestjs/common';
import type { PlaybackConfig } from '../config.js';
import { LocalplayController, PLAYERS } from './localplay.controller.js';
import { mpdPlayer } from './mpd/mpd-player.adapter.js';
import type { Players } from './player.js';

const playersOf = (config: PlaybackConfig): Players => ({
  mpd: mpdPlayer({
    host: config.MPD_HOST,
    port: config.MPD_PORT,
    password: config.MPD_PASSWORD,
    timeoutMs: config.MPD_TIMEOUT_MS,
  }),
});

/** Playing on the server itself as a Nest module. */
@Module({})
export class LocalplayModule {
  /** The module over the players that the settings name. */
  static over(config: PlaybackConfig): DynamicModule {
    return {
      module: LocalplayModule,
      controllers: [LocalplayController],
      providers: [{ provide: PLAYERS, useValue: playersOf(config) }],
    };
  }
}
