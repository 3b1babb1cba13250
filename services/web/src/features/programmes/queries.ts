import { api, content } from '../../lib/api.js';

/** A title changes every few minutes, no event tells of it, and the server asks a station at most every 15 s, ms. */
const ASKED_EVERY_MS = 30_000;

/** Title that a station plays now; null where it tells none. Asked only while it is heard. */
export const stationTitleQuery = (id: string) => ({
  queryKey: ['station-title', id],
  queryFn: async (): Promise<string | null> => {
    const params = { path: { live_stream_id: id }, query: { include: 'now_playing' } };
    return (await content(api.GET('/live-streams/{live_stream_id}', { params }))).now_playing ?? null;
  },
  refetchInterval: ASKED_EVERY_MS,
});
