import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Playback } from './track.js';
import { player } from './instance.js';
import type { PlayerState } from './player-store.js';

/** State of the queue and the volume. */
export const usePlayer = (): PlayerState => useSyncExternalStore(player.subscribe, player.state);

/** State and position of the playback; changes some times a second. */
export const usePlayback = (): Playback => useSyncExternalStore(player.engine.subscribe, player.engine.playback);

const SLOW_AFTER_MS = 2000;

/** True while nothing is heard for longer than it should take. */
export const useIsSlow = (): boolean => {
  const isLoading = usePlayback().state === 'loading';
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isLoading) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isLoading]);
  return isSlow;
};
