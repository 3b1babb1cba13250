import { someOf } from '@continuo/local-servers/test-form';
import { idPrefixes } from '../../src/apis/compat/ids.js';
import { listTypes } from '../../src/apis/compat/registry/library/lists.endpoints.js';
import { modes } from '../../src/apis/native/registry/library/statistics.methods.js';
import { callWords, compatTable, nativeTable } from '../../src/tables.js';
import type { Params } from './comparison.fixture.js';
import { HIDDEN } from './two-catalogs.fixture.js';

/** Ids of everything in either catalog and of things that are in none; disks of albums have greater ones. */
export const IDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 257, 258, 513, 769, 1025, 1026, 1281].map(String);
const NAMES = ['', 'Anna Both', `${HIDDEN} Artist`, HIDDEN, 'Alone', '%', '/music/2', `/music/2/${HIDDEN}/Anna/1.flac`];
const NAMED_BY = ['filter', 'song', 'artist', 'album', 'url', 'file', 'folder', 'path'];
/** So many calls of an action are not thinned out. */
const FEW_CALLS = 10;
const PLAY = 'http://localhost/play/index.php';
/** Names of a hidden song. */
const HIDDEN_SONG: Params = { song: `One ${HIDDEN}`, title: `One ${HIDDEN}`, artist: 'Anna Both', album: `${HIDDEN} Album` };
/** Values of parameters that name nothing. */
const USUAL: Params = { rating: '3', flag: '1', position: '5', state: 'play', date: '1717000000', name: 'New', title: 'New', codec: 'mp3' };
const TYPES = [...callWords.kinds, 'root'];
const ORDERS = modes.filter((mode) => mode !== 'random');
/** Calls whose answer is left to chance, and is judged by what it names; statistics are when they are asked for no order that they know. */
export const isByChance = ({ action = '', filter = '' }: Params): boolean =>
  ['random', 'playlist_generate'].includes(action) || (action === 'stats' && !ORDERS.includes(filter));

const rule = (name: string, input: string, operator = '0'): Params => ({
  rule_1: name,
  rule_1_operator: operator,
  rule_1_input: input,
  operator: 'and',
  name: 'New',
});
/** Calls of actions that read a type. */
const typedCalls: readonly Params[] = TYPES.flatMap((type): Params[] => [
  { type, limit: 'none', include: '1' },
  ...IDS.slice(0, 9).map((id) => ({ ...USUAL, type, id, filter: id, catalog: '1' })),
  ...IDS.slice(0, 4).map((id) => ({ type, filter: id, catalog: '2' })),
]);
/** Calls of actions that put something into a list, or take it out. */
const memberCalls: readonly Params[] = TYPES.flatMap((type) => IDS.slice(0, 9).map((id) => ({ type, object_type: type, id, filter: '1' })));
const rules = [rule('anywhere', 'a'), rule('anywhere', HIDDEN), rule('year', '1970', '1'), rule('myplayed', '1')];
/** Calls of actions that are told by a parameter of their own what to do. */
const toldCalls: Readonly<Record<string, readonly Params[]>> = {
  search_rules: TYPES.map((filter) => ({ filter })),
  smartlist_create: rules,
  smartlist_edit: rules.map((ruled) => ({ ...ruled, filter: '1' })),
  stats: TYPES.flatMap((type) => ORDERS.map((filter) => ({ type, filter, limit: '20' }))),
  democratic: ['vote', 'devote', 'playlist', 'play'].flatMap((method): Params[] => [
    { method, limit: 'none' },
    ...IDS.slice(0, 9).map((oid) => ({ method, oid })),
  ]),
  localplay: [
    { command: 'status' },
    ...[...TYPES, 'democratic'].flatMap((type) => IDS.slice(0, 9).map((id) => ({ command: 'add', type, filter: id, oid: id }))),
  ],
};
/** Calls of every action. */
const plainCalls: readonly Params[] = [
  HIDDEN_SONG,
  { limit: 'none' },
  { limit: '1', offset: '1', include: 'albums,songs' },
  ...['admin', 'listener'].map((name) => ({ filter: name, username: name, user: name, limit: '50', include: '1' })),
  ...IDS.map((id) => ({ filter: id, id, oid: id, limit: 'none', include: '1' })),
  ...IDS.slice(0, 9).map((id) => ({ ...USUAL, filter: '1', id, song: id, songs: id, items: id, tracks: '1' })),
  ...IDS.slice(0, 4).flatMap((filter) =>
    ['', '1', '2', '3', '9'].map((catalog) => ({ ...USUAL, filter, catalog, url: 'http://radio.example' })),
  ),
  ...NAMES.flatMap((name): Params[] => [
    { ...Object.fromEntries(NAMED_BY.map((parameter) => [parameter, name])), catalog: '1' },
    { filter: name, song: 'Alone', artist: 'Bert Seen', album: 'Solo', task: 'verify_catalog', catalog: '2', client: 'x' },
  ]),
  ...IDS.slice(0, 9).map((id) => ({ ...USUAL, filter: id, type: 'song', id, user: 'admin', url: `${PLAY}?oid=${id}&type=song` })),
];

