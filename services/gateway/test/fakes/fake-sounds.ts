import type { SonicMatch } from '@continuo/contracts';
import type { SonicSounds, SoundQuestion } from '../../src/features/sonic/sonic-sounds.js';

/** Ids that the fake knows of. */
const KNOWN = 60;
const UNANALYSED = 2;

const alike = (a: number, b: number): number => Math.round(1e4 / (1 + Math.abs(a - b))) / 1e4;

/** Songs sound alike as far as their numbers are near; song 2 is not analysed. It minds no catalogs: whoever shows what it answers has to. */
export class FakeSounds implements SonicSounds {
  /** Whether there is a sonic plug-in; specs switch it. */
  on = true;

  isOn(): Promise<boolean> {
    return Promise.resolve(this.on);
  }

  similar(songId: number, { count }: SoundQuestion): Promise<readonly SonicMatch[] | undefined> {
    if (songId === UNANALYSED) return Promise.resolve(undefined);
    const others = Array.from({ length: KNOWN }, (_, n) => n + 1).filter((one) => one !== songId);
    const matches = others.map((one) => ({ songId: one, similarity: alike(one, songId) }));
    return Promise.resolve(matches.toSorted((a, b) => b.similarity - a.similarity || a.songId - b.songId).slice(0, count));
  }

  path(from: number, to: number, { count }: SoundQuestion): Promise<readonly SonicMatch[] | undefined> {
    if (from === UNANALYSED || to === UNANALYSED) return Promise.resolve(undefined);
    const step = Math.sign(to - from);
    const all = Array.from({ length: Math.abs(to - from) + 1 }, (_, n) => from + n * step);
    const way = all.length <= count ? all : [...all.slice(0, count - 1), to];
    return Promise.resolve(way.map((songId) => ({ songId, similarity: alike(songId, from) })));
  }
}

/** A server without sonic analysis. */
export const noSounds: SonicSounds = {
  isOn: () => Promise.resolve(false),
  similar: () => Promise.resolve(undefined),
  path: () => Promise.resolve(undefined),
};
