import type { SongOrder, SongSource } from '../lib/song-sources.js';

/** Order and filter of the list of songs, as its address has them. */
export interface SongFilter {
  readonly order?: SongOrder | undefined;
  readonly name?: string | undefined;
  /** Id of an artist, whose songs are listed in the order of their names. */
  readonly artist?: string | undefined;
}

/** The songs that a filter leaves. */
export const sourceOf = ({ order = 'title', name, artist }: SongFilter): SongSource =>
  artist === undefined ? { kind: 'songs', sort: order, ...(name ? { filter: name } : {}) } : { kind: 'artist', id: artist };

/** Kinds of favourites that are listed. */
export const favouriteKinds = ['songs', 'albums', 'artists'] as const;
