import { albumIdsByArtist, albumsByIds } from '../../reads/albums.reads.js';
import { artistsByIds } from '../../reads/artists.reads.js';
import { foldedSongsByIds, songIdsByAlbum, songIdsByArtist, songsByIds, type SongView } from '../../reads/songs.reads.js';
import type { CallerCall } from '../method.js';
import type { NativeAlbum } from '../objects/album.object.js';
import type { NativeArtist } from '../objects/artist.object.js';
import type { NativeSong } from '../objects/song.object.js';

/** Who reads, and where from. */
export type Reader = Pick<CallerCall<unknown>, 'services' | 'viewer'>;

function* numbered(views: Iterable<SongView>, start: number): Generator<NativeSong> {
  let position = start;
  for (const view of views) {
    position += 1;
    yield { view, position };
  }
}

/** Reads songs of a page; `start` is the place of the first one inside it. Each song is unfolded only when it is taken. */
export const readSongs = async ({ services, viewer }: Reader, ids: ArrayLike<number>, start = 0): Promise<Iterable<NativeSong>> =>
  numbered(await foldedSongsByIds(services.db, ids, viewer), start);

const distribute = <V extends { readonly id: number }, T>(
  owners: Map<number, number[]>,
  views: readonly V[],
  make: (view: V, index: number) => T,
): ((ownerId: number) => T[]) => {
  const byId = new Map(views.map((view) => [view.id, view]));
  return (ownerId) =>
    (owners.get(ownerId) ?? []).flatMap((id, index) => {
      const view = byId.get(id);
      return view ? [make(view, index)] : [];
    });
};

const songsOf = async (reader: Reader, owners: Map<number, number[]>): Promise<(ownerId: number) => NativeSong[]> => {
  const views = await songsByIds(reader.services.db, [...new Set([...owners.values()].flat())], reader.viewer);
  return distribute(
    owners,
    views.map((view) => ({ id: view.doc.id, view })),
    ({ view }, index) => ({ view, position: index + 1 }),
  );
};

const none = (): never[] => [];

/** Reads albums, with their songs when these are included: two statements more, whatever their number. */
export const readAlbums = async (reader: Reader, ids: ArrayLike<number>, withSongs: boolean): Promise<NativeAlbum[]> => {
  const { services, viewer } = reader;
  const views = await albumsByIds(services.db, ids, viewer);
  const tracks = withSongs ? await songsOf(reader, await songIdsByAlbum(services.db, ids, viewer)) : none;
  return views.map((view) => ({ view, tracks: tracks(view.id) }));
};

/** Reads artists, with their albums or songs when these are included. */
export const readArtists = async (
  reader: Reader,
  ids: ArrayLike<number>,
  included: { albums: boolean; songs: boolean },
): Promise<NativeArtist[]> => {
  const { services, viewer } = reader;
  const views = await artistsByIds(services.db, ids, viewer);
  const songs = included.songs ? await songsOf(reader, await songIdsByArtist(services.db, ids, viewer)) : none;
  const albums = included.albums ? await albumsOf(reader, ids) : none;
  return views.map((view) => ({ view, albums: albums(view.id), songs: songs(view.id) }));
};

const albumsOf = async (reader: Reader, artistIds: ArrayLike<number>): Promise<(ownerId: number) => NativeAlbum[]> => {
  const owners = await albumIdsByArtist(reader.services.db, artistIds, reader.viewer);
  const views = await albumsByIds(reader.services.db, [...new Set([...owners.values()].flat())], reader.viewer);
  return distribute(owners, views, (view) => ({ view, tracks: [] }));
};
