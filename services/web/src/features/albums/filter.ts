import { textIn, yearOf } from '../../lib/address.js';

/** Orders of the list of albums, as the API names them. */
export const albumOrders = ['name', 'artist', 'year,DESC', 'year,ASC', 'addition_time,DESC', 'total_count,DESC', 'rating,DESC'] as const;
export type AlbumOrder = (typeof albumOrders)[number];

/** Order and filter of the list of albums, as its address has them. */
export interface AlbumFilter {
  readonly order?: AlbumOrder | undefined;
  readonly name?: string | undefined;
  /** Id of a genre. */
  readonly genre?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Reads the filter from an address; what it does not understand is left out. */
export const albumFilterOf = ({ order, name, genre, from, to }: Record<string, unknown>): AlbumFilter => {
  const entries = {
    order: albumOrders.find((known) => known === order),
    name: textIn(name),
    genre: textIn(genre),
    from: yearOf(from),
    to: yearOf(to),
  };
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
};
