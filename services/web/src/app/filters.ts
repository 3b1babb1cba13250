import type { SongOrder } from '../lib/song-sources.js';

/** Order and filter of the list of songs, as its address has them. */
export interface SongFilter {
  readonly order?: SongOrder | undefined;
  readonly name?: string | undefined;
  /** Id of an artist, whose songs are listed in the order of their names. */
  readonly artist?: string | undefined;
}

/** Kinds of favourites that are listed. */
export const favouriteKinds = ['songs', 'albums', 'artists'] as const;
