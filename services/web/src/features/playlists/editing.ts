import { api, content, type Playlist, type Song } from '../../lib/api.js';
import { client, reload } from '../../lib/client.js';
import { songsOf } from '../../lib/song-sources.js';
import type { ListTerms } from '../../ui/fields.js';
import { isSmart } from './queries.js';

/** Songs that are added or moved by one request. */
const AT_ONCE = 500;
/** Behind every playlist: what is placed there is added at its end. */
const BEHIND = 1_000_000_000;

/** How long, and how often, it is looked whether a change can be read: the server answers before all its readers have it, ms. */
const SEEN_WITHIN_MS = 3000;
const LOOK_EVERY_MS = 100;

/** Waits until a change can be read, so that the next one does not begin from what was before it. */
const untilSeen = async (isSeen: () => Promise<boolean>): Promise<void> => {
  const untilMs = Date.now() + SEEN_WITHIN_MS;
  while (!(await isSeen()) && Date.now() < untilMs) await new Promise((resolve) => void setTimeout(resolve, LOOK_EVERY_MS));
};

const lengthNow = async (id: string): Promise<number> => (await songsOf({ kind: 'playlist', id }, 0, 1)).total;

/** Last change of the order of each playlist. */
const changing = new Map<string, Promise<void>>();

/** Makes a change after the ones before it: positions that were read in between would be wrong. */
const inTurn = (id: string, change: () => Promise<void>): Promise<void> => {
  const before = changing.get(id) ?? Promise.resolve();
  // A change that failed was announced to whoever made it.
  const next = before.catch(() => undefined).then(change);
  changing.set(id, next);
  return next;
};

/** Name of a playlist, who may see it, and, when that changes, who may change its songs. */
export interface PlaylistTerms extends ListTerms {
  readonly collaborators?: readonly string[] | undefined;
}

const typeOf = (isPublic: boolean): 'public' | 'private' => (isPublic ? 'public' : 'private');

/** Shows a changed playlist. Events of the server do the same in other tabs. */
const reloadPlaylist = (id: string): Promise<void> => reload(['playlists'], ['playlist', id], ['songs', { kind: 'playlist', id }]);

/** Makes a playlist of one's own. @throws ApiError for a name that one has already */
export const createPlaylist = async ({ name, isPublic }: PlaylistTerms): Promise<Playlist> => {
  const made = await content(api.PUT('/playlists', { body: { name, type: typeOf(isPublic) } }));
  await reload(['playlists']);
  return made;
};

const edit = (id: string, body: Readonly<Record<string, string>>): Promise<unknown> =>
  content(api.PATCH('/playlists/{playlist_id}', { params: { path: { playlist_id: id } }, body }));

/** Changes the terms of a playlist. @throws ApiError */
export const changePlaylist = async ({ id, name, type }: Playlist, terms: PlaylistTerms): Promise<void> => {
  const changes = {
    ...(terms.name === name ? {} : { name: terms.name }),
    ...(typeOf(terms.isPublic) === type ? {} : { type: typeOf(terms.isPublic) }),
    ...(terms.collaborators ? { collaborate: terms.collaborators.join(',') } : {}),
  };
  // The server refuses a request that changes nothing.
  if (Object.keys(changes).length > 0) await edit(id, changes);
  await reloadPlaylist(id);
};

/** Deletes a playlist or smartlist for good; its songs stay in the library. @throws ApiError */
export const deletePlaylist = async (id: string): Promise<void> => {
  await content(
    isSmart({ id })
      ? api.DELETE('/smartlists/{smartlist_id}', { params: { path: { smartlist_id: id } } })
      : api.DELETE('/playlists/{playlist_id}', { params: { path: { playlist_id: id } } }),
  );
  client.removeQueries({ queryKey: ['playlist', id] });
  await reload(['playlists']);
};

const place = async (id: string, songs: readonly Song[], positionOf: (at: number) => number): Promise<void> => {
  for (let from = 0; from < songs.length; from += AT_ONCE) {
    const part = songs.slice(from, from + AT_ONCE);
    await edit(id, { items: part.map((song) => song.id).join(','), tracks: part.map((_, at) => positionOf(from + at)).join(',') });
  }
};

/** Adds songs at the end of a playlist. @throws ApiError */
export const addSongs = (id: string, songs: readonly Song[]): Promise<void> =>
  inTurn(id, async () => {
    await place(id, songs, () => BEHIND);
    await reloadPlaylist(id);
  });

/** Removes songs from a playlist. @param positions from 1 @throws ApiError */
export const removeSongs = (id: string, positions: readonly number[]): Promise<void> =>
  inTurn(id, async () => {
    const length = await lengthNow(id);
    try {
      // From the end, because those behind a removed song move up.
      for (const position of positions.toSorted((one, other) => other - one))
        await content(
          api.POST('/playlists/{playlist_id}/remove', { params: { path: { playlist_id: id } }, body: { track: String(position) } }),
        );
      await untilSeen(async () => (await lengthNow(id)) <= length - positions.length);
    } finally {
      await reloadPlaylist(id);
    }
  });

const move = async (id: string, from: number, to: number): Promise<void> => {
  const first = Math.min(from, to);
  const { items } = await songsOf({ kind: 'playlist', id }, first, Math.abs(from - to) + 1);
  const moved = items[from - first];
  if (!moved) return;
  const order = items.toSpliced(from - first, 1).toSpliced(to - first, 0, moved);
  const ids = (songs: readonly Song[]): string => songs.map((song) => song.id).join();
  // Two of the same song have changed places: the server refuses what changes nothing.
  if (ids(order) === ids(items)) return;
  await place(id, order, (at) => first + at + 1);
  await untilSeen(async () => ids((await songsOf({ kind: 'playlist', id }, first, order.length)).items) === ids(order));
};

/** Moves a song of a playlist to another row, from 0; those between move by one. @throws ApiError */
export const moveSong = (id: string, from: number, to: number): Promise<void> =>
  inTurn(id, async () => {
    await move(id, from, to);
    await reloadPlaylist(id);
  });
