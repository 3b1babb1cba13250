import type { SonicMatch } from '@continuo/contracts';
import type { Viewer } from '../../reads/visibility/viewer.js';

/** Viewer and greatest number of songs of a query. */
export interface SoundQuestion {
  readonly viewer: Viewer;
  readonly count: number;
}

/** Compares the sound of songs. Undefined: a song is not analysed, or the viewer does not have it. */
export interface SonicSounds {
  /** True while a sonic plug-in is switched on somewhere; what is advertised follows it within seconds. */
  isOn(): Promise<boolean>;
  /** The songs that sound most like one, the likest first. */
  similar(songId: number, question: SoundQuestion): Promise<readonly SonicMatch[] | undefined>;
  /** Songs on the way from one sound to another, both included. */
  path(fromSongId: number, toSongId: number, question: SoundQuestion): Promise<readonly SonicMatch[] | undefined>;
}

/** Finds songs that sound alike. */
export interface HasSonic {
  readonly sonic: SonicSounds;
}
