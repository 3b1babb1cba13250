import type { CompatKind } from '../../../src/apis/compat/ids.js';
import type { OperationName } from '../../../src/apis/compat/registry/names.js';

/** Parameters that are ids. */
export const ID_PARAMETERS = [
  'id',
  'albumId',
  'artistId',
  'songId',
  'songIdToAdd',
  'playlistId',
  'mediaId',
  'startSongId',
  'endSongId',
] as const;
type IdParameter = (typeof ID_PARAMETERS)[number];

type Kinds = readonly [CompatKind, ...CompatKind[]];
const lists: Kinds = ['playlist', 'smartlist'];
const media: Kinds = ['song', 'video', 'episode'];
const annotated: Kinds = ['song', 'artist', 'album', 'video', 'folder', 'playlist', 'smartlist', 'podcast', 'episode', 'station'];
const stars: Readonly<Partial<Record<IdParameter, Kinds>>> = { id: annotated, albumId: ['album'], artistId: ['artist'] };

/** Kinds of things that each parameter names, the usual one first. One that is not in here is a song's. */
const named: Readonly<Partial<Record<OperationName, Readonly<Partial<Record<IdParameter, Kinds>>>>>> = {
  createBookmark: { id: media },
  deleteBookmark: { id: media },
  createPlaylist: { playlistId: lists },
  updatePlaylist: { playlistId: lists },
  deletePlaylist: { id: lists },
  getPlaylist: { id: lists },
  createShare: { id: ['song', 'artist', 'album', 'video', 'playlist', 'smartlist', 'podcast', 'episode'] },
  updateShare: { id: ['share'] },
  deleteShare: { id: ['share'] },
  updateInternetRadioStation: { id: ['station'] },
  deleteInternetRadioStation: { id: ['station'] },
  getPodcasts: { id: ['podcast'] },
  deletePodcastChannel: { id: ['podcast'] },
  getPodcastEpisode: { id: ['episode'] },
  deletePodcastEpisode: { id: ['episode'] },
  downloadPodcastEpisode: { id: ['episode'] },
  getArtist: { id: ['artist'] },
  getArtistInfo: { id: ['artist', 'album', 'song'] },
  getArtistInfo2: { id: ['artist', 'album', 'song'] },
  getSimilarSongs: { id: ['song', 'artist', 'album'] },
  getSimilarSongs2: { id: ['artist'] },
  getTopSongs: { id: ['artist'] },
  getAlbum: { id: ['album'] },
  getAlbumInfo: { id: ['album', 'song'] },
  getAlbumInfo2: { id: ['album'] },
  getMusicDirectory: { id: ['folder', 'catalog', 'artist', 'album'] },
  getCoverArt: { id: ['song', 'artist', 'album', 'folder', 'playlist', 'smartlist', 'podcast', 'episode'] },
  getVideoInfo: { id: ['video'] },
  getCaptions: { id: ['video'] },
  download: { id: [...media, 'artist', 'album'] },
  stream: { id: media },
  'hls.m3u8': { id: media },
  jukeboxControl: { id: [...media, 'station'] },
  reportPlayback: { mediaId: ['song', 'video'] },
  savePlayQueue: { id: media },
  savePlayQueueByIndex: { id: media },
  scrobble: { id: ['song', 'episode'] },
  setRating: { id: annotated },
  star: stars,
  unstar: stars,
};

/** Kinds of things that a parameter names. */
export const namedKinds = (operation: OperationName, parameter: IdParameter): readonly [CompatKind, ...CompatKind[]] =>
  named[operation]?.[parameter] ?? ['song'];
