import { actionAliases } from '../registry/action-aliases.js';
import type { ApiVersion } from '../versions/policy.js';

/** Action and path parameters of a REST call. */
export interface RestCall {
  readonly action: string;
  readonly params: Readonly<Record<string, string>>;
  /** Oldest version that has the path, if newer than the action. */
  readonly since?: ApiVersion;
}

/** HTTP verbs of the REST form. HEAD is GET without the body. */
export type RestVerb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const verbSuffix: Readonly<Record<RestVerb, string>> = { GET: '', POST: '', PUT: '_create', PATCH: '_edit', DELETE: '_delete' };

/** Path segment in the spelling of actions. */
const word = (text: string): string => text.toLowerCase().replaceAll('-', '_');

/** Words with the same singular and plural. */
const unchanged: ReadonlySet<string> = new Set(['democratic', 'localplay', 'search', 'stats', 'index', 'browse']);

/** Own property of a table: names come from clients, so inherited ones must not match. */
const own = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined => (Object.hasOwn(table, name) ? table[name] : undefined);

const singular = (plural: string): string => (unchanged.has(plural) || !plural.endsWith('s') ? plural : plural.slice(0, -1));

/** Fixed paths. */
const fixedPaths: Readonly<Record<string, RestCall>> = {
  '': { action: 'ping', params: {} },
  me: { action: 'user', params: {} },
  'me/playlists': { action: 'user_playlists', params: {} },
  'me/smartlists': { action: 'user_smartlists', params: {} },
  'me/now_playing': { action: 'now_playing', params: {} },
  'me/listening': { action: 'listening', params: {} },
  'me/heard': { action: 'heard', params: {} },
  'me/last_shouts': { action: 'last_shouts', params: {} },
  'me/friends_timeline': { action: 'friends_timeline', params: {} },
  'me/lost_password': { action: 'lost_password', params: {} },
  'preferences/system': { action: 'system_preferences', params: {} },
  'preferences/user': { action: 'user_preferences', params: {} },
  'localplay/songs': { action: 'localplay_songs', params: {} },
  'songs/lookup/url_to_song': { action: 'url_to_song', params: {} },
  'songs/playlist_generate': { action: 'playlist_generate', params: {} },
  update: { action: 'system_update', params: {} },
};

/** Last segments that apply to all objects of a type. */
const kindPaths: Readonly<Record<string, (plural: string) => RestCall>> = {
  deleted: (plural) => ({ action: `deleted_${plural}`, params: {} }),
  initials: (plural) => ({ action: 'initials', params: { type: singular(plural) } }),
  stats: (plural) => ({ action: 'stats', params: { type: singular(plural) } }),
  search: (plural) => ({ action: 'search', params: { type: singular(plural) } }),
};

/** Action of the last segment in `{type}/{filter}/{word}`, for some types or all. */
const renames: Readonly<
  Record<
    string,
    {
      readonly to: string;
      readonly under?: readonly string[];
      readonly params?: Readonly<Record<string, string>>;
      readonly untyped?: true;
    }[]
  >
> = {
  songs: [{ to: '*_songs' }],
  albums: [{ to: '*_albums' }],
  artists: [{ to: '*_artists' }],
  disks: [{ to: 'album_disks', under: ['album'] }],
  // For playlist folders `type` is that of the filed list.
  items: [{ to: 'playlist_folder_items', under: ['playlist_folder'], untyped: true }, { to: '*_items' }],
  hash: [{ to: 'playlist_hash' }],
  art: [{ to: 'get_art' }],
  action: [{ to: 'catalog_action' }],
  add: [
    { to: 'catalog_action', under: ['catalog'], params: { task: 'add_to_catalog' } },
    // Here `type` is that of the added object, a song by default.
    { to: 'playlist_add', under: ['playlist'], untyped: true },
  ],
  clean: [{ to: 'catalog_action', under: ['catalog'], params: { task: 'clean_catalog' } }],
  update: [{ to: 'catalog_action', under: ['catalog'], params: { task: 'update_catalog' } }],
  verify: [{ to: 'catalog_action', under: ['catalog'], params: { task: 'verify_catalog' } }],
  file: [{ to: 'catalog_file' }],
  folder: [{ to: 'catalog_folder' }],
  remove: [{ to: 'playlist_remove', under: ['playlist'], untyped: true }],
  remove_song: [{ to: 'playlist_remove_song', under: ['playlist'] }],
  fetch_info: [{ to: 'update_artist_info' }],
  fetch_metadata: [{ to: 'get_external_metadata' }],
  update_tags: [{ to: 'update_from_tags' }],
  follow: [{ to: 'toggle_follow' }],
  similar: [{ to: 'get_similar' }],
  groups: [{ to: 'search_group' }],
  rules: [{ to: 'smartlist_rules', under: ['smartlist'] }, { to: 'search_rules' }],
  lyrics: [{ to: 'get_lyrics' }],
  captions: [{ to: 'video_captions', under: ['video'] }],
  tags: [{ to: 'song_tags', under: ['song'] }],
  share: [{ to: 'share_create' }],
  playback: [{ to: 'player' }],
  sync: [{ to: 'update_podcast' }],
  localplay: [{ to: 'localplay', params: { command: 'add' } }],
};

