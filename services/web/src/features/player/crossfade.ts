import type { Song } from '../../lib/api.js';

/** Seconds that are offered for the fade from one song into the next; 0 for none. */
export const CROSSFADES_S = [0, 2, 4, 6, 8, 12] as const;
export type CrossfadeS = (typeof CROSSFADES_S)[number];

/** True for two parts of an album that follow each other there. */
const followsOn = (one: Song, next: Song): boolean => {
  if (one.album.id !== next.album.id) return false;
  return next.disk === one.disk ? next.track === one.track + 1 : next.disk === one.disk + 1 && next.track === 1;
};

/** Length of the fade from a song into the next one, s; 0 for none, as between parts of an album, which are joined without a gap. */
export const fadeBetween = (one: Song | undefined, next: Song, crossfadeS: CrossfadeS): number => {
  if (!one || followsOn(one, next)) return 0;
  // Half of each song is heard alone.
  return Math.min(crossfadeS, one.time / 2, next.time / 2);
};
