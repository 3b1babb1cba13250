import { albumDisksByIds } from '../../reads/library/album-disks.reads.js';
import { kinds } from '../../kinds/index.js';
import { childIds, type Children } from '../../reads/library/children.reads.js';
import type { IdList } from '../../reads/lists/id-list.js';
import { episodesByIds } from '../../reads/podcasts/podcasts.reads.js';
import type { CallerCall } from './method.js';
import type { NativeAlbumDisk } from './objects/album-disk.object.js';
import type { NativeAlbum } from './objects/album.object.js';
import type { NativeArtist } from './objects/artist.object.js';
import type { NativeTable } from './objects/native-object.js';
import type { NativePodcast } from './objects/podcast.object.js';
import type { NativeSong } from './objects/song.object.js';
import type { ListParams } from './paging.js';
import { readAlbums, readArtists, readPodcasts, readSongs, type Reader } from './registry/lists/reading.js';
import { itemsFrom, type NativeResult } from './result.js';
import type { HasReadModel } from '../../reads/database/database.js';

type Services = HasReadModel;

/** Most owners read in one step of an expanded list; a step also ends when it has too many children. */
const STEP_OWNERS = 250;
const STEP_CHILDREN = 5000;

/** Owners of a step, with the ids of their children by relation, in requested order. */
interface Step {
  readonly ids: Int32Array;
  readonly childrenOf: readonly ((owner: number) => Int32Array)[];
}

/**
 * Walks owners in steps whose children fit into memory; an artist with thousands of songs is a step of its own.
 */
async function* stepsOf(reader: Reader, ids: Int32Array, relations: readonly Children[]): AsyncGenerator<Step> {
  for (let start = 0; start < ids.length; start += STEP_OWNERS) {
    const owners = ids.subarray(start, start + STEP_OWNERS);
    const childrenOf = await Promise.all(relations.map((relation) => childIds(reader.services.db, relation, owners, reader.viewer)));
    let from = 0;
    let held = 0;
    for (const [place, owner] of owners.entries()) {
      const count = childrenOf.reduce((sum, of) => sum + of(owner).length, 0);
      if (held > 0 && held + count > STEP_CHILDREN) {
        yield { ids: owners.subarray(from, place), childrenOf };
        from = place;
        held = 0;
      }
      held += count;
    }
    yield { ids: owners.subarray(from), childrenOf };
  }
}

const allChildren = (ids: Int32Array, of: (owner: number) => Int32Array): number[] => [
  ...new Set(Array.from(ids).flatMap((owner) => Array.from(of(owner)))),
];

/** Songs of a step by owner, numbered within the owner. */
const songsOf = async (reader: Reader, ids: Int32Array, of: (owner: number) => Int32Array): Promise<(owner: number) => NativeSong[]> => {
  const songs = new Map<number, NativeSong>();
  for (const song of await readSongs(reader, allChildren(ids, of))) songs.set(song.view.doc.id, song);
  return (owner) => {
    const own = Array.from(of(owner)).flatMap((id) => songs.get(id) ?? []);
    return own.map((song, index) => ({ ...song, position: index + 1 }));
  };
};

const albumsOf = async (reader: Reader, ids: Int32Array, of: (owner: number) => Int32Array): Promise<(owner: number) => NativeAlbum[]> => {
  const albums = new Map((await readAlbums(reader, allChildren(ids, of))).map((album) => [album.view.id, album]));
  return (owner) => Array.from(of(owner)).flatMap((id) => albums.get(id) ?? []);
};

const notAsked = (): undefined => undefined;
const noChildren = (): Int32Array => new Int32Array(0);

/** Albums with their songs, in steps that fit into memory. */
export async function* albumsWithSongs(reader: Reader, ids: Int32Array): AsyncGenerator<NativeAlbum[]> {
  for await (const step of stepsOf(reader, ids, [kinds.album.children.songs])) {
    const [albums, tracks] = await Promise.all([readAlbums(reader, step.ids), songsOf(reader, step.ids, step.childrenOf[0] ?? noChildren)]);
    yield albums.map((album) => ({ ...album, tracks: tracks(album.view.id) }));
  }
}

