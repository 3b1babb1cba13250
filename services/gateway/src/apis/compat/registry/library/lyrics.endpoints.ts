import { sortKey, Rejection, type LyricsText } from '@continuo/contracts';
import { lyricsFromPlugins } from '../../../../features/external-metadata/external-metadata.js';
import { songIdsNamed } from '../../../../reads/library/external-metadata.reads.js';
import { lyricsOfSong, songIdByArtistAndTitle, songIdsByTitle } from '../../../../reads/songs/lyrics.reads.js';
import { songsByIds } from '../../../../reads/songs/songs.reads.js';
import { containerBody, objectBody } from '../../documents.js';
import { lyrics, structuredLyrics, type StructuredLyrics } from '../../objects/lyrics.object.js';
import { flag, idOf, optionalText } from '../../parameters.js';
import { artistLine } from '../../spelling.js';
import { endpointsUsing, anybody, type UserCallBase } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasCommands, HasConfig, HasClock } from '../../../../server/needs.js';
import type { HasPlugins } from '../../../../features/external-metadata/plugin-directory.js';

type Services = HasCommands & HasReadModel & HasConfig & HasPlugins & HasClock;
const { document } = endpointsUsing<Services>();

/** Lyrics without time stamps, for `getLyrics`. */
const plainText = (texts: readonly LyricsText[]): string => {
  const text = texts.find(({ synced }) => !synced) ?? texts[0];
  return text ? text.lines.map((line) => line.text).join('\n') : '';
};

/** Lyrics of the first plug-in that has any. */
const pluginLyrics = async (call: UserCallBase<Services>, id: number | undefined): Promise<readonly LyricsText[]> =>
  id === undefined ? [] : ((await lyricsFromPlugins(call, id))[0]?.texts ?? []);

/** Finds a song by title and displayed artist, which may combine several ("Anna feat. Ben"). */
const findSongByDisplayArtist = async (
  { services: { db }, viewer }: UserCallBase<Services>,
  title: string,
  artist: string,
): Promise<number | undefined> => {
  const songs = await songsByIds(db, await songIdsByTitle(db, viewer, sortKey(title)), viewer);
  const wanted = sortKey(artist);
  return songs.find(({ doc }) => sortKey(artistLine(doc.displayArtist, doc.artists) ?? '') === wanted)?.doc.id;
};

/**
 * A song by title and artist with its stored lyrics. Without stored lyrics the artist is required, or any song of the title would match.
 */
const findSongWithLyrics = async (
  call: UserCallBase<Services>,
  title: string,
  artist: string | undefined,
): Promise<readonly LyricsText[]> => {
  const { services, viewer } = call;
  const { db } = services;
  const id = await songIdByArtistAndTitle(db, viewer, { title: sortKey(title), artist: artist && sortKey(artist) });
  if (id !== undefined) return lyricsOfSong(db, id);
  if (artist === undefined) return [];
  const printed = await findSongByDisplayArtist(call, title, artist);
  const stored = printed === undefined ? [] : await lyricsOfSong(db, printed);
  if (stored.length > 0) return stored;
  const [other] = printed === undefined ? await songIdsNamed(db, [{ title, artist, mbid: null }], viewer) : [printed];
  return pluginLyrics(call, other);
};

/** Operations about lyrics: stored ones, else those of plug-ins. */
export const lyricsEndpoints = {
  getLyrics: document({
    access: anybody,
    params: { artist: optionalText, title: optionalText },
    body: objectBody('lyrics', lyrics),
    answer: async (call) => {
      const { artist, title } = call.params;
      return { artist, title, text: title === undefined ? '' : plainText(await findSongWithLyrics(call, title, artist)) };
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
      const texts = stored.length > 0 ? stored : await pluginLyrics(call, params.id);
      return texts.map((text) => ({
        text,
        artist: artistLine(song.doc.displayArtist, song.doc.artists),
        title: song.doc.title,
        enhanced: params.enhanced,
      }));
    },
  }),
} as const;
