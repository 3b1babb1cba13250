import { sortKey, Rejection, type LyricsText } from '@continuo/contracts';
import { lyricsOfSong, songIdByArtistAndTitle } from '../../reads/lyrics.reads.js';
import { songsByIds } from '../../reads/songs.reads.js';
import { containerBody, objectBody } from '../documents.js';
import { lyrics, structuredLyrics, type StructuredLyrics } from '../objects/lyrics.object.js';
import { flag, idOf, optionalText } from '../parameters.js';
import { artistLine } from '../spelling.js';
import { anybody, document } from './endpoint.js';

/** Unsynced text is what `getLyrics` has a rule for; time stamps stay out of it. */
const plainText = (texts: readonly LyricsText[]): string => {
  const text = texts.find(({ synced }) => !synced) ?? texts[0];
  return text ? text.lines.map((line) => line.text).join('\n') : '';
};

/** Texts of songs. */
export const lyricsEndpoints = {
  getLyrics: document({
    access: anybody,
    params: { artist: optionalText, title: optionalText },
    body: objectBody('lyrics', lyrics),
    answer: async ({ params: { artist, title }, services: { db }, viewer }) => {
      const id =
        title === undefined
          ? undefined
          : await songIdByArtistAndTitle(db, viewer, { title: sortKey(title), artist: artist && sortKey(artist) });
      return { artist, title, text: id === undefined ? '' : plainText(await lyricsOfSong(db, id)) };
    },
  }),

  getLyricsBySongId: document({
    access: anybody,
    params: { id: idOf('song'), enhanced: flag(false) },
    body: containerBody('lyricsList', 'structuredLyrics', structuredLyrics),
    answer: async ({ params, services: { db }, viewer }): Promise<StructuredLyrics[]> => {
      const [song] = await songsByIds(db, [params.id], viewer);
      if (!song) throw new Rejection('song.not-found');
      const texts = await lyricsOfSong(db, params.id);
      return texts.map((text) => ({
        text,
        artist: artistLine(song.doc.displayArtist, song.doc.artists),
        title: song.doc.title,
        enhanced: params.enhanced,
      }));
    },
  }),
} as const;
