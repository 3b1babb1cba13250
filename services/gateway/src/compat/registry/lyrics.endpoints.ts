import { sortKey, Rejection, type LyricsText } from '@continuo/contracts';
import { lyricsFromPlugins } from '../../facts/artist-facts.js';
import { songIdsNamed } from '../../reads/found-facts.reads.js';
import { lyricsOfSong, songIdByArtistAndTitle, songIdsByTitle } from '../../reads/lyrics.reads.js';
import { songsByIds } from '../../reads/songs.reads.js';
import { containerBody, objectBody } from '../documents.js';
import { lyrics, structuredLyrics, type StructuredLyrics } from '../objects/lyrics.object.js';
import { flag, idOf, optionalText } from '../parameters.js';
import { artistLine } from '../spelling.js';
import { anybody, document, type UserCallBase } from './endpoint.js';

/** Unsynced text is what `getLyrics` has a rule for; time stamps stay out of it. */
const plainText = (texts: readonly LyricsText[]): string => {
  const text = texts.find(({ synced }) => !synced) ?? texts[0];
  return text ? text.lines.map((line) => line.text).join('\n') : '';
};

/** What the first plug-in has that has any. */
const found = async (call: UserCallBase, id: number | undefined): Promise<readonly LyricsText[]> =>
  id === undefined ? [] : ((await lyricsFromPlugins(call, id))[0]?.texts ?? []);

/** Clients name the artist as it is printed on the song, which need not be the name of any one artist: "Anna feat. Ben". */
const songPrinted = async ({ services: { db }, viewer }: UserCallBase, title: string, artist: string): Promise<number | undefined> => {
  const songs = await songsByIds(db, await songIdsByTitle(db, viewer, sortKey(title)), viewer);
  const wanted = sortKey(artist);
  return songs.find(({ doc }) => sortKey(artistLine(doc.displayArtist, doc.artists) ?? '') === wanted)?.doc.id;
};

/** The song that is meant, and its stored texts. Without stored ones the artist must be named, or it would be any song of that title. */
const named = async (call: UserCallBase, title: string, artist: string | undefined): Promise<readonly LyricsText[]> => {
  const { services, viewer } = call;
  const { db } = services;
  const id = await songIdByArtistAndTitle(db, viewer, { title: sortKey(title), artist: artist && sortKey(artist) });
  if (id !== undefined) return lyricsOfSong(db, id);
  if (artist === undefined) return [];
  const printed = await songPrinted(call, title, artist);
  const stored = printed === undefined ? [] : await lyricsOfSong(db, printed);
  if (stored.length > 0) return stored;
  const [other] = printed === undefined ? await songIdsNamed(db, [{ title, artist, mbid: null }], viewer) : [printed];
  return found(call, other);
};

/** Texts of songs: what is stored, else what plug-ins have. */
export const lyricsEndpoints = {
  getLyrics: document({
    access: anybody,
    params: { artist: optionalText, title: optionalText },
    body: objectBody('lyrics', lyrics),
    answer: async (call) => {
      const { artist, title } = call.params;
      return { artist, title, text: title === undefined ? '' : plainText(await named(call, title, artist)) };
    },
  }),

  getLyricsBySongId: document({
    access: anybody,
    params: { id: idOf('song'), enhanced: flag(false) },
    body: containerBody('lyricsList', 'structuredLyrics', structuredLyrics),
    answer: async (call): Promise<StructuredLyrics[]> => {
      const { params, services, viewer } = call;
      const [song] = await songsByIds(services.db, [params.id], viewer);
      if (!song) throw new Rejection('song.not-found');
      const stored = await lyricsOfSong(services.db, params.id);
      const texts = stored.length > 0 ? stored : await found(call, params.id);
      return texts.map((text) => ({
        text,
        artist: artistLine(song.doc.displayArtist, song.doc.artists),
        title: song.doc.title,
        enhanced: params.enhanced,
      }));
    },
  }),
} as const;
