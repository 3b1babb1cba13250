import { albumDisksByIds } from '../../reads/album-disks.reads.js';
import { genresByIds } from '../../reads/genres.reads.js';
import { labelsByIds } from '../../reads/labels.reads.js';
import { namesByIds } from '../../reads/names.reads.js';
import { usersByIds } from '../../reads/users.reads.js';
import { videosByIds } from '../../reads/videos.reads.js';
import { episodesByIds } from '../../reads/podcasts.reads.js';
import type { ObjectTable } from '../../render/index.js';
import type { SearchType } from '../../search/index.js';
import { albumDiskObject } from '../objects/album-disk.object.js';
import { albumObject } from '../objects/album.object.js';
import { artistObject } from '../objects/artist.object.js';
import type { NativeContext } from '../objects/context.js';
import { genreObject } from '../objects/genre.object.js';
import { labelObject } from '../objects/label.object.js';
import { slimAlbumObject, slimArtistObject, slimSongObject, type SlimArtist } from '../objects/slim.object.js';
import { episodeObject, podcastObject, slimPodcastObject } from '../objects/podcast.object.js';
import { playlistObject, slimPlaylistObject } from '../objects/playlist.object.js';
import { songObject } from '../objects/song.object.js';
import { userSummaryObject } from '../objects/user.object.js';
import { videoObject } from '../objects/video.object.js';
import type { ReadPage } from '../paging.js';
import { readLists } from './reading-playlists.js';
import { readAlbums, readArtists, readPodcasts, readSongs, type Reader } from './reading.js';

/** How the things that a search finds are read and shown. */
export interface FoundShape<T> {
  readonly table: ObjectTable<T, NativeContext>;
  readonly read: ReadPage<T>;
  /** False for kinds without counters. */
  readonly counted?: boolean;
}

/** Does something with a shape whatever it is a shape of. */
export type WithShape<R> = <T>(shape: FoundShape<T>) => R;

const songs = <R>(reader: Reader, isSlim: boolean, use: WithShape<R>): R =>
  use({ table: isSlim ? slimSongObject : songObject, read: (ids, start) => readSongs(reader, ids, start) });

const albums = <R>(reader: Reader, isSlim: boolean, use: WithShape<R>): R =>
  use({ table: isSlim ? slimAlbumObject : albumObject, read: (ids) => readAlbums(reader, ids) });

// Unlike `get_indexes`, a search does not name the albums.
const readArtistNames = async ({ services, viewer }: Reader, ids: ArrayLike<number>): Promise<SlimArtist[]> =>
  (await namesByIds(services.db, 'artist', ids, viewer)).map((view) => ({ view, albumNames: [] }));

const artists = <R>(reader: Reader, isSlim: boolean, use: WithShape<R>): R =>
  isSlim
    ? use({ table: slimArtistObject, read: (ids) => readArtistNames(reader, ids) })
    : use({ table: artistObject, read: (ids) => readArtists(reader, ids) });

const disks = <R>({ services, viewer }: Reader, use: WithShape<R>): R =>
  use({
    table: albumDiskObject,
    read: async (ids) => (await albumDisksByIds(services.db, ids, viewer)).map((view) => ({ view, tracks: [] })),
  });

/** Gives the shape of what a search of a type finds; slim ones have names alone (versions.md section 8). */
export const withFoundShape = <R>(type: SearchType, reader: Reader, isSlim: boolean, use: WithShape<R>): R => {
  const { services, viewer } = reader;
  switch (type) {
    case 'song':
      return songs(reader, isSlim, use);
    case 'album':
      return albums(reader, isSlim, use);
    case 'artist':
    case 'album_artist':
    case 'song_artist':
      return artists(reader, isSlim, use);
    case 'album_disk':
      return disks(reader, use);
    case 'label':
      return use({ table: labelObject, read: (ids) => labelsByIds(services.db, ids, viewer) });
    case 'genre':
    case 'tag':
      return use({ table: genreObject, read: (ids) => genresByIds(services.db, ids, viewer) });
    case 'user':
      return use({ table: userSummaryObject, read: (ids) => usersByIds(services.db, ids), counted: false });
    case 'playlist':
      return use({ table: isSlim ? slimPlaylistObject : playlistObject, read: (ids) => readLists(reader, ids) });
    case 'podcast':
      return use({ table: isSlim ? slimPodcastObject : podcastObject, read: (ids) => readPodcasts(reader, ids) });
    case 'podcast_episode':
      return use({ table: episodeObject, read: (ids) => episodesByIds(services.db, ids, viewer) });
    case 'video':
      return use({ table: videoObject, read: (ids) => videosByIds(services.db, ids, viewer) });
  }
};
