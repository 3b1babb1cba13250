import { albumDisksByIds } from '../reads/album-disks.reads.js';
import { childIds, type Relation } from '../reads/children.reads.js';
import type { IdList } from '../reads/id-list.js';
import { episodesByIds } from '../reads/podcasts.reads.js';
import type { ObjectTable } from '../render/index.js';
import type { CallerCall } from './method.js';
import type { NativeAlbumDisk } from './objects/album-disk.object.js';
import type { NativeAlbum } from './objects/album.object.js';
import type { NativeArtist } from './objects/artist.object.js';
import type { NativeContext } from './objects/context.js';
import type { NativePodcast } from './objects/podcast.object.js';
import type { NativeSong } from './objects/song.object.js';
import { inPlace, type ListParams } from './paging.js';
import { readAlbums, readArtists, readPodcasts, readSongs, type Reader } from './registry/reading.js';
import { itemsFrom, type NativeResult } from './result.js';

/** One step of an expanded list reads this many owners at most, and stops before it holds this many children. */
const STEP_OWNERS = 250;
const STEP_CHILDREN = 5000;

/** Some owners of a list with the ids of their children, by relation in the order in which these were asked for. */
interface Step {
  readonly ids: Int32Array;
  readonly childrenOf: readonly ((owner: number) => Int32Array)[];
}

/**
 * Walks owners in steps whose children fit into memory however many there are: an artist with thousands of songs is a step of its own.
 */
async function* stepsOf(reader: Reader, ids: Int32Array, relations: readonly Relation[]): AsyncGenerator<Step> {
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

/** The songs of a step by owner, each numbered inside its owner. */
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

const nothing = (): never[] => [];
const noChildren = (): Int32Array => new Int32Array(0);

/** Albums with their songs, as many at a time as memory has room for. */
export async function* albumsWithSongs(reader: Reader, ids: Int32Array): AsyncGenerator<NativeAlbum[]> {
  for await (const step of stepsOf(reader, ids, ['album-songs'])) {
    const [albums, tracks] = await Promise.all([readAlbums(reader, step.ids), songsOf(reader, step.ids, step.childrenOf[0] ?? noChildren)]);
    yield albums.map((album) => ({ ...album, tracks: tracks(album.view.id) }));
  }
}

/** Disks with their songs. */
export async function* albumDisksWithSongs(reader: Reader, ids: Int32Array): AsyncGenerator<NativeAlbumDisk[]> {
  const { services, viewer } = reader;
  for await (const step of stepsOf(reader, ids, ['album_disk-songs'])) {
    const [disks, tracks] = await Promise.all([
      albumDisksByIds(services.db, step.ids, viewer),
      songsOf(reader, step.ids, step.childrenOf[0] ?? noChildren),
    ]);
    yield disks.map((view) => ({ view, tracks: tracks(view.id) }));
  }
}

/** What an answer shows inside artists. */
export interface IncludedInArtists {
  readonly albums: boolean;
  readonly songs: boolean;
}

/** Artists with their albums, their songs or both. */
export async function* artistsWith(reader: Reader, ids: Int32Array, included: IncludedInArtists): AsyncGenerator<NativeArtist[]> {
  const relations: Relation[] = [
    ...(included.albums ? ['artist-albums' as const] : []),
    ...(included.songs ? ['artist-songs' as const] : []),
  ];
  for await (const { ids: owners, childrenOf } of stepsOf(reader, ids, relations)) {
    const [artists, albums, songs] = await Promise.all([
      readArtists(reader, owners),
      included.albums ? albumsOf(reader, owners, childrenOf[0] ?? noChildren) : nothing,
      included.songs ? songsOf(reader, owners, childrenOf.at(-1) ?? noChildren) : nothing,
    ]);
    yield artists.map((artist) => ({ ...artist, albums: albums(artist.view.id), songs: songs(artist.view.id) }));
  }
}

/** Podcasts with their episodes, the latest first. */
export async function* podcastsWithEpisodes(reader: Reader, ids: Int32Array): AsyncGenerator<NativePodcast[]> {
  const { services, viewer } = reader;
  for await (const { ids: owners, childrenOf } of stepsOf(reader, ids, ['podcast-podcast_episodes'])) {
    const of = childrenOf[0] ?? noChildren;
    const [podcasts, episodes] = await Promise.all([
      readPodcasts(reader, owners),
      episodesByIds(services.db, allChildren(owners, of), viewer),
    ]);
    const byPodcast = Map.groupBy(episodes, ({ podcastId }) => podcastId);
    yield podcasts.map((podcast) => ({ ...podcast, episodes: byPodcast.get(podcast.view.id) ?? [] }));
  }
}

/** The first object of an expansion: what a method about one object shows. */
export const firstOf = async <T>(steps: AsyncIterable<readonly T[]>): Promise<T | undefined> => {
  for await (const [object] of steps) return object;
  return undefined;
};

/** The steps that were taken already, then the others, each of which is read while the one before it is written. */
async function* resumed<T>(taken: readonly T[], rest: AsyncGenerator<T>): AsyncGenerator<T> {
  const readNext = (): Promise<IteratorResult<T>> => {
    const step = rest.next();
    // A step that nobody takes any more, because the client has gone, may fail unseen; whoever awaits it still sees the failure.
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
 * One page of a list whose objects hold others: held whole where one step is enough for it, else sent while it is read, so that memory stays flat
 * whatever the page's size.
 */
export const expandedResult = async <T>(
  call: CallerCall<Pick<ListParams, 'offset' | 'limit'>>,
  list: IdList,
  shape: {
    readonly table: ObjectTable<T, NativeContext>;
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
  const coming = resumed(taken, steps);
  const items = itemsFrom(shape.table, isLong ? inPlace(coming, call.services.listPlaces) : coming, { isEmpty: ids.length === 0, isLong });
  return { kind: 'list', name: shape.table.kind, counted: shape.counted ?? true, list, items };
};