/** Disks with their songs. */
export async function* albumDisksWithSongs(reader: Reader, ids: Int32Array): AsyncGenerator<NativeAlbumDisk[]> {
  const { services, viewer } = reader;
  for await (const step of stepsOf(reader, ids, [kinds.album_disk.children.songs])) {
    const [disks, tracks] = await Promise.all([
      albumDisksByIds(services.db, step.ids, viewer),
      songsOf(reader, step.ids, step.childrenOf[0] ?? noChildren),
    ]);
    yield disks.map((view) => ({ view, tracks: tracks(view.id) }));
  }
}

/** Relations included in artists. */
export interface IncludedInArtists {
  readonly albums: boolean;
  readonly songs: boolean;
}

/** Artists with their albums, songs or both. */
export async function* artistsWith(reader: Reader, ids: Int32Array, included: IncludedInArtists): AsyncGenerator<NativeArtist[]> {
  const { albums: ofAlbums, songs: ofSongs } = kinds.artist.children;
  const relations = [...(included.albums ? [ofAlbums] : []), ...(included.songs ? [ofSongs] : [])];
  for await (const { ids: owners, childrenOf } of stepsOf(reader, ids, relations)) {
    const [artists, albums, songs] = await Promise.all([
      readArtists(reader, owners),
      included.albums ? albumsOf(reader, owners, childrenOf[0] ?? noChildren) : notAsked,
      included.songs ? songsOf(reader, owners, childrenOf.at(-1) ?? noChildren) : notAsked,
    ]);
    yield artists.map((artist) => ({ ...artist, albums: albums(artist.view.id), songs: songs(artist.view.id) }));
  }
}

/** Podcasts with their episodes, newest first. */
export async function* podcastsWithEpisodes(reader: Reader, ids: Int32Array): AsyncGenerator<NativePodcast[]> {
  const { services, viewer } = reader;
  for await (const { ids: owners, childrenOf } of stepsOf(reader, ids, [kinds.podcast.children.episodes])) {
    const of = childrenOf[0] ?? noChildren;
    const [podcasts, episodes] = await Promise.all([
      readPodcasts(reader, owners),
      episodesByIds(services.db, allChildren(owners, of), viewer),
    ]);
    const byPodcast = Map.groupBy(episodes, ({ podcastId }) => podcastId);
    yield podcasts.map((podcast) => ({ ...podcast, episodes: byPodcast.get(podcast.view.id) ?? [] }));
  }
}

/** First object of an expansion, for methods about one object. */
export const firstOf = async <T>(steps: AsyncIterable<readonly T[]>): Promise<T | undefined> => {
  for await (const [object] of steps) return object;
  return undefined;
};

/** Continues steps after those already taken; reads each step while the previous one is written. */
async function* resumed<T>(taken: readonly T[], rest: AsyncGenerator<T>): AsyncGenerator<T> {
  const readNext = (): Promise<IteratorResult<T>> => {
    const step = rest.next();
    // The next step may fail after the client has disconnected; this must not be an unhandled rejection.
    step.catch(() => undefined);
    return step;
  };
  let next = readNext();
  yield* taken;
  for (let step = await next; step.done !== true; step = await next) {
    next = readNext();
    yield step.value;
  }
}

/**
 * A page of a list whose objects include others: held in memory when one step is enough, else sent while it is read, with constant memory.
 */
export const expandedResult = async <T>(
  call: CallerCall<Pick<ListParams, 'offset' | 'limit'>, Services>,
  list: IdList,
  shape: {
    readonly table: NativeTable<T>;
    readonly steps: (ids: Int32Array) => AsyncGenerator<readonly T[]>;
    readonly counted?: boolean;
  },
): Promise<NativeResult> => {
  const ids = list.page(call.params.offset, call.params.limit);
  const steps = shape.steps(ids);
  const first = await steps.next();
  const second = first.done === true ? first : await steps.next();
  const taken = [first, second].flatMap((step) => (step.done === true ? [] : [step.value]));
  const isLong = second.done !== true;
  const items = itemsFrom(shape.table, resumed(taken, steps), { isEmpty: ids.length === 0, isLong });
  return { kind: 'list', name: shape.table.kind, counted: shape.counted ?? true, list, items };
};
