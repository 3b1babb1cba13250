import { api, content, unlessRefused, type Song } from '../../lib/api.js';
import { songsAt, songsOf, type SongSource } from '../../lib/song-sources.js';
import { offlineSong } from '../../lib/offline.js';

/** Songs that are added at once when a queue ends. */
const ADDED = 5;
/** Songs that are drawn from a list. */
const DRAWN = 20;

/** Songs that sound alike; none where the server does not compare sounds. */
const bySound = async ({ id }: Song): Promise<readonly Song[]> => {
  const asking = content(api.GET('/songs/{song_id}/sonic-match', { params: { path: { song_id: id } } }));
  return (await unlessRefused(asking))?.sonic_match ?? [];
};

/** Songs that services or tags take for similar. */
const byArtists = async ({ id }: Song): Promise<readonly Song[]> => {
  const asking = content(api.GET('/songs/{song_id}/similar', { params: { path: { song_id: id } } }));
  return (await unlessRefused(asking))?.song ?? [];
};

const drawnFrom = async (source: SongSource): Promise<readonly Song[]> => {
  const total = (await unlessRefused(songsOf(source, 0, 1)))?.total ?? 0;
  if (total === 0) return [];
  return songsAt(source, [...new Set(Array.from({ length: DRAWN }, () => Math.floor(Math.random() * total)))]);
};

const byGenre = async ({ genre: [genre] }: Song): Promise<readonly Song[]> => (genre ? drawnFrom({ kind: 'genre', id: genre.id }) : []);
const byChance = (): Promise<readonly Song[]> => drawnFrom({ kind: 'songs', sort: 'title' });

/** Some songs that go on from a song: by sound where the server compares sounds, else by like artists, by its genre, or any. @param heard ids of songs that were played lately @throws ApiError */
const songsLike = async (song: Song, heard: ReadonlySet<string>): Promise<readonly Song[]> => {
  for (const ask of [bySound, byArtists, byGenre, byChance]) {
    const found = (await ask(song)).filter(({ id }) => !heard.has(id));
    if (found.length > 0) return found.slice(0, ADDED);
  }
  return (await byChance()).filter(({ id }) => id !== song.id).slice(0, ADDED);
};

/** Where the player has its songs from. Undefined: the server has no such song for this account. Errors: it cannot be asked now. */
export interface SongCatalog {
  /** The song at a position of a list. */
  readonly at: (source: SongSource, position: number) => Promise<Song | undefined>;
  /** The song with addresses that open it now. */
  readonly song: (id: string) => Promise<Song | undefined>;
  /** Songs that go on from a song; `heard`: ids of those that were played lately. */
  readonly like: (song: Song, heard: ReadonlySet<string>) => Promise<readonly Song[]>;
}

/** Of a page that no service worker serves, such as one that was reloaded without it, nothing that is kept can be opened. */
const keptSong = async (id: string): Promise<Song | undefined> => (navigator.serviceWorker?.controller ? offlineSong(id) : undefined);

/** The songs of the server; those that this browser keeps sound from here. */
export const catalog: SongCatalog = {
  at: async (source, position) => {
    const song = await unlessRefused(songsOf(source, position, 1).then(({ items }) => items[0]));
    return song && ((await keptSong(song.id)) ?? song);
  },
  song: async (id) => (await keptSong(id)) ?? unlessRefused(content(api.GET('/songs/{song_id}', { params: { path: { song_id: id } } }))),
  like: songsLike,
};
