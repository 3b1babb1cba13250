import type { SonicMatch } from '@continuo/contracts';

/** For whom sounds are compared. */
export interface SoundScope {
  /** Catalogs whose songs may be answered. */
  readonly catalogs: 'all' | readonly number[];
  /** Songs that are answered at most. */
  readonly count: number;
}

/** Compares what songs sound like; undefined: a song that is asked about is not known, or not to the caller. */
export interface Sounds {
  /** Songs that can be compared. */
  readonly size: number;
  /** The likest first, the song itself not among them. */
  similar(songId: number, scope: SoundScope): Promise<readonly SonicMatch[] | undefined>;
  /** From one to the other, both included; each is compared with the first. */
  path(fromSongId: number, toSongId: number, scope: SoundScope): Promise<readonly SonicMatch[] | undefined>;
}