/** Calls as far as their parameters are read, each once. */
const readOf = (calls: readonly Params[], isRead: (name: string) => boolean): readonly Params[] => {
  const read = calls.map((params): Params => Object.fromEntries(Object.entries(params).filter(([name]) => isRead(name))));
  return [...new Map(read.map((params) => [JSON.stringify(params), params])).values()];
};

/** Calls of an action for this run: a quarter, but all of those that are few. */
const someCalls = (calls: readonly Params[]): readonly Params[] => someOf(calls, Math.max(FEW_CALLS, Math.ceil(calls.length / 4)));

/** Actions, each with calls that its parameters allow. Searches name none of theirs, since those of rules are numbered. */
export const everyAction = nativeTable.map(({ name: action, parameters, versions }) => {
  const isSearch = parameters.length === 0 && action.includes('search');
  const calls = [
    ...plainCalls,
    ...(parameters.includes('type') ? typedCalls : []),
    ...(/^(?:playlist|collection)_/.test(action) ? memberCalls : []),
    ...(isSearch ? TYPES.flatMap((type) => [{ type }, ...rules.map((ruled) => ({ ...ruled, type }))]) : []),
    ...(toldCalls[action] ?? []),
  ];
  const read = readOf(calls, (name) => isSearch || name.startsWith('rule_') || parameters.includes(name));
  return { action, versions, calls: someCalls(read) };
});

const compatCalls: readonly Params[] = [
  HIDDEN_SONG,
  { title: `One ${HIDDEN}`, any: HIDDEN },
  { query: 'a', any: 'a', album: 'a' },
  { action: 'get' },
  { size: '50', count: '50' },
  ...Object.values(idPrefixes)
    .flatMap((prefix) => IDS.slice(0, 10).map((id) => `${prefix}-${id}`))
    .map((id) => ({ id, current: id, currentIndex: '0', rating: '3', count: '50', position: '5', action: 'add' })),
  ...IDS.slice(0, 10).flatMap((id): Params[] => [
    { id, musicFolderId: id, albumId: `al-${id}`, artistId: `ar-${id}`, name: 'New', songId: `so-${id}`, playlistId: '' },
    { id: `li-${id}`, name: 'New', streamUrl: 'http://radio.example', startSongId: 'so-1', endSongId: `so-${id}`, count: '5' },
    { playlistId: 'pl-1', songId: `so-${id}`, songIdToAdd: `so-${id}`, songIndexToRemove: id },
    { mediaId: `so-${id}`, mediaType: 'song', positionMs: '5', state: 'playing', transcodeParams: 'x' },
  ]),
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
  ...NAMES.map((name) => ({ query: name, artist: name, title: 'Alone', username: 'listener' })),
];

/** Operations, each with calls that its parameters allow; lists in random order are left out. */
export const everyOperation = compatTable.map(({ name: operation, parameters }) => ({
  operation,
  calls: someCalls(
    readOf(
      compatCalls.filter(({ type }) => operation !== 'getRandomSongs' && type !== 'random'),
      (name) => parameters.includes(name),
    ),
  ),
}));
