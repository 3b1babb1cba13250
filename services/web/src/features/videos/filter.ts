import { textIn } from '../../lib/address.js';

/** Orders of the list of videos, as the API names them. */
export const videoOrders = ['title', 'addition_time,DESC'] as const;
export type VideoOrder = (typeof videoOrders)[number];

/** Order and filter of the list of videos, as its address has them. */
export interface VideoFilter {
  readonly order?: VideoOrder | undefined;
  readonly name?: string | undefined;
}

/** Reads the filter from an address; what it does not understand is left out. */
export const videoFilterOf = ({ order, name }: Record<string, unknown>): VideoFilter => ({
  order: videoOrders.find((known) => known === order),
  name: textIn(name),
});
