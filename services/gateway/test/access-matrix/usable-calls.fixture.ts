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

/** Ids by the first word of an action, in the catalog that is seen and in the hidden one; anything else is about a song. */
const IDS: Readonly<Record<string, readonly [string, string]>> = {
  album: ['1', '4'],
  'album disk': ['257', '1025'],
  artist: ['1', '5'],
  genre: ['1', '3'],
  tag: ['1', '3'],
  label: ['1', '2'],
  license: ['1', '2'],
  catalog: ['1', '2'],
  folders: ['2', '5'],
  live: ['1', '2'],
  podcast: ['1', '2'],
  'podcast episode': ['1', '3'],
};

/** The number of the share, the playlist, the smartlist and the collection that somebody else has and shows nobody, which `others` asks for. */
export const OTHERS_THING = 7;
/** The number of those that a caller has. */
export const ownThing = (caller: CallerName): number => 100 + idOf(caller);

/** Actions about something that belongs to an account, and what stands before its number in the compatibility API. */
const OWNED: readonly (readonly [RegExp, string])[] = [
  [/^(?:share(?:_edit|_delete)?|(?:update|delete)Share)$/, 'sh'],
  [/^(?:playlist(?:_(?!create|generate|folder)\w+)?|(?:get|update|delete)Playlist)$/, 'pl'],
  [/^smartlist(?:_\w+)?$/, 'sp'],
  [/^collection(?:_(?!create)\w+)?$/, ''],
  [/^bookmark(?:_(?!create)\w+)?$/, ''],
];

const kindOf = (action: string): string => {
  if (action === 'album_disks') return 'album';
  if (action.startsWith('album_disk')) return 'album disk';
  if (action === 'get_art') return 'song';
  if (action === 'update_podcast' || action === 'podcast_episodes') return 'podcast';
  if (action.startsWith('podcast_episode')) return 'podcast episode';
  return /^[a-z]+?(?=s?(?:_|$))/.exec(action)?.[0] ?? '';
};

const compatIds = (operation: string, isHidden: boolean): Params => {
  const common: Params = isHidden
    ? { query: HIDDEN, artist: `${HIDDEN} Artist`, title: `One ${HIDDEN}`, genre: `${HIDDEN} Genre`, musicFolderId: '2' }
    : { query: 'Anna', artist: 'Anna Both', title: 'First day', genre: 'Folk' };
  const of = (prefix: string, [seen, hidden]: readonly [string, string]): string => `${prefix}-${isHidden ? hidden : seen}`;
  let id = of('so', ['1', '5']);
  if (/^get(?:Album|AlbumInfo2?)$/.test(operation)) id = of('al', ['1', '4']);
  if (/^get(?:Artist|ArtistInfo2?)$/.test(operation)) id = of('ar', ['1', '5']);
  if (operation === 'getSimilarSongs2') id = of('ar', ['1', '5']);
  if (operation === 'getTopSongs') id = '';
  if (operation === 'getMusicDirectory') id = of('fo', ['2', '5']);
  if (operation.endsWith('Playlist')) id = 'pl-1';
  if (operation.endsWith('InternetRadioStation')) id = of('li', ['1', '2']);
  if (operation === 'getPodcasts' || operation === 'deletePodcastChannel') id = of('po', ['1', '2']);
  if (operation.endsWith('PodcastEpisode')) id = of('pe', ['1', '3']);
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
  const prefix = OWNED.find(([actions]) => actions.test(action))?.[1];
  if (prefix === undefined) return subject;
  const id = String(caller === 'others' ? OTHERS_THING : ownThing(caller));
  const named = `${prefix}-${id}`;
  return { ...subject, id, compat: { ...subject.compat, id: named, playlistId: named } };
};

const subjectFor = (isHidden: boolean, action: string): Subject => {
  const [seen, hidden] = IDS[kindOf(action)] ?? ['1', '5'];
  const compat = compatIds(action, isHidden);
  if (isHidden) {
    const path = `/music/2/${HIDDEN}/Anna/1.flac`;
    return { id: hidden, song: `One ${HIDDEN}`, artist: 'Anna Both', album: `${HIDDEN} Album`, catalog: '2', path, compat };
  }
  return { id: seen, song: 'First day', artist: 'Anna Both', album: 'Day', catalog: '1', path: '/music/1/Anna/Day/1.flac', compat };
};

const ALL: Params = { filter: '' };
/** Parameters of actions that differ; lists have no filter. */
const OTHERWISE: Readonly<Record<string, Params>> = {
  ...Object.fromEntries(
    [
      'albums',
      'artists',
      'catalogs',
      'genres',
      'labels',
      'licenses',
      'songs',
      'tags',
      'videos',
      'shares',
      'deleted_songs',
      'live_streams',
      'podcasts',
      'deleted_podcast_episodes',
    ].map((name) => [name, ALL]),
  ),
  list: ALL,
  index: ALL,
  get_indexes: ALL,
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
  collection_create: { name: 'New', type: 'private', object_type: 'song' },
  collection_edit: { name: 'Renamed', type: 'private' },
  collection_add: { id: '1', object_type: 'song' },
  collection_remove: { id: '1' },
  live_stream_create: { codec: 'mp3', url: 'http://radio.example/a.mp3' },
  podcast_create: { url: 'http://talks.example/other' },
  podcast_edit: { title: 'Renamed' },
  user_create: { username: 'newcomer', password: 'a password', email: 'new@example.org' },
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
  ...OTHERWISE[action],
});
