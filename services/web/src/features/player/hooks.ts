import { useSyncExternalStore } from 'react';
import type { Playback } from './engine.js';
import { player } from './instance.js';
import type { PlayerState } from './player.js';

/** State of the queue and the volume. */
export const usePlayer = (): PlayerState => useSyncExternalStore(player.subscribe, player.state);

/** What plays, and where; changes some times a second. */
export const usePlayback = (): Playback => useSyncExternalStore(player.engine.subscribe, player.engine.playback);
