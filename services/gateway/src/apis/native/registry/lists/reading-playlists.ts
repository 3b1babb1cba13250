import type { IdList } from '../../../../reads/lists/id-list.js';
import type { Condition } from '../../../../reads/lists/list-query.js';
import { filingsOf } from '../../../../reads/playlists/playlist-folders.reads.js';
import { playlistSongIds, songIdsByPlaylist } from '../../../../reads/playlists/playlist-songs.reads.js';
import { playlistsByIds, type PlaylistView } from '../../../../reads/playlists/playlists.reads.js';
import { playlistWith } from '../../../../features/playlist/playlists.js';
import {
  prefixedSmartlistId,
  smartlistIdOf,
  smartlistsByIds,
  smartlistWith,
  songIdsBySmartlist,
  type SongsWanted,
} from '../../../../features/smartlists/index.js';
import { expandedResult } from '../../expansion.js';
import type { CallerCall } from '../../method.js';
import { orNotFound, type Named } from '../../named-object.js';
import { playlistObject, type NativePlaylist } from '../../objects/playlist.object.js';
import { pageResult, type ListParams } from '../../paging.js';
import { idOf } from '../../params.js';
import type { NativeResult } from '../../result.js';
import type { NativeTable } from '../../objects/native-object.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasSmartlists } from '../../../../features/smartlists/running-smartlists.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasCommands, HasConfig } from '../../../../server/needs.js';

type Services = HasReadModel & HasPreferences & HasSmartlists & HasCommands & HasConfig;

/*
 * Playlists and smartlists as the methods show them together: in id lists smartlists have negative numbers.
 */

/** Lists that a method includes. */
export interface ListScope {
  readonly kind: 'playlist' | 'playlist_search';
  readonly own: readonly Condition[];
}

/** Excludes lists that the caller's preferences hide from clients. */
export const hiddenNames = async ({
  services,
  viewer,
}: Pick<CallerCall<unknown, Services>, 'services' | 'viewer'>): Promise<Condition[]> => {
  const prefix = (await services.preferences.current()).of(viewer.userId, 'api_hidden_playlists').trim();
  return prefix === '' ? [] : [{ name: 'without_prefix', value: prefix }];
};

/**
 * Playlists with or without smartlists, by request and preference. Version 3 has no smartlists.
 */
export const listScope = async (
  { services, viewer, policy }: Pick<CallerCall<unknown, Services>, 'services' | 'viewer' | 'policy'>,
  { hidesSearches = false, showsDupes = false }: { readonly hidesSearches?: boolean; readonly showsDupes?: boolean } = {},
): Promise<ListScope> => {
  const preferences = await services.preferences.current();
  const own = await hiddenNames({ services, viewer });
  if (policy.version === 3 || hidesSearches || preferences.isOn(viewer.userId, 'hide_search')) return { kind: 'playlist', own };
  const hidesDupes = !showsDupes && preferences.isOn(viewer.userId, 'api_hide_dupe_searches');
  return { kind: 'playlist_search', own: hidesDupes ? [...own, { name: 'hide_dupe_smartlist', value: '' }] : own };
};

/** Viewer, and services to read playlists and smartlists with. */
export type PlaylistReader = Pick<CallerCall<unknown, HasReadModel & HasPreferences & HasSmartlists>, 'services' | 'viewer'>;

/** Lists by id, in order; smartlists have negative ids. */
export const readLists = async ({ services, viewer }: PlaylistReader, ids: ArrayLike<number>): Promise<NativePlaylist[]> => {
  const { db } = services;
  const numbers = Array.from(ids);
  const playlistIds = numbers.filter((id) => id > 0);
  const smartlistIds = numbers.flatMap((id) => (id < 0 ? [-id] : []));
  const [playlists, smartlists, playlistFiling, smartlistFiling] = await Promise.all([
    playlistsByIds(db, playlistIds, viewer),
    smartlistsByIds({ services, viewer }, smartlistIds),
    filingsOf(db, viewer.userId, 'playlist', playlistIds),
    filingsOf(db, viewer.userId, 'smartlist', smartlistIds),
  ]);
  const lists = new Map([
    ...playlists.map((view) => [view.id, { view, viewer, filing: playlistFiling(view.id) }] as const),
    ...smartlists.map((view) => [-view.id, { view, viewer, filing: smartlistFiling(view.id) }] as const),
  ]);
  return numbers.flatMap((id) => lists.get(id) ?? []);
};

