import { inWantedYear } from '../../preferences/index.js';
import { albumsByIds } from '../../reads/albums.reads.js';
import { artistsByIds } from '../../reads/artists.reads.js';
import { artistFacts } from '../../reads/found-facts.reads.js';
import { podcastsByIds } from '../../reads/podcasts.reads.js';
import { foldedSongsByIds, type SongView } from '../../reads/songs.reads.js';
import type { CallerCall } from '../method.js';
import type { NativeAlbum } from '../objects/album.object.js';
import type { NativeArtist } from '../objects/artist.object.js';
import type { NativePodcast } from '../objects/podcast.object.js';
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

/** Reads albums without their songs, which `expansion.ts` adds where they are asked for. */
export const readAlbums = async ({ services, viewer }: Reader, ids: ArrayLike<number>): Promise<NativeAlbum[]> => {
  const views = await inWantedYear(services, viewer, await albumsByIds(services.db, ids, viewer));
  return views.map((view) => ({ view, tracks: [] }));
};

/** Reads artists without their albums and songs, which `expansion.ts` adds where they are asked for. */
export const readArtists = async ({ services, viewer }: Reader, ids: ArrayLike<number>): Promise<NativeArtist[]> => {
  const [views, facts] = await Promise.all([artistsByIds(services.db, ids, viewer), artistFacts(services.db, ids)]);
  return views.map((view) => ({ view, facts: facts.get(view.id), albums: [], songs: [] }));
};

/** Reads podcasts without their episodes, which `expansion.ts` adds where they are asked for. */
export const readPodcasts = async ({ services, viewer }: Reader, ids: ArrayLike<number>): Promise<NativePodcast[]> =>
  (await podcastsByIds(services.db, ids, viewer)).map((view) => ({ view, episodes: [] }));
