import { api, ApiError, content, type Song } from '../../lib/api.js';
import { offlineSong } from '../../lib/offline.js';
import { songsOf, type SongSource } from '../../lib/song-sources.js';

/** Where the player has its songs from. Undefined: the server has no such song for this account. Errors: it cannot be asked now. */
export interface SongCatalog {
  /** The song at a position of a list. */
  readonly at: (source: SongSource, position: number) => Promise<Song | undefined>;
  /** The song with addresses that open it now. */
  readonly song: (id: string) => Promise<Song | undefined>;
}

/** Codes of what is turned off, does not exist, cannot be asked, or is not allowed. */
const REFUSALS = new Set(['4703', '4704', '4710', '4742']);

const unlessRefused = async (asking: Promise<Song | undefined>): Promise<Song | undefined> => {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ApiError && REFUSALS.has(error.code)) return undefined;
    throw error;
  }
};

/** Of a page that no service worker serves, such as one that was reloaded without it, nothing that is kept can be opened. */
const keptSong = async (id: string): Promise<Song | undefined> => (navigator.serviceWorker?.controller ? offlineSong(id) : undefined);

/** The songs of the server; those that this browser keeps sound from here. */
export const catalog: SongCatalog = {
  at: async (source, position) => {
    const song = await unlessRefused(songsOf(source, position, 1).then(({ items }) => items[0]));
    return song && ((await keptSong(song.id)) ?? song);
  },
  song: async (id) => (await keptSong(id)) ?? unlessRefused(content(api.GET('/songs/{song_id}', { params: { path: { song_id: id } } }))),
};
