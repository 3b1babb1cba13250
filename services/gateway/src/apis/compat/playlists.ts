import { Rejection, usernameKey } from '@continuo/contracts';
import { playlistWith, requireRight } from '../../features/playlist/playlists.js';
import { accountNamed } from '../../reads/people/account-list.reads.js';
import { namesOfAccounts } from '../../reads/people/managed-accounts.reads.js';
import { scopeOf } from '../../reads/visibility/catalog-scope.reads.js';
import type { ReadDatabase, HasReadModel } from '../../reads/database/database.js';
import type { IdList } from '../../reads/lists/id-list.js';
import type { ListQuery } from '../../reads/lists/list-query.js';
import { rightsOf } from '../../reads/visibility/playlist-access.js';
import { playlistSongIds } from '../../reads/playlists/playlist-songs.reads.js';
import { playlistsByIds, type PlaylistRecord, type PlaylistView } from '../../reads/playlists/playlists.reads.js';
import { songFlow } from '../../reads/songs/songs.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { smartlistsByIds, smartlistWith } from '../../features/smartlists/index.js';
import { CompatError } from './errors.js';
import { parseId } from './ids.js';
import type { CompatPlaylist, CompatPlaylistWithSongs } from './objects/playlist.object.js';
import type { UserCallBase } from './registry/endpoint.js';
import type { HasLists } from '../../kinds/index.js';
import type { HasSmartlists } from '../../features/smartlists/running-smartlists.js';
import type { HasCommands, HasConfig } from '../../server/needs.js';
import type { HasPreferences } from '../../preferences/preferences.js';

type Services = HasReadModel & HasLists & HasSmartlists & HasCommands & HasConfig & HasPreferences;

type Reader = Pick<UserCallBase<Services>, 'services' | 'viewer' | 'context' | 'preferences'>;

const ADMINISTRATOR = 100;

/** Usernames of collaborators by list; deleted accounts are left out. */
const collaborators = async (db: ReadDatabase, views: readonly PlaylistView[]): Promise<(view: PlaylistView) => string[]> => {
  const ids = [...new Set(views.flatMap(({ collaboratorIds }) => collaboratorIds))];
  const names = await namesOfAccounts(db, ids);
  return ({ collaboratorIds }) => collaboratorIds.flatMap((id) => names.get(id) ?? []);
};

/** Adds owners and collaborators to lists. Collaborators are shown to those who share the list. */
const withDetails = async ({ services, viewer }: Reader, views: readonly PlaylistView[]): Promise<CompatPlaylist[]> => {
  const mayChange = (view: PlaylistView): boolean => rightsOf(viewer, view).collaborate;
  const namesOf = await collaborators(services.db, views.filter(mayChange));
  return views.map((view) => ({
    view,
    isReadOnly: view.kind === 'search' || !mayChange(view),
    allowedUsers: mayChange(view) ? namesOf(view) : [],
  }));
};

/** User id of the requested lists: the caller's, or for administrators any account's. */
const userIdOf = async ({ services, context }: Reader, username: string | undefined): Promise<number> => {
  const { account } = context.caller;
  if (username === undefined || usernameKey(username) === usernameKey(account.username)) return account.id;
  if (account.access < ADMINISTRATOR) throw new Rejection('access.denied', 'Only administrators see the lists of other accounts');
  const other = await accountNamed(services.db, username);
  if (!other) throw new Rejection('user.not-found');
  return other.id;
};

/** Playlists, with smartlists if the account's preference includes them, without those hidden from clients. */
const queryOf = (preferences: Reader['preferences'], userId: number): ListQuery<'playlist' | 'playlist_search'> => {
  const prefix = preferences.of(userId, 'api_hidden_playlists').trim();
  const hidesSearches = preferences.isOn(userId, 'hide_search');
  const hidesDupes = !hidesSearches && preferences.isOn(userId, 'api_hide_dupe_searches');
  return {
    kind: hidesSearches ? 'playlist' : 'playlist_search',
    where: [
      ...(prefix === '' ? [] : [{ name: 'without_prefix', value: prefix }]),
      ...(hidesDupes ? [{ name: 'hide_dupe_smartlist', value: '' }] : []),
    ],
    sort: { name: 'name', descending: false },
  };
};

