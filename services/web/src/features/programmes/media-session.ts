import { setMediaHandlers } from '../../lib/media-session.js';
import { programmes } from './instance.js';

/** Seconds of the jumps back and forward. */
export const JUMPS_S = { back: 15, forward: 30 } as const;

/** Lets media keys and lock screens steer the programme and show what it is. */
export const takeMediaSession = (): void => {
  const { programme } = programmes.state();
  if (!('mediaSession' in navigator) || !programme) return;
  setMediaHandlers({
    play: () => void programmes.toggle(),
    pause: () => programmes.pause(),
    stop: () => programmes.pause(),
    nexttrack: null,
    previoustrack: null,
    seekbackward: () => programmes.seekBy(-JUMPS_S.back),
    seekforward: () => programmes.seekBy(JUMPS_S.forward),
    seekto: ({ seekTime }) => seekTime !== undefined && programmes.seek(seekTime),
  });
  const { title, from, art } = programme;
  navigator.mediaSession.metadata = new MediaMetadata({ title, artist: from, artwork: art === undefined ? [] : [{ src: art }] });
};
