import type { SonicMatch } from '@continuo/contracts';
import type { SonicSounds } from '../sonic/sonic-sounds.js';

/** Ids that the fake knows of. */
const KNOWN = 60;

const alike = (a: number, b: number): number => Math.round(1e4 / (1 + Math.abs(a - b))) / 1e4;

/**
 * Songs sound alike as far as their numbers are near. It minds no catalogs: whoever shows what it answers has to. Song 2 is not analysed.
 */
export const fakeSounds: SonicSounds = {
  isOn: () => Promise.resolve(true),
  similar: async (songId, { count }): Promise<readonly SonicMatch[] | undefined> => {
    if (songId === 2) return undefined;
    const others = Array.from({ length: KNOWN }, (_, n) => n + 1).filter((one) => one !== songId);
    return others
      .map((one) => ({ songId: one, similarity: alike(one, songId) }))
      .toSorted((a, b) => b.similarity - a.similarity || a.songId - b.songId)
      .slice(0, count);
  },
  path: async (from, to, { count }) => {
    if (from === 2 || to === 2) return undefined;
    const step = Math.sign(to - from);
    const all = Array.from({ length: Math.abs(to - from) + 1 }, (_, n) => from + n * step);
    const way = all.length <= count ? all : [...all.slice(0, count - 1), to];
    return way.map((songId) => ({ songId, similarity: alike(songId, from) }));
  },
};
