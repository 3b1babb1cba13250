import { api, content } from '../../lib/api.js';
import { periodOf } from './sums.js';

const SHOWN = 10;

/** Plays of this account in a year, in the time zone of this browser. */
export const listeningQuery = (year: number) => ({
  queryKey: ['statistics', year],
  queryFn: () => {
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return content(api.GET('/me/listening', { params: { query: { ...mapped(year), timezone } } }));
  },
});

const mapped = (year: number) => {
  const { since, until } = periodOf(year);
  return { since: String(since), until: String(until) };
};

/** Most played objects of this account in a year, or the songs that it heard then for the first time, the earliest first. */
export const heardQuery = (year: number, which: { readonly type: 'song' | 'album' | 'artist' } | { readonly filter: 'first' }) => ({
  queryKey: ['statistics', year, which],
  queryFn: async () =>
    (await content(api.GET('/me/heard', { params: { query: { ...mapped(year), ...which, limit: String(SHOWN) } } }))).heard,
});