/** Most songs in one step of expanded lists, unless a single list has more. */
const STEP_SONGS = 20_000;
const STEP_LISTS = 250;

/** Lists with the ids of their songs, in steps that fit into memory. */
async function* listsWithSongs(reader: PlaylistReader, ids: Int32Array): AsyncGenerator<NativePlaylist[]> {
  for (let start = 0; start < ids.length; start += STEP_LISTS) {
    let step: NativePlaylist[] = [];
    let held = 0;
    for (const list of await readLists(reader, ids.subarray(start, start + STEP_LISTS))) {
      if (step.length > 0 && held + list.view.songCount > STEP_SONGS) {
        yield await withSongs(reader, step);
        step = [];
        held = 0;
      }
      step.push(list);
      held += list.view.songCount;
    }
    yield await withSongs(reader, step);
  }
}

const withSongs = async (reader: PlaylistReader, lists: readonly NativePlaylist[]): Promise<NativePlaylist[]> => {
  const { services, viewer } = reader;
  const ofKind = (wanted: PlaylistView['kind']): number[] => lists.flatMap(({ view: { kind, id } }) => (kind === wanted ? [id] : []));
  const [playlistSongs, smartlistSongs] = await Promise.all([
    songIdsByPlaylist(services.db, ofKind('playlist'), viewer),
    songIdsBySmartlist({ services, viewer }, ofKind('search')),
  ]);
  return lists.map((list) => {
    const { kind, id } = list.view;
    return { ...list, songIds: (kind === 'search' ? smartlistSongs : playlistSongs)(id) };
  });
};

/** A page of lists, with the ids of their songs if included. */
export const listsPage = (
  call: CallerCall<Pick<ListParams, 'offset' | 'limit'>, Services>,
  list: IdList,
  { expanded = false, table = playlistObject }: { readonly expanded?: boolean; readonly table?: NativeTable<NativePlaylist> } = {},
): Promise<NativeResult> =>
  expanded
    ? expandedResult(call, list, { table, steps: (ids) => listsWithSongs(call, ids) })
    : pageResult(call, list, { table, read: (ids) => readLists(call, ids) });

/** A list that the caller may open. */
export interface OpenList {
  readonly view: () => Promise<PlaylistView | undefined>;
  readonly songs: (wanted?: SongsWanted) => Promise<IdList>;
}

/**
 * Smartlist of a call, with or without prefix.
 * @throws NativeRefusal 4704 when there is none; Rejection `access.level` for another account's private list
 */
export const openSmartlist = async (call: CallerCall<Named, Services>): Promise<OpenList> => {
  const { services, viewer, params } = call;
  const record = orNotFound(await smartlistWith(call, smartlistIdOf(params.filter), 'open'), params.filter);
  return {
    view: async () => (await smartlistsByIds({ services, viewer }, [record.id]))[0],
    songs: (wanted) => services.smartlists.songs(record, viewer, wanted),
  };
};

/**
 * Playlist of a call. An id that is not a positive integer is that of a smartlist.
 * @throws NativeRefusal 4704 when there is none; Rejection `access.level` for another account's private list
 */
export const openList = async (call: CallerCall<Named, Services>): Promise<OpenList> => {
  const { services, viewer, params } = call;
  if (prefixedSmartlistId(params.filter) !== undefined) return openSmartlist(call);
  const record = orNotFound(await playlistWith(call, idOf(params.filter), 'open'), params.filter);
  return {
    view: async () => (await playlistsByIds(services.db, [record.id], viewer))[0],
    songs: async ({ random = false } = {}) => {
      const songs = await playlistSongIds(services.db, record, viewer);
      return random ? songs.shuffled() : songs;
    },
  };
};
