import { useInfiniteQuery } from '@tanstack/react-query';
import { listQuery, type ItemOf, type ListPath, type ListSelection } from '../api.js';

/** Interval between two fetches of a shown list that has no events of the server, ms. */
export const LOOK_EVERY_MS = 4000;

/** Fetched items of a list; none until they are there. `everyMs` fetches them again and again. */
export const useItems = <P extends ListPath>(list: P, selection?: ListSelection, everyMs?: number): readonly ItemOf<P>[] => {
  const { data } = useInfiniteQuery(listQuery(list, selection, everyMs));
  return data?.pages.flatMap(({ items }) => items) ?? [];
};
