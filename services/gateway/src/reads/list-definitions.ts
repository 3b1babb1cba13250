import { albumDiskList } from './album-disk-list.js';
import { albumList } from './album-list.js';
import { artistList } from './artist-list.js';
import { followerList } from './follower-list.js';
import { folderList } from './folder-list.js';
import type { Condition, FilterRow, ListDefinition, ListKind, SortRow } from './list-query.js';
import { liveStreamList } from './live-stream-list.js';
import { deletedEpisodeList, episodeList, podcastList } from './podcast-list.js';
import { playlistList, playlistSearchList, smartlistList } from './playlist-list.js';
import { shareList } from './share-list.js';
import { catalogList, deletedSongList, genreList, labelList, licenseList } from './small-lists.js';
import { songList } from './song-list.js';
import { userList } from './user-list.js';
import { deletedVideoList, videoList } from './video-list.js';

/** How each kind is listed. A new kind is a file of its own and a line here. */
export const definitions: Readonly<Record<ListKind, ListDefinition>> = {
  song: songList,
  album: albumList,
  album_disk: albumDiskList,
  artist: artistList,
  genre: genreList,
  label: labelList,
  license: licenseList,
  catalog: catalogList,
  folder: folderList,
  user: userList,
  follower: followerList,
  share: shareList,
  video: videoList,
  live_stream: liveStreamList,
  playlist: playlistList,
  playlist_search: playlistSearchList,
  smartlist: smartlistList,
  podcast: podcastList,
  podcast_episode: episodeList,
  deleted_song: deletedSongList,
  deleted_video: deletedVideoList,
  deleted_podcast_episode: deletedEpisodeList,
};

/** The order that is another one each time; none of the kinds that know it asks the database for it. */
export const RANDOM = 'rand';
const shuffled: ReadonlySet<ListKind> = new Set([
  'song',
  'album',
  'album_disk',
  'artist',
  'genre',
  'folder',
  'user',
  'video',
  'playlist',
  'playlist_search',
  'smartlist',
  'podcast',
  'podcast_episode',
]);

/** The filter of a name; undefined for an unknown one. */
export const filterOf = (kind: ListKind, name: string): FilterRow | undefined =>
  Object.hasOwn(definitions[kind].filters, name) ? definitions[kind].filters[name] : undefined;

/** The order of a name; undefined for an unknown one. */
export const sortOf = (kind: ListKind, name: string): SortRow | undefined =>
  Object.hasOwn(definitions[kind].sorts, name) ? definitions[kind].sorts[name] : undefined;

/** True for an order that lists of this kind know. */
export const knowsSort = (kind: ListKind, name: string): boolean =>
  (name === RANDOM && shuffled.has(kind)) || sortOf(kind, name) !== undefined;

/** Filters that take the place of others (browse.md, filter glossary). */
const cleared: ReadonlyMap<string, readonly string[]> = new Map([
  ['no_genre', ['genre', 'tag']],
  ['no_tag', ['genre', 'tag']],
  ['regex_match', ['regex_not_match']],
  ['regex_not_match', ['regex_match']],
]);

const asClientSends = (kind: ListKind, condition: Condition): Condition[] => {
  if (filterOf(kind, condition.name)?.own === true) return [];
  // `cond` cannot carry a list of ids.
  return [condition.name === 'id' ? { name: 'id', value: '' } : condition];
};

/**
 * All conditions of a list: the kind's own, the method's, then the client's. One that comes again replaces the earlier one, some also replace those that
 * they contradict. Clients cannot name filters of the methods' own.
 */
export const conditionsOf = (kind: ListKind, own: readonly Condition[], client: readonly Condition[]): Condition[] => {
  const byName = new Map<string, Condition>();
  const all = [...(definitions[kind].presets ?? []), ...own, ...client.flatMap((condition) => asClientSends(kind, condition))];
  for (const condition of all) {
    for (const name of cleared.get(condition.name) ?? []) byName.delete(name);
    byName.set(condition.name, condition);
  }
  return [...byName.values()];
};
