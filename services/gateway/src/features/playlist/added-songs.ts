import { albumsByIds } from '../../reads/library/albums.reads.js';
import { artistsByIds } from '../../reads/library/artists.reads.js';
import { playlistSongIds, visibleSongs } from '../../reads/playlists/playlist-songs.reads.js';
import { songIdsByAlbum, songIdsByArtist } from '../../reads/songs/songs.reads.js';
import { playlistWith, type Editor } from './playlists.js';

/** Objects whose songs can be added to a list. */
export const addedKinds = ['song', 'album', 'artist', 'playlist'] as const;
/** One of {@link addedKinds}. */
export type AddedKind = (typeof addedKinds)[number];

type Reader = Pick<Editor, 'services' | 'viewer'>;

const sources: Readonly<Record<AddedKind, (reader: Reader, id: number) => Promise<readonly number[] | undefined>>> = {
  song: async ({ services, viewer }, id) => {
    const songs = await visibleSongs(services.db, [id], viewer);
    return songs.length === 0 ? undefined : songs;
  },
  album: async ({ services, viewer }, id) => {
    const [album] = await albumsByIds(services.db, [id], viewer);
    return album && ((await songIdsByAlbum(services.db, [id], viewer)).get(id) ?? []);
  },
  artist: async ({ services, viewer }, id) => {
    const [artist] = await artistsByIds(services.db, [id], viewer);
    return artist && ((await songIdsByArtist(services.db, [id], viewer)).get(id) ?? []);
  },
  playlist: async (reader, id) => {
    const list = await playlistWith(reader, id, 'open');
    return list && Array.from((await playlistSongIds(reader.services.db, list, reader.viewer)).ids);
  },
};

/**
 * Songs of an object that the viewer sees, in its order; undefined when there is no such object for them.
 * @throws Rejection `access.level` for a playlist that they may not open
 */
export const addedSongs = (reader: Reader, kind: AddedKind, id: number): Promise<readonly number[] | undefined> =>
  sources[kind](reader, id);
