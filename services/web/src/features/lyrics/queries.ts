import { queryOptions } from '@tanstack/react-query';
import { api, content } from '../../lib/api.js';
import { isTimed, readLyrics, type LyricsLine } from './lrc.js';

/** Lyrics of a song: the first of those that the server knows, timed ones before plain ones; empty when it knows none. */
export const lyricsOf = (songId: string) =>
  queryOptions({
    queryKey: ['song', songId, 'lyrics'],
    queryFn: async (): Promise<readonly LyricsLine[]> => {
      const { plugin } = await content(api.GET('/songs/{song_id}/lyrics', { params: { path: { song_id: songId } } }));
      // An empty answer is an empty list.
      const texts = Array.isArray(plugin) ? [] : Object.values(plugin).map(({ text }) => readLyrics(text));
      return texts.find(isTimed) ?? texts[0] ?? [];
    },
  });
