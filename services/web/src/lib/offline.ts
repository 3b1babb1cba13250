import type { Song } from './api.js';
import { OFFLINE_CACHE, OFFLINE_PATH } from './offline-address.js';
import { base } from './session.js';

/** A list of songs that this browser keeps, such as an album. */
export interface OfflineList {
  /** The source of the songs as JSON. */
  readonly key: string;
  readonly name: string;
  /** Bytes of each song with its cover; undefined for those that are still to be fetched. */
  readonly songs: readonly { readonly id: string; readonly bytes?: number | undefined }[];
}

/** Key of the list of songs that were chosen one by one. */
export const SINGLE_SONGS = JSON.stringify({ kind: 'offline' });

/** True where the browser can keep songs: over HTTPS, or on this machine. */
export const canKeep = 'caches' in globalThis && 'serviceWorker' in navigator;

/** Address of something that is kept. */
export const offlineAddress = (path: string): string => `${base}${OFFLINE_PATH}${path}`;
export const listAddress = (key: string): string => offlineAddress(`lists/${encodeURIComponent(key)}`);
/** Address of the description of a song; its sound is at {@link offlineAddress}. */
export const aboutAddress = (id: string): string => offlineAddress(`about/${id}`);

const read = async <T>(address: string): Promise<T | undefined> => {
  const response = canKeep ? await caches.match(address, { cacheName: OFFLINE_CACHE }) : undefined;
  return response && ((await response.json()) as T);
};

/** A song with addresses that open what is kept; undefined for songs that are not. */
export const offlineSong = (id: string): Promise<Song | undefined> => read<Song>(aboutAddress(id));

/** A list that is kept, by the JSON of its source. */
export const offlineList = (key: string): Promise<OfflineList | undefined> => read<OfflineList>(listAddress(key));

/** All lists that are kept. */
export const offlineLists = async (): Promise<readonly OfflineList[]> => {
  if (!canKeep) return [];
  const keys = await (await caches.open(OFFLINE_CACHE)).keys();
  const lists = keys.filter(({ url }) => url.startsWith(offlineAddress('lists/'))).map(({ url }) => read<OfflineList>(url));
  return (await Promise.all(lists)).filter((list) => list !== undefined);
};

/** Some of the songs of a list that are kept; undefined when the list is not. @param pick chooses from the ids, in their order */
export const offlinePart = async (
  key: string,
  pick: (ids: readonly string[]) => readonly string[],
): Promise<{ readonly items: readonly Song[]; readonly total: number } | undefined> => {
  const list = await offlineList(key);
  if (!list) return undefined;
  const there = list.songs.flatMap(({ id, bytes }) => (bytes === undefined ? [] : [id]));
  const songs = await Promise.all(pick(there).map((id) => offlineSong(id)));
  return { items: songs.filter((song) => song !== undefined), total: there.length };
};

/** Notes whose songs this browser keeps; what another account has kept is removed. */
export const removeOfOthers = async (account: string): Promise<void> => {
  const owner = await read<string>(offlineAddress('owner'));
  if (owner === account) return;
  if (owner !== undefined) await caches.delete(OFFLINE_CACHE);
  await (await caches.open(OFFLINE_CACHE)).put(offlineAddress('owner'), Response.json(account));
};
