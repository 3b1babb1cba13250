import { formatId, type CompatKind } from '../../src/apis/compat/ids.js';
import type { OperationName } from '../../src/apis/compat/registry/names.js';
import { nativeTable } from '../../src/tables.js';
import { nativeMethods } from '../api-facts/api-facts.js';
import { namedKinds } from '../calls/compat/named-kinds.js';
import { idOf, type CallerName } from './callers.fixture.js';
import { HIDDEN } from './two-catalogs.fixture.js';

type Params = Readonly<Record<string, string>>;

/** Subject of a call: visible to everybody, or in the hidden catalog. */
export interface Subject {
  readonly id: string;
  readonly song: string;
  readonly artist: string;
  readonly album: string;
  readonly catalog: string;
  readonly path: string;
  readonly compat: Params;
}

type Ids = readonly [seen: string, hidden: string];
const SONG: Ids = ['1', '5'];
/** Ids in the catalog that is seen and in the hidden one, by kind; anything else is about a song. */
const IDS: Readonly<Record<string, Ids>> = {
  album: ['1', '4'],
  album_disk: ['257', '1025'],
  artist: ['1', '5'],
  genre: ['1', '3'],
  label: ['1', '2'],
  license: ['1', '2'],
  catalog: ['1', '2'],
  folder: ['2', '5'],
  live_stream: ['1', '2'],
  station: ['1', '2'],
  podcast: ['1', '2'],
  episode: ['1', '3'],
};
const reads = (action: string, parameter: string): boolean =>
  nativeTable.some(({ name, parameters }) => name === action && parameters.includes(parameter));
/** Kind of the thing that `filter` names in the REST path of an action. */
const pathKinds: ReadonlyMap<string, string | undefined> = new Map(
  nativeMethods.map(({ name, paths = [] }) => [name, paths.flatMap(({ bind }) => bind?.['filter'] ?? [])[0]?.replace(/_id$/, '')]),
);
/** Kind of what an action is about: that of its path, unless it is about things of several types. */
const nativeKind = (action: string): string => {
  const kind = pathKinds.get(action.replace(/^tag/, 'genre').replace('add_song', 'add')) ?? 'song';
  return action.startsWith(kind) || !reads(action, 'type') ? kind : 'song';
};
const compatKind = (operation: string): CompatKind =>
  namedKinds(operation as OperationName, operation === 'updatePlaylist' ? 'playlistId' : 'id')[0];

/** The number of the share, the playlist, the smartlist and the collection that somebody else has and shows nobody, which `others` asks for. */
export const OTHERS_THING = 7;
/** The number of those that a caller has. */
export const ownThing = (caller: CallerName): number => 100 + idOf(caller);

/** Kinds of things that belong to an account. */
const OWNED: ReadonlySet<string> = new Set(['share', 'playlist', 'smartlist', 'collection', 'bookmark']);

const compatIds = (operation: string, isHidden: boolean): Params => {
  const common: Params = isHidden
    ? { query: HIDDEN, artist: `${HIDDEN} Artist`, title: `One ${HIDDEN}`, genre: `${HIDDEN} Genre`, musicFolderId: '2' }
    : { query: 'Anna', artist: 'Anna Both', title: 'First day', genre: 'Folk' };
  const kind = compatKind(operation);
  const [seen, hidden] = IDS[kind] ?? SONG;
  const id = operation === 'getTopSongs' ? '' : formatId(kind in IDS ? kind : 'song', Number(isHidden ? hidden : seen));
  const list: Params = operation === 'createPlaylist' ? { name: 'New' } : { playlistId: 'pl-1' };
  const username: Params = operation === 'getPlaylists' ? {} : { username: 'listener' };
  const station: Params = operation.endsWith('InternetRadioStation') ? { name: 'New', streamUrl: 'http://radio.example/a.mp3' } : {};
  const place: Params = operation === 'savePlayQueue' ? { current: id } : { currentIndex: '0' };
  const ends: Params = operation === 'findSonicPath' ? { startSongId: 'so-1', endSongId: id } : {};
  const action: Params = operation === 'jukeboxControl' ? { action: 'add' } : {};
  return {
    ...(id && { id }),
    ...action,
    position: '5',
    ...place,
    ...ends,
    rating: '3',
    type: 'byGenre',
    ...username,
    ...list,
    ...station,
    ...common,
  };
};

/** Returns the ids that a caller uses. */
export const idsFor = (caller: CallerName, action: string): Subject => {
  const subject = subjectFor(caller === 'hidden', action);
  // What is about to be made is made of something else.
  if (/create/i.test(action) || ![nativeKind(action), compatKind(action)].some((kind) => OWNED.has(kind))) return subject;
  const id = String(caller === 'others' ? OTHERS_THING : ownThing(caller));
  const named = formatId(compatKind(action), Number(id));
  return { ...subject, id, compat: { ...subject.compat, id: named, playlistId: named } };
};