const onOne = (plural: string, filter: string, last: string): RestCall => {
  const type = singular(plural);
  const rename = own(renames, last)?.find(({ under }) => under === undefined || under.includes(type));
  return { action: (rename?.to ?? last).replace('*', type), params: { ...(rename?.untyped ? {} : { type }), filter, ...rename?.params } };
};

/** Folders are addressed by id or by their path. */
const byPath = (action: string, rest: readonly string[]): RestCall => {
  const [first] = rest;
  const filter = rest.length === 1 && first !== undefined && /^-?\d+$/.test(first) ? first : `/${rest.join('/')}`;
  return { action, params: { filter } };
};

const special = (words: readonly string[], parts: readonly string[]): RestCall | undefined => {
  const [first = '', second = '', third, fourth = '', fifth] = words;
  if (words.length === 5 && first === 'catalogs' && third === 'browse' && fifth !== undefined) {
    return { action: 'browse', params: { type: singular(fourth), filter: parts[4] ?? '', catalog: parts[1] ?? '' } };
  }
  if (first === 'folders' && words.length > 1) return byPath('folders', parts.slice(1));
  if (first === 'playlist_folders' && words.length > 1 && !/^\d+$/.test(second)) return byPath('playlist_folder', parts.slice(1));
  if (first === 'localplay' && words.length === 2) return { action: 'localplay', params: { command: second } };
  // A bookmark has its own id here, and that of its object elsewhere.
  if (first === 'bookmarks' && words.length === 2) return { action: 'bookmark', params: { type: 'bookmark', filter: parts[1] ?? '' } };
  return words.length === 2 ? own(kindPaths, second)?.(first) : undefined;
};

const general = (words: readonly string[], parts: readonly string[]): RestCall | undefined => {
  const [first = '', , third] = words;
  if (words.length === 1) return { action: first, params: {} };
  if (words.length === 2) return { action: singular(first), params: { filter: parts[1] ?? '' } };
  return words.length === 3 && third !== undefined ? onOne(first, parts[1] ?? '', third) : undefined;
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** Actions without a verb suffix. */
const verbless: ReadonlySet<string> = new Set(['ping', 'share_create']);

/** Reading a preference means the caller's value. */
const readNames: Readonly<Record<string, string>> = { preference: 'user_preference' };

const withVerb = (action: string, verb: RestVerb): string => {
  if (verb === 'GET') return own(readNames, action) ?? action;
  return verbless.has(action) ? action : `${action}${verbSuffix[verb]}`;
};

/** Actions of paths in versions that lack the newer action. */
const olderNames: Readonly<Record<string, { readonly until: ApiVersion; readonly action: string }>> = {
  bookmark: { until: 5, action: 'get_bookmark' },
};

const inVersion = (action: string, version: ApiVersion): string => {
  const older = own(olderNames, action);
  return older && version <= older.until ? older.action : action;
};

/** Paths that only version 8 has, although older versions have their actions. */
const newest: readonly RegExp[] = [
  /^album_disks\//,
  /^(?:albums|artists|podcasts)\/[^/]+\/browse$/,
  /^catalogs\/[^/]+\/(?:add|clean|update|verify)$/,
  /^localplay\/songs$/,
];
const sinceOf = (path: string): Pick<RestCall, 'since'> => (newest.some((one) => one.test(path)) ? { since: 8 } : {});

/**
 * Parses verb and path (after version and format): the first matching rule wins. Undefined when none matches; unknown actions are rejected
 * later.
 */
export const restCallOf = (verb: RestVerb, path: string, version: ApiVersion = 8): RestCall | undefined => {
  const parts = path.split('/').flatMap((part) => (part === '' ? [] : [decoded(part)]));
  const words = parts.map(word);
  const fixed = words.join('/');
  const call = own(fixedPaths, fixed) ?? special(words, parts) ?? general(words, parts);
  if (!call) return undefined;
  const action = withVerb(call.action, verb);
  return { action: inVersion(own(actionAliases, action) ?? action, version), params: call.params, ...sinceOf(fixed) };
};
