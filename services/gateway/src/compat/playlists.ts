import { Rejection, usernameKey } from '@continuo/contracts';
import { sql } from 'kysely';
import { playlistWith, requireRight } from '../playlist/playlists.js';
import { accountNamed } from '../reads/account-list.reads.js';
import { scopeOf } from '../reads/catalog-scope.reads.js';
import type { ReadDatabase } from '../reads/database.js';
import type { IdList } from '../reads/id-list.js';
import type { ListQuery } from '../reads/list-query.js';
import { rightsOf } from '../reads/playlist-access.js';
import { playlistSongIds } from '../reads/playlist-songs.reads.js';
import { playlistsByIds, type PlaylistRecord, type PlaylistView } from '../reads/playlists.reads.js';
import { foldedSongsByIds } from '../reads/songs.reads.js';
import type { Viewer } from '../reads/viewer.js';
import { smartlistsByIds, smartlistWith } from '../smartlists/index.js';
import { CompatError } from './errors.js';
import { parseId } from './ids.js';
import type { CompatPlaylist, CompatPlaylistWithSongs } from './objects/playlist.object.js';
import type { UserCallBase } from './registry/endpoint.js';

type Reader = Pick<UserCallBase, 'services' | 'viewer' | 'context' | 'preferences'>;

const ADMINISTRATOR = 100;

/** Names of the accounts that some lists are shared with; those that are gone have none. */
const collaborators = async (db: ReadDatabase, views: readonly PlaylistView[]): Promise<(view: PlaylistView) => string[]> => {
  const ids = [...new Set(views.flatMap(({ collaboratorIds }) => collaboratorIds))];
  if (ids.length === 0) return () => [];
  const rows = await db
    .selectFrom('social.user')
    .select(['id', 'username'])
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .execute();
  const names = new Map(rows.map(({ id, username }) => [id, username]));
  return ({ collaboratorIds }) => collaboratorIds.flatMap((id) => names.get(id) ?? []);
};

/** Adds to lists what clients show of them. With whom a list is shared, only those learn who share it. */
const described = async ({ services, viewer }: Reader, views: readonly PlaylistView[]): Promise<CompatPlaylist[]> => {
  const mayChange = (view: PlaylistView): boolean => rightsOf(viewer, view).collaborate;
  const namesOf = await collaborators(services.db, views.filter(mayChange));
  return views.map((view) => ({
    view,
    isReadOnly: view.kind === 'search' || !mayChange(view),
    allowedUsers: mayChange(view) ? namesOf(view) : [],
  }));
};

/** Whose lists are asked for: the caller's, or for an administrator anybody's. */
const userIdOf = async ({ services, context }: Reader, username: string | undefined): Promise<number> => {
  const { account } = context.caller;
  if (username === undefined || usernameKey(username) === usernameKey(account.username)) return account.id;
  if (account.access < ADMINISTRATOR) throw new Rejection('access.denied', 'Only administrators see the lists of other accounts');
  const other = await accountNamed(services.db, username);
  if (!other) throw new Rejection('user.not-found');
  return other.id;
};

/** Playlists, with smartlists where the account wants them, without those that it keeps from its clients. */
const queryOf = (preferences: Reader['preferences'], userId: number): ListQuery => {
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
 * The lists that an account can play, by name: public ones, its own, those shared with it. What is in them is what the caller sees.
 * @throws Rejection `access.denied` for somebody else's, `user.not-found`
 */
export const openLists = async (reader: Reader, username: string | undefined): Promise<CompatPlaylist[]> => {
  const { services, viewer, preferences } = reader;
  const userId = await userIdOf(reader, username);
  const { ids } = await services.lists.ids(queryOf(preferences, userId), { ...viewer, userId });
  const smartIds = Array.from(ids).flatMap((id) => (id < 0 ? [-id] : []));
  const plainIds = Array.from(ids).filter((id) => id > 0);
  const [plain, smart] = await Promise.all([playlistsByIds(services.db, plainIds, viewer), smartlistsByIds(reader, smartIds)]);
  const views = new Map([...plain.map((view) => [view.id, view] as const), ...smart.map((view) => [-view.id, view] as const)]);
  return described(
    reader,
    Array.from(ids).flatMap((id) => views.get(id) ?? []),
  );
};

const noSuchList = (): Rejection => new Rejection('playlist.not-found', 'There is no such playlist', 'id');

/** A list that the caller may open: how it is shown, and its songs, for whoever sees as much as `within`. */
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
 * A list by its id with its songs, those of one music folder when it is named.
 * @throws Rejection `playlist.not-found`, `access.level`; `input.invalid` for a smartlist whose rules cannot be run
 */
export const openListWithSongs = async (reader: Reader, text: string, musicFolderId?: number | null): Promise<CompatPlaylistWithSongs> => {
  const { services, viewer } = reader;
  const open = await openList(reader, text);
  const within = { ...viewer, catalogs: scopeOf(viewer, musicFolderId) };
  // The songs go first: what they turn out to be is then counted.
  const songIds = await open.songs(within);
  const view = await open.view(within);
  const [list] = await described(reader, view ? [view] : []);
  if (!list) throw noSuchList();
  return { ...list, songs: await foldedSongsByIds(services.db, songIds.ids, within) };
};

/**
 * A playlist that the caller may change.
 * @throws Rejection `playlist.not-found`, `access.level`; CompatError 50 for a smartlist, whose songs are what its rules find
 */
export const listToChange = async (reader: Reader, text: string, right: 'collaborate' | 'own'): Promise<PlaylistRecord> => {
  const id = parseId(text, 'playlist');
  if (id?.kind === 'smartlist' && (await smartlistWith(reader, id.id, 'open')))
    throw new CompatError(50, 'What is in a smartlist follows from its rules');
  const record = id?.kind === 'playlist' ? await playlistWith(reader, id.id, right) : undefined;
  if (!record) throw noSuchList();
  return record;
};

/** A smartlist that the caller may end; undefined for an id that names none. @throws Rejection `access.level` */
export const ownSmartlist = async (reader: Reader, text: string): Promise<number | undefined> => {
  const id = parseId(text);
  return id?.kind === 'smartlist' ? (await smartlistWith(reader, id.id, 'own'))?.id : undefined;
};

/** @throws Rejection `access.level` when the caller may not change the terms of a list that it may change the songs of */
export const requireOwner = ({ viewer }: Reader, record: PlaylistRecord): void => requireRight(viewer, record, 'own');
