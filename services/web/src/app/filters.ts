import type { SongOrder } from '../lib/song-sources.js';

/** What the address of the list of songs holds. */
export interface SongFilter {
  readonly order?: SongOrder | undefined;
  readonly name?: string | undefined;
  /** Id of an artist, whose songs are listed in the order of their names. */
  readonly artist?: string | undefined;
}

/** Kinds of favourites that are listed. */
export const favouriteKinds = ['songs', 'albums', 'artists'] as const;
