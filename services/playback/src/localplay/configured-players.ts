import type { PlaybackConfig } from '../config.js';
import { mpdPlayer } from './mpd/mpd-player.adapter.js';
import type { Players } from './player.js';

/** The players on the server that the settings name. */
export const configuredPlayers = (config: PlaybackConfig): Players => ({
  mpd: mpdPlayer({
    host: config.MPD_HOST,
    port: config.MPD_PORT,
    password: config.MPD_PASSWORD,
    timeoutMs: config.MPD_TIMEOUT_MS,
  }),
});
