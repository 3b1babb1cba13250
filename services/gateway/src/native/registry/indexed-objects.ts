import { catalogsByIds } from '../../reads/catalogs.reads.js';
import { childIds } from '../../reads/children.reads.js';
import type { IdList } from '../../reads/id-list.js';
import { liveStreamsByIds } from '../../reads/live-streams.reads.js';
import { namesByIds, type NamedKind } from '../../reads/names.reads.js';
import { videosByIds } from '../../reads/videos.reads.js';
import { episodesByIds } from '../../reads/podcasts.reads.js';
import { badValue } from '../errors/native-fault.js';
import { albumsWithSongs, artistsWith, expandedResult, podcastsWithEpisodes } from '../expansion.js';
import type { CallerCall } from '../method.js';
import { albumObject } from '../objects/album.object.js';
import { artistObject } from '../objects/artist.object.js';
import { catalogObject } from '../objects/catalog.object.js';
import { liveStreamObject } from '../objects/live-stream.object.js';
import { slimAlbumObject, slimArtistObject, slimSongObject, type SlimArtist } from '../objects/slim.object.js';
import { episodeObject, podcastObject, slimPodcastObject } from '../objects/podcast.object.js';
import { playlistObject, slimPlaylistObject } from '../objects/playlist.object.js';
import { songObject } from '../objects/song.object.js';
import { videoObject } from '../objects/video.object.js';
import { pageResult, type ListParams } from '../paging.js';
import type { NativeResult } from '../result.js';
import { listsPage } from './reading-playlists.js';
import { sharesPage } from './reading-shares.js';
import { readAlbums, readArtists, readPodcasts, readSongs, type Reader } from './reading.js';

type Page = CallerCall<Pick<ListParams, 'offset' | 'limit'>>;

/** Artists by name with the names of their albums, in whatever role: three statements whatever their number. */
export const readSlimArtists = async (reader: Reader, ids: ArrayLike<number>): Promise<SlimArtist[]> => {
  const { services, viewer } = reader;
  const [artists, albumIdsOf] = await Promise.all([
    namesByIds(services.db, 'artist', ids, viewer),
    childIds(services.db, 'artist-albums', ids, viewer),
  ]);
  const albumIds = new Set(Array.from(ids).flatMap((id) => Array.from(albumIdsOf(id))));
  const albums = new Map((await namesByIds(services.db, 'album', [...albumIds], viewer)).map((album) => [album.id, album]));
  return artists.map((view) => ({ view, albumNames: Array.from(albumIdsOf(view.id)).flatMap((id) => albums.get(id) ?? []) }));
};

const songs = (call: Page, list: IdList): Promise<NativeResult> =>
  pageResult(call, list, {
    table: call.format === 'xml' ? slimSongObject : songObject,
    read: (ids, start) => readSongs(call, ids, start),
  });

const albums = (call: Page, list: IdList, withSongs: boolean): Promise<NativeResult> =>
  withSongs
    ? expandedResult(call, list, { table: albumObject, steps: (ids) => albumsWithSongs(call, ids) })
    : pageResult(call, list, {
        table: call.format === 'xml' ? slimAlbumObject : albumObject,
        read: (ids) => readAlbums(call, ids),
      });

const artists = (call: Page, list: IdList, expanded: boolean): Promise<NativeResult> => {
  if (expanded) {
    return expandedResult(call, list, { table: artistObject, steps: (ids) => artistsWith(call, ids, { albums: true, songs: true }) });
  }
  if (call.format === 'xml') return pageResult(call, list, { table: slimArtistObject, read: (ids) => readSlimArtists(call, ids) });
  return pageResult(call, list, { table: artistObject, read: (ids) => readArtists(call, ids) });
};

const podcasts = (call: Page, list: IdList, expanded: boolean): Promise<NativeResult> => {
  const table = call.format === 'xml' ? slimPodcastObject : podcastObject;
  return expanded
    ? expandedResult(call, list, { table, steps: (ids) => podcastsWithEpisodes(call, ids) })
    : pageResult(call, list, { table, read: (ids) => readPodcasts(call, ids) });
};

/**
 * One page of things as `get_indexes` shows them: whole in JSON, reduced to their names in XML unless what hangs off them is included
 * (versions.md section 8).
 */
export const objectsOf = (call: Page, kind: NamedKind, list: IdList, expanded: boolean): Promise<NativeResult> => {
  switch (kind) {
    case 'song':
      return songs(call, list);
    case 'album':
      return albums(call, list, expanded);
    case 'artist':
      return artists(call, list, expanded);
    case 'catalog':
      return pageResult(call, list, { table: catalogObject, read: (ids) => catalogsByIds(call.services.db, ids, call.viewer) });
    case 'share':
      return sharesPage(call, list);
    case 'video':
      return pageResult(call, list, { table: videoObject, read: (ids) => videosByIds(call.services.db, ids, call.viewer) });
    case 'live_stream':
      return pageResult(call, list, { table: liveStreamObject, read: (ids) => liveStreamsByIds(call.services.db, ids, call.viewer) });
    case 'podcast':
      return podcasts(call, list, expanded);
    case 'podcast_episode':
      return pageResult(call, list, { table: episodeObject, read: (ids) => episodesByIds(call.services.db, ids, call.viewer) });
    case 'playlist':
    case 'playlist_search':
      return listsPage(call, list, { expanded, table: call.format === 'xml' ? slimPlaylistObject : playlistObject });
    case 'album_disk':
      throw badValue('type', kind);
  }
};
