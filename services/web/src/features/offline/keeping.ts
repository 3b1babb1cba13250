import { songsFromServer, type SongSource } from '../../lib/song-sources.js';
import { api, content, type Song } from '../../lib/api.js';
import { watched } from '../../lib/watched.js';
import { OFFLINE_CACHE } from '../../lib/offline-address.js';
import {
  aboutAddress,
  listAddress,
  offlineAddress,
  offlineList,
  offlineLists,
  offlineSong,
  SINGLE_SONGS,
  type OfflineList,
} from '../../lib/offline.js';
import { soundOf } from '../player/index.js';

/** Width and height of covers that are kept, px. */
const ART_PX = 440;

const fetched = async (url: string): Promise<Response> => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return response;
};

/** Stores an answer while it arrives. @returns its size, bytes */
const store = async (cache: Cache, address: string, { body, headers }: Response): Promise<number> => {
  if (!body) throw new Error('The server answered nothing.');
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => {
      bytes += piece.length;
      controller.enqueue(piece);
    },
  });
  const kept = { 'content-type': headers.get('content-type') ?? 'application/octet-stream' };
  await cache.put(address, new Response(body.pipeThrough(counted), { headers: kept }));
  return bytes;
};

const write = (cache: Cache, address: string, value: unknown): Promise<void> => cache.put(address, Response.json(value));

/** Stores a song in the form in which this browser plays it, with its cover. @returns their size, bytes */
const fetchSong = async (cache: Cache, song: Song): Promise<number> => {
  const { url, format = song.stream_format, kbps } = soundOf(song);
  const sound = await fetched(url);
  const soundBytes = await store(cache, offlineAddress(`songs/${song.id}`), sound);
  const artBytes = song.has_art
    ? await store(cache, offlineAddress(`art/${song.id}`), await fetched(`${song.art}&size=${ART_PX}x${ART_PX}`))
    : 0;
  const kept: Song = {
    ...song,
    url: offlineAddress(`songs/${song.id}`),
    art: `${offlineAddress(`art/${song.id}`)}?`,
    format,
    stream_format: format,
    stream_mime: sound.headers.get('content-type') ?? song.stream_mime,
    stream_bitrate: kbps === undefined ? song.stream_bitrate : kbps * 1000,
  };
  await write(cache, aboutAddress(song.id), kept);
  return soundBytes + artBytes;
};

const removeSongs = async (cache: Cache, ids: readonly string[]): Promise<void> => {
  const wanted = new Set((await offlineLists()).flatMap(({ songs }) => songs.map(({ id }) => id)));
  const unwanted = ids.filter((id) => !wanted.has(id));
  await Promise.all(
    unwanted
      .flatMap((id) => [aboutAddress(id), offlineAddress(`songs/${id}`), offlineAddress(`art/${id}`)])
      .map((address) => cache.delete(address)),
  );
};

/** Sizes of the songs that are kept already, in whichever list. */
const knownSizes = async (): Promise<ReadonlyMap<string, number | undefined>> =>
  new Map(
    (await offlineLists()).flatMap(({ songs }) => songs.flatMap(({ id, bytes }) => (bytes === undefined ? [] : [[id, bytes] as const]))),
  );

/** Keeps the songs of a list; those that are there stay as they are, those that the list has no more go. @throws when the server or the disk refuses: what is there stays */
const keepSongs = async (key: string, name: string, songs: readonly Song[], onChange: () => void): Promise<void> => {
  const cache = await caches.open(OFFLINE_CACHE);
  const [sizes, before] = [await knownSizes(), await offlineList(key)];
  let list: OfflineList = { key, name, songs: songs.map(({ id }) => ({ id, bytes: sizes.get(id) })) };
  await write(cache, listAddress(key), list);
  await removeSongs(cache, before?.songs.map(({ id }) => id) ?? []);
  onChange();
  for (const song of songs) {
    if (sizes.has(song.id)) continue;
    const bytes = await fetchSong(cache, song);
    list = { ...list, songs: list.songs.map((one) => (one.id === song.id ? { ...one, bytes } : one)) };
    await write(cache, listAddress(key), list);
    onChange();
  }
};

/** Songs of a list as it is now; those that are kept one by one are known by their ids only. */
const songsNow = async (key: string): Promise<readonly Song[]> => {
  const source = JSON.parse(key) as SongSource;
  if (source.kind !== 'offline' && source.kind !== 'mix') {
    const { total } = await songsFromServer(source, { offset: 0, limit: 1 });
    return (await songsFromServer(source, { offset: 0, limit: Math.max(1, total) })).items;
  }
  const { songs = [] } = (await offlineList(key)) ?? {};
  return Promise.all(
    songs.map(async ({ id }) => (await offlineSong(id)) ?? content(api.GET('/songs/{song_id}', { params: { path: { song_id: id } } }))),
  );
};

/** Lists that are kept, as the views show them. */
export interface OfflineState {
  /** Undefined until it is known. */
  readonly lists: readonly OfflineList[] | undefined;
  /** Keys of the lists whose songs are fetched, or wait for that. */
  readonly busy: ReadonlySet<string>;
}

const state = watched<OfflineState>({ lists: undefined, busy: new Set() });
let last: Promise<unknown> = Promise.resolve();

const set = (change: Partial<OfflineState>): void => state.set({ ...state.current(), ...change });

const refresh = async (): Promise<void> => set({ lists: await offlineLists() });

/** Fetches the songs of a list after those of the lists before it. */
const update = async (key: string, name: string, prepare: () => Promise<unknown> = () => Promise.resolve()): Promise<void> => {
  set({ busy: new Set([...state.current().busy, key]) });
  const after = async (before: Promise<unknown>): Promise<void> => {
    await before;
    await prepare();
    await keepSongs(key, name, await songsNow(key), () => void refresh());
  };
  const work = after(last);
  // Whoever asked for a list is told of its failure; the next list is fetched all the same.
  last = work.catch(() => undefined);
  try {
    await work;
  } finally {
    set({ busy: state.current().busy.difference(new Set([key])) });
    await refresh();
  }
};

/** Lists that this browser keeps. Methods throw what the server or the disk refuses; what is there by then stays. */
export const offline = {
  state,
  refresh,
  /** Keeps the songs of a list as it is now, and none that it had before. */
  keep: async (key: string, name: string): Promise<void> => {
    // Asks for nothing where the browser decides by itself; what it decides changes nothing here.
    void navigator.storage.persist();
    await update(key, name);
  },
  /** Keeps songs besides those that were chosen before. */
  keepSongs: (name: string, songs: readonly Song[]): Promise<void> =>
    update(SINGLE_SONGS, name, async () => {
      const { songs: before = [] } = (await offlineList(SINGLE_SONGS)) ?? {};
      const known = new Set(before.map(({ id }) => id));
      const added = songs.filter(({ id }) => !known.has(id)).map(({ id }) => ({ id }));
      const list: OfflineList = { key: SINGLE_SONGS, name, songs: [...before, ...added] };
      await write(await caches.open(OFFLINE_CACHE), listAddress(SINGLE_SONGS), list);
    }),
  /** Removes a list, and the songs that are in no other one. */
  remove: async (key: string): Promise<void> => {
    const list = await offlineList(key);
    const cache = await caches.open(OFFLINE_CACHE);
    await cache.delete(listAddress(key));
    await removeSongs(cache, list?.songs.map(({ id }) => id) ?? []);
    await refresh();
  },
};
