import { api, content, type Album, type Artist } from '../../lib/api.js';
import { songsOf } from '../../lib/song-sources.js';

/** What the words find, the best first; songs are counted and listed elsewhere. */
export interface Found {
  readonly artists: readonly Artist[];
  readonly albums: readonly Album[];
  readonly songCount: number;
}

const SHOWN = '12';
const titleRule = (words: string) => ({ rule_1: 'title', rule_1_operator: '0', rule_1_input: words, limit: SHOWN });

/** Artists and albums by name, and songs by words. */
export const foundQuery = (words: string) => ({
  queryKey: ['found', words],
  queryFn: async (): Promise<Found> => {
    const query = titleRule(words);
    const [artists, albums, songs] = await Promise.all([
      content(api.GET('/artists/search', { params: { query } })),
      content(api.GET('/albums/search', { params: { query } })),
      songsOf({ kind: 'search', words }, 0, 1),
    ]);
    return { artists: artists.artist, albums: albums.album, songCount: songs.total };
  },
});
