import { api, content } from '../../lib/api.js';

/** Number of the list that is voted on; the server has one. */
const path = { object_id: '1' };

/** The songs with votes, in the order in which they will be played. */
export const votedQuery = {
  queryKey: ['party'],
  queryFn: async () => {
    const answer = await content(api.POST('/democratic/{object_id}', { params: { path }, body: { method: 'playlist' } }));
    return 'song' in answer ? answer.song : [];
  },
};

/** Votes for a song, or takes the vote back. @throws ApiError */
export const vote = async (songId: string, wants: boolean): Promise<void> => {
  await content(api.POST('/democratic/{object_id}', { params: { path }, body: { method: wants ? 'vote' : 'devote', oid: songId } }));
};

/** Address that plays the song with the most votes, a new one each time. @throws ApiError */
export const partyAddress = async (): Promise<string | undefined> => {
  const answer = await content(api.POST('/democratic/{object_id}', { params: { path }, body: { method: 'play' } }));
  return 'url' in answer ? answer.url : undefined;
};
