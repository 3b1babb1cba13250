import { useQuery } from '@tanstack/react-query';
import { api, content } from './api.js';
import { joinedStarts, type ListStart } from './joined-starts.js';

/** A list that the API orders, by the names of its parameters. */
export interface OrderedList {
  readonly type: 'songs' | 'albums' | 'artists';
  readonly sort: string;
  readonly filter?: string | undefined;
  readonly cond?: string | undefined;
}

/** Lists with fewer entries are scrolled through at once. */
const WORTH_FROM = 20;
const NO_LIST: OrderedList = { type: 'songs', sort: 'title' };

/** Rows at which letters or years begin in a list; none for a short list, and for one in another order. @param list undefined for lists that cannot be asked for them */
export const useListStarts = (list: OrderedList | undefined, total: number): readonly ListStart[] => {
  const { type, sort, filter, cond } = list ?? NO_LIST;
  const { data = [] } = useQuery({
    queryKey: ['initials', list],
    queryFn: async () => {
      const params = {
        query: { sort, ...(filter ? { filter } : {}), ...(cond ? { cond } : {}) },
      };
      return joinedStarts((await content(api.GET(`/${type}/initials`, { params }))).initial, /^(?:original_)?year/.test(sort));
    },
    enabled: list !== undefined && total >= WORTH_FROM,
  });
  return list && data.length > 1 ? data : [];
};