/**
 * Lists that the account can play, by name: public ones, its own, and shared ones.
 * @throws Rejection `access.denied` for another account's lists, `user.not-found`
 */
export const openLists = async (reader: Reader, username: string | undefined): Promise<CompatPlaylist[]> => {
  const { services, viewer, preferences } = reader;
  const userId = await userIdOf(reader, username);
  const { ids } = await services.lists.ids(queryOf(preferences, userId), { ...viewer, userId });
  const smartIds = Array.from(ids).flatMap((id) => (id < 0 ? [-id] : []));
  const plainIds = Array.from(ids).filter((id) => id > 0);
  const [plain, smart] = await Promise.all([playlistsByIds(services.db, plainIds, viewer), smartlistsByIds(reader, smartIds)]);
  const views = new Map([...plain.map((view) => [view.id, view] as const), ...smart.map((view) => [-view.id, view] as const)]);
  return withDetails(
    reader,
    Array.from(ids).flatMap((id) => views.get(id) ?? []),
  );
};

const noSuchList = (): Rejection => new Rejection('playlist.not-found', 'There is no such playlist', 'id');

/** A list that the caller may open, with its songs as visible to `within`. */
interface OpenList {
  readonly view: (within: Viewer) => Promise<PlaylistView | undefined>;
  readonly songs: (within: Viewer) => Promise<IdList>;
}

const openList = async (reader: Reader, text: string): Promise<OpenList> => {
  const { services } = reader;
  const id = parseId(text, 'playlist');
  const record = id?.kind === 'playlist' ? await playlistWith(reader, id.id, 'open') : undefined;
  if (record)
    return {
      view: async (within) => (await playlistsByIds(services.db, [record.id], within))[0],
      songs: (within) => playlistSongIds(services.db, record, within),
    };
  const smart = id?.kind === 'smartlist' ? await smartlistWith(reader, id.id, 'open') : undefined;
  if (!smart) throw noSuchList();
  return {
    view: async (within) => (await smartlistsByIds({ services, viewer: within }, [smart.id]))[0],
    songs: (within) => services.smartlists.songs(smart, within),
  };
};

/**
 * A list with its songs, limited to a music folder if given.
 * @throws Rejection `playlist.not-found`, `access.level`; `input.invalid` for a smartlist whose rules cannot be run
 */
export const findListWithSongs = async (reader: Reader, text: string, musicFolderId?: number | null): Promise<CompatPlaylistWithSongs> => {
  const { services, viewer } = reader;
  const open = await openList(reader, text);
  const within = { ...viewer, catalogs: scopeOf(viewer, musicFolderId) };
  // The songs are read first: the count depends on them.
  const songIds = await open.songs(within);
  const view = await open.view(within);
  const [list] = await withDetails(reader, view ? [view] : []);
  if (!list) throw noSuchList();
  return { ...list, songs: songFlow(services.db, songIds.ids, within) };
};

/**
 * A playlist that the caller may change.
 * @throws Rejection `playlist.not-found`, `access.level`; CompatError 50 for a smartlist, whose songs follow from its rules
 */
export const findEditableList = async (reader: Reader, text: string, right: 'collaborate' | 'own'): Promise<PlaylistRecord> => {
  const id = parseId(text, 'playlist');
  if (id?.kind === 'smartlist' && (await smartlistWith(reader, id.id, 'open')))
    throw new CompatError(50, 'What is in a smartlist follows from its rules');
  const record = id?.kind === 'playlist' ? await playlistWith(reader, id.id, right) : undefined;
  if (!record) throw noSuchList();
  return record;
};

/** A smartlist that the caller may delete; undefined for another id. @throws Rejection `access.level` */
export const findOwnSmartlist = async (reader: Reader, text: string): Promise<number | undefined> => {
  const id = parseId(text);
  return id?.kind === 'smartlist' ? (await smartlistWith(reader, id.id, 'own'))?.id : undefined;
};

/** @throws Rejection `access.level` when the caller may only change the songs of the list */
export const requireOwner = ({ viewer }: Reader, record: PlaylistRecord): void => requireRight(viewer, record, 'own');
