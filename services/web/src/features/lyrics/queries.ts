import { queryOptions } from '@tanstack/react-query';
import { api, content } from '../../lib/api.js';
import { isTimed, readLyrics, type LyricsLine } from './lrc.js';

/** One text of a song. */
export interface Lyrics {
  readonly source: string;
  /** Code of ISO 639; `xxx` when it is not told. */
  readonly language: string;
  readonly lines: readonly LyricsLine[];
}

/** 2 for times of words, 1 for times of lines, 0 for none. */
const exactness = ({ lines }: Lyrics): number => (lines.some(({ words }) => words) ? 2 : isTimed(lines) ? 1 : 0);

/** Lyrics of a song that the server knows, those with the most exact times first. */
export const lyricsOf = (songId: string) =>
  queryOptions({
    queryKey: ['song', songId, 'lyrics'],
    queryFn: async (): Promise<readonly Lyrics[]> => {
      const params = { path: { song_id: songId }, query: { texts: 1 as const } };
      const { lyrics = [] } = await content(api.GET('/songs/{song_id}/lyrics', { params }));
      const texts = lyrics.map(({ source, language, text }) => ({ source, language, lines: readLyrics(text) }));
      return texts.filter(({ lines }) => lines.length > 0).toSorted((one, other) => exactness(other) - exactness(one));
    },
  });
