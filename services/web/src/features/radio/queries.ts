import { api, content, type Schemas } from '../../lib/api.js';

export type Station = Schemas['LiveStream'];

/** All radio stations by name. */
export const stationsQuery = {
  queryKey: ['radio'],
  queryFn: async (): Promise<readonly Station[]> =>
    (await content(api.GET('/live-streams', { params: { query: { sort: 'name', limit: 'none' } } }))).live_stream,
};
