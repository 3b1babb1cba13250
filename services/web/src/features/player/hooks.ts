import { useEffect, useState } from 'react';
import { useWatched } from '../../lib/watched.js';
import type { Playback } from './track.js';
import { player, sharedQueue } from './instance.js';
import type { PlayerState } from './player-store.js';
import type { Elsewhere } from './shared-queue.js';

/** State of the queue and the volume. */
export const usePlayer = (): PlayerState => useWatched({ subscribe: player.subscribe, current: player.state });

/** State and position of the playback; changes some times a second. */
export const usePlayback = (): Playback => useWatched({ subscribe: player.engine.subscribe, current: player.engine.playback });

/** Song that another device of the account plays. */
export const useElsewhere = (): Elsewhere | undefined => useWatched(sharedQueue.elsewhere);

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
