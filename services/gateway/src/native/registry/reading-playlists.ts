import type { IdList } from '../../reads/id-list.js';
import type { Condition, ListKind } from '../../reads/list-query.js';
import { filingsOf } from '../../reads/playlist-folders.reads.js';
import { playlistSongIds, songIdsByPlaylist } from '../../reads/playlist-songs.reads.js';
import { playlistsByIds, type PlaylistView } from '../../reads/playlists.reads.js';
import { playlistWith } from '../../playlist/playlists.js';
import {
  prefixedSmartlistId,
  smartlistIdOf,
  smartlistsByIds,
  smartlistWith,
  songIdsBySmartlist,
  type SongsWanted,
} from '../../smartlists/index.js';
import { notFound } from '../errors/native-fault.js';
import { expandedResult } from '../expansion.js';
import type { CallerCall } from '../method.js';
import { playlistObject, type NativePlaylist } from '../objects/playlist.object.js';
import { pageResult, type ListParams } from '../paging.js';
import { idOf } from '../params.js';
import type { NativeResult } from '../result.js';
import type { ObjectTable } from '../../render/index.js';
import type { NativeContext } from '../objects/context.js';
import type { Reader } from './reading.js';

/*
 * Playlists and smartlists as the methods show them together: in id lists smartlists have negative numbers.
 */

/** Which lists a method about playlists goes over. */
export interface ListScope {
  readonly kind: ListKind & ('playlist' | 'playlist_search');
  readonly own: readonly Condition[];
}

/** Leaves out the lists that the caller wants to be kept from its clients. */
export const hiddenNames = async ({ services, viewer }: Pick<CallerCall<unknown>, 'services' | 'viewer'>): Promise<Condition[]> => {
  const prefix = (await services.preferences.current()).of(viewer.userId, 'api_hidden_playlists').trim();
  return prefix === '' ? [] : [{ name: 'without_prefix', value: prefix }];
};

/**
 * Playlists with smartlists or without, as the caller and its preferences want them (methods.json, `playlists`). Version 3 knows no smartlists.
 */
export const listScope = async (
  { services, viewer, policy }: Pick<CallerCall<unknown>, 'services' | 'viewer' | 'policy'>,
  { hidesSearches = false, showsDupes = false }: { readonly hidesSearches?: boolean; readonly showsDupes?: boolean } = {},
): Promise<ListScope> => {
  const preferences = await services.preferences.current();
  const own = await hiddenNames({ services, viewer });
  if (policy.version === 3 || hidesSearches || preferences.isOn(viewer.userId, 'hide_search')) return { kind: 'playlist', own };
  const hidesDupes = !showsDupes && preferences.isOn(viewer.userId, 'api_hide_dupe_searches');
  return { kind: 'playlist_search', own: hidesDupes ? [...own, { name: 'hide_dupe_smartlist', value: '' }] : own };
};

/** Lists by their numbers in an id list, in its order; smartlists have negative ones. */
export const readLists = async ({ services, viewer }: Reader, ids: ArrayLike<number>): Promise<NativePlaylist[]> => {
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

/** One step of expanded lists holds this many songs, or a single list. */
const STEP_SONGS = 20_000;
const STEP_LISTS = 250;

/** Lists with the ids of their songs, as many at a time as memory has room for. */
async function* listsWithSongs(reader: Reader, ids: Int32Array): AsyncGenerator<NativePlaylist[]> {
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

const withSongs = async (reader: Reader, lists: readonly NativePlaylist[]): Promise<NativePlaylist[]> => {
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

/** One page of lists, with the ids of their songs where they are asked for. */
export const listsPage = (
  call: CallerCall<Pick<ListParams, 'offset' | 'limit'>>,
  list: IdList,
  {
    expanded = false,
    table = playlistObject,
  }: { readonly expanded?: boolean; readonly table?: ObjectTable<NativePlaylist, NativeContext> } = {},
): Promise<NativeResult> =>
  expanded
    ? expandedResult(call, list, { table, steps: (ids) => listsWithSongs(call, ids) })
    : pageResult(call, list, { table, read: (ids) => readLists(call, ids) });

/** A list that a call names, which the caller may open. */
export interface OpenList {
  readonly view: () => Promise<PlaylistView | undefined>;
  readonly songs: (wanted?: SongsWanted) => Promise<IdList>;
}

/**
 * The smartlist that a call names, with its prefix or without.
 * @throws NativeRefusal 4704 when there is none; Rejection `access.level` when it is another one's private list
 */
export const openSmartlist = async (call: CallerCall<{ readonly filter: string }>): Promise<OpenList> => {
  const { services, viewer, params } = call;
  const record = await smartlistWith(call, smartlistIdOf(params.filter), 'open');
  if (!record) throw notFound('filter', params.filter);
  return {
    view: async () => (await smartlistsByIds({ services, viewer }, [record.id]))[0],
    songs: (wanted) => services.smartlists.songs(record, viewer, wanted),
  };
};

/**
 * The playlist that a call names. An id that is no positive whole number names a smartlist (native README section 11).
 * @throws NativeRefusal 4704 when there is none; Rejection `access.level` when it is another one's private list
 */
export const openList = async (call: CallerCall<{ readonly filter: string }>): Promise<OpenList> => {
  const { services, viewer, params } = call;
  if (prefixedSmartlistId(params.filter) !== undefined) return openSmartlist(call);
  const record = await playlistWith(call, idOf(params.filter), 'open');
  if (!record) throw notFound('filter', params.filter);
  return {
    view: async () => (await playlistsByIds(services.db, [record.id], viewer))[0],
    songs: async ({ random = false } = {}) => {
      const songs = await playlistSongIds(services.db, record, viewer);
      return random ? songs.shuffled() : songs;
    },
  };
};
