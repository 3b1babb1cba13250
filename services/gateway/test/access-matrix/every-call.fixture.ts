import { idPrefixes } from '../../src/apis/compat/ids.js';
import { listTypes } from '../../src/apis/compat/registry/library/lists.endpoints.js';
import type { Params } from './comparison.fixture.js';
import { HIDDEN } from './two-catalogs.fixture.js';

/** Ids of everything in either catalog and of things that are in none; disks of albums have greater ones. */
export const IDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 257, 258, 513, 769, 1025, 1026, 1281].map(String);
const NAMES = ['', 'Anna Both', `${HIDDEN} Artist`, HIDDEN, 'Alone', '%', '/music/2', `/music/2/${HIDDEN}/Anna/1.flac`];
const TYPES = [
  'song',
  'album',
  'artist',
  'album_artist',
  'song_artist',
  'album_disk',
  'genre',
  'label',
  'catalog',
  'folder',
  'license',
  'root',
  'playlist',
  'video',
  'live_stream',
  'podcast',
  'podcast_episode',
];
const ORDERS = ['newest', 'highest', 'frequent', 'recent', 'forgotten', 'flagged'];
/** Actions that read `type`. */
export const TYPED: ReadonlySet<string> = new Set([
  'bookmark',
  'bookmark_create',
  'bookmark_delete',
  'bookmark_edit',
  'browse',
  'flag',
  'get_art',
  'get_bookmark',
  'get_indexes',
  'get_similar',
  'index',
  'list',
  'rate',
  'stats',
  'search',
  'search_group',
  'advanced_search',
  'search_rules',
  'stream',
  'download',
  'random',
]);
/** Calls whose answer is left to chance, and is judged by what it names; statistics are when they are asked for no order that they know. */
export const isByChance = ({ action = '', filter = '' }: Params): boolean =>
  ['random', 'playlist_generate'].includes(action) || (action === 'stats' && !ORDERS.includes(filter));

const rule = (input: string): Params => ({ rule_1: 'anywhere', rule_1_operator: '0', rule_1_input: input, operator: 'and' });
/** Calls of actions that read `type`. */
export const typedCalls: readonly Params[] = TYPES.flatMap((type): Params[] => [
  { type, limit: 'none', include: '1' },
  ...IDS.slice(0, 9).map((id) => ({ type, id, filter: id, catalog: '1', rating: '3', flag: '1', position: '5' })),
  ...IDS.slice(0, 4).map((id) => ({ type, filter: id, catalog: '2' })),
  ...ORDERS.map((filter) => ({ type, filter, limit: '20' })),
  { type, ...rule('a') },
  { type, ...rule(HIDDEN) },
  { type, rule_1: 'year', rule_1_operator: '1', rule_1_input: '1970', operator: 'and' },
  { type, rule_1: 'myplayed', rule_1_operator: '0', rule_1_input: '1', operator: 'and' },
]);
/** Calls of actions that are told by a parameter of their own what to do. */
export const toldCalls: Readonly<Record<string, readonly Params[]>> = {
  democratic: ['vote', 'devote', 'playlist', 'play'].flatMap((method): Params[] => [
    { method, limit: 'none' },
    ...IDS.slice(0, 9).map((oid) => ({ method, oid })),
  ]),
  live_stream_create: ['1', '2', '3', '9'].map((catalog) => ({ catalog, codec: 'mp3', name: 'New', url: 'http://radio.example' })),
  live_stream_edit: IDS.slice(0, 4).flatMap((filter) => ['', '1', '2', '9'].map((catalog) => ({ filter, name: 'New', catalog }))),
  podcast_create: ['1', '2', '9'].map((catalog) => ({ catalog, url: 'http://talks.example/other' })),
  podcast_edit: IDS.slice(0, 4).map((filter) => ({ filter, title: 'New' })),
  localplay: [
    { command: 'status' },
    ...['song', 'video', 'album', 'artist', 'playlist', 'democratic', 'live_stream', 'podcast_episode'].flatMap((type) =>
      IDS.slice(0, 9).map((id) => ({ command: 'add', type, filter: id, oid: id })),
    ),
  ],
};
/** Calls of every action. */
export const plainCalls: readonly Params[] = [
  { limit: 'none' },
  { limit: '1', offset: '1', include: 'albums,songs' },
  ...['admin', 'listener'].map((name) => ({ filter: name, username: name, user: name, limit: '50', include: '1' })),
  ...IDS.map((id) => ({ filter: id, id, oid: id, limit: 'none', include: '1' })),
  ...NAMES.map((name) => ({
    filter: name,
    song: name,
    artist: name,
    album: name,
    url: name,
    file: name,
    folder: name,
    path: name,
    catalog: '1',
  })),
  ...NAMES.map((name) => ({
    filter: name,
    song: 'Alone',
    artist: 'Bert Seen',
    album: 'Solo',
    task: 'verify_catalog',
    catalog: '2',
    client: 'x',
  })),
  ...IDS.slice(0, 9).map((id) => ({
    filter: id,
    type: 'song',
    id,
    state: 'play',
    date: '1717000000',
    user: 'admin',
    url: `http://localhost/play/index.php?oid=${id}&type=song`,
  })),
];

/** Calls of every operation. */
export const compatCalls: readonly Params[] = [
  { action: 'get' },
  ...IDS.slice(0, 9).map((id) => ({ startSongId: 'so-1', endSongId: `so-${id}`, count: '5' })),
  ...['so', 'vi', 'li'].flatMap((prefix) => IDS.slice(0, 10).map((id) => ({ action: 'add', id: `${prefix}-${id}` }))),
  { size: '50', count: '50' },
  ...Object.values(idPrefixes).flatMap((prefix) =>
    IDS.slice(0, 10).map((id) => ({
      id: `${prefix}-${id}`,
      rating: '3',
      count: '50',
      position: '5',
      current: `${prefix}-${id}`,
      currentIndex: '0',
    })),
  ),
  ...IDS.slice(0, 10).map((id) => ({ id, musicFolderId: id, albumId: `al-${id}`, artistId: `ar-${id}` })),
  ...listTypes.flatMap((type) =>
    ['', '1', '2'].map((musicFolderId) => ({
      type,
      musicFolderId,
      fromYear: '1900',
      toYear: '2020',
      genre: `${HIDDEN} Genre`,
      size: '50',
    })),
  ),
  ...['Folk', 'Rock', `${HIDDEN} Genre`].map((genre) => ({ genre, type: 'byGenre', count: '50' })),
  ...IDS.slice(0, 8).map((id) => ({ playlistId: 'pl-1', songId: `so-${id}`, songIdToAdd: `so-${id}`, songIndexToRemove: id })),
  ...IDS.slice(0, 4).map((id) => ({ id: `li-${id}`, name: 'New', streamUrl: 'http://radio.example' })),
  ...IDS.slice(0, 8).map((id) => ({ name: 'New', songId: `so-${id}`, playlistId: '' })),
  ...NAMES.map((name) => ({ query: name, artist: name, title: 'Alone', username: 'listener' })),
  { query: 'a', any: 'a', album: 'a' },
];
