import { api, content, type Song } from '../../lib/api.js';
import { offlineSong } from '../../lib/offline.js';
import { songsOf, type SongSource } from '../../lib/song-sources.js';
import { unlessRefused } from '../../lib/refused.js';
import { songsLike } from './songs-like.js';

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
