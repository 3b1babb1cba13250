import type { NativeClient } from '../harness/native-client.js';

/** Pages of the browsing methods by their labels; `round` varies where in the list they start. */
export const browsingCalls = async (
  native: NativeClient,
  size: { readonly page: number; readonly songs: number },
): Promise<Record<string, (round: number) => Promise<unknown>>> => {
  const { page, songs } = size;
  const albums = await native.json<{ list: { id: string }[] }>('list', { type: 'album', limit: 1 });
  const artists = await native.json<{ list: { id: string }[] }>('list', { type: 'album_artist', limit: 1 });
  const root = await native.json<{ browse: { id: string }[] }>('browse');
  const [album, artist, catalog] = [albums.list[0]?.id ?? '1', artists.list[0]?.id ?? '1', root.browse[0]?.id ?? '1'];
  const deep = (round: number): number => Math.floor((songs * ((round + 10) % 10)) / 10);
  return {
    'list of songs, anywhere': (round) => native.call('list', { type: 'song', limit: page, offset: deep(round) }),
    'index of songs, anywhere': (round) => native.call('index', { type: 'song', limit: page, offset: deep(round) }),
    'index of albums with songs': () => native.call('index', { type: 'album', limit: page, include: 1 }),
    // About as many songs as a page of songs has.
    'albums with their songs': () => native.call('albums', { limit: Math.floor(page / 12), include: 'songs' }),
    'browse of a catalog': () => native.call('browse', { type: 'catalog', filter: catalog, limit: page }),
    'browse of an artist': () => native.call('browse', { type: 'artist', filter: artist, catalog }),
    'browse of an album': () => native.call('browse', { type: 'album', filter: album, catalog }),
    album_disks: () => native.call('album_disks', { filter: album }),
    'folders, the root': () => native.call('folders'),
    'folders, one catalog': () => native.call('folders', { filter: 1, limit: page }),
    deleted_songs: () => native.call('deleted_songs', { limit: page }),
  };
};