const subjectFor = (isHidden: boolean, action: string): Subject => {
  const [seen, hidden] = IDS[nativeKind(action)] ?? SONG;
  const compat = compatIds(action, isHidden);
  if (isHidden) {
    const path = `/music/2/${HIDDEN}/Anna/1.flac`;
    return { id: hidden, song: `One ${HIDDEN}`, artist: 'Anna Both', album: `${HIDDEN} Album`, catalog: '2', path, compat };
  }
  return { id: seen, song: 'First day', artist: 'Anna Both', album: 'Day', catalog: '1', path: '/music/1/Anna/Day/1.flac', compat };
};

/** Lists that are asked for a name, as all others are for everything. */
const SEARCHED = /lists$|^initials$/;
const isWholeList = (action: string): boolean =>
  action === 'catalogs' || (reads(action, 'exact') && !pathKinds.get(action) && !SEARCHED.test(action));

/** The playlist folder that each caller has, and the playlist that all see. */
const OWN_FOLDER: Params = { filter: '1' };
const SEEN_PLAYLIST = '1';

/** Parameters of actions that differ. */
const OTHERWISE: Readonly<Record<string, Params>> = {
  browse: { type: 'root', filter: '' },
  search_group: { type: 'music' },
  search_rules: { filter: 'song' },
  catalog_add: { type: 'local', path: '/music/new' },
  catalog_create: { type: 'local', path: '/music/new' },
  preference_create: { type: 'string', default: 'x', category: 'interface', description: 'x', level: '25', filter: 'own_word' },
  preference_edit: { filter: 'popular_threshold', value: '50' },
  system_preference: { filter: 'popular_threshold' },
  user_preference: { filter: 'popular_threshold' },
  bookmark: { type: 'bookmark' },
  bookmark_delete: { type: 'bookmark', client: '' },
  bookmark_edit: { type: 'bookmark', client: '', position: '5' },
  bookmark_create: { position: '5' },
  playlist_add: { id: '1' },
  playlist_add_song: { song: '1' },
  playlist_remove: { id: '1' },
  playlist_remove_song: { song: '1' },
  playlist_create: { name: 'New', type: 'private' },
  playlist_edit: { name: 'Renamed', type: 'private' },
  democratic: { method: 'vote' },
  localplay: { command: 'add' },
  heard: { since: '1000000000', filter: 'frequent' },
  listening: { since: '1000000000' },
  playlist_folder: OWN_FOLDER,
  playlist_folder_add: { ...OWN_FOLDER, type: 'playlist', id: SEEN_PLAYLIST },
  playlist_folder_delete: OWN_FOLDER,
  playlist_folder_edit: OWN_FOLDER,
  playlist_folder_items: OWN_FOLDER,
  playlist_folder_remove: { ...OWN_FOLDER, type: 'playlist', id: SEEN_PLAYLIST },
  smartlist_create: { name: 'New', type: 'private' },
  smartlist_edit: { name: 'Renamed', type: 'private' },
  collection_create: { name: 'New', type: 'private', object_type: 'song' },
  collection_edit: { name: 'Renamed', type: 'private' },
  collection_add: { id: '1', object_type: 'song' },
  collection_remove: { id: '1' },
  live_stream_create: { codec: 'mp3', url: 'http://radio.example/a.mp3' },
  podcast_create: { url: 'http://talks.example/other' },
  podcast_edit: { title: 'Renamed' },
  user_create: { username: 'newcomer', password: 'a'.repeat(64), email: 'new@example.org' },
};

/** Parameters that an action can be called with; what it does not know it does not look at. */
export const nativeParams = (action: string, { id, song, artist, album, catalog, path }: Subject): Params => ({
  filter: action === 'url_to_song' ? `http://localhost/play/index.php?type=song&oid=${id}` : id,
  id,
  type: action.startsWith('update_art') ? 'album' : 'song',
  limit: '5',
  song,
  artist,
  album,
  catalog,
  file: path,
  folder: path.slice(0, path.lastIndexOf('/')),
  path,
  task: action === 'catalog_action' ? 'verify_catalog' : 'verify',
  name: 'name',
  rating: '3',
  flag: '1',
  date: '1717000000',
  client: 'spec',
  state: 'play',
  user: 'listener',
  username: 'listener',
  operator: 'and',
  rule_1: 'title',
  rule_1_operator: '4',
  rule_1_input: song,
  ...(isWholeList(action) ? { filter: '' } : {}),
  ...OTHERWISE[action],
});
