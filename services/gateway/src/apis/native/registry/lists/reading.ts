import { inWantedYear } from '../../../../preferences/index.js';
import { albumsByIds } from '../../../../reads/library/albums.reads.js';
import { artistsByIds } from '../../../../reads/library/artists.reads.js';
import { artistMetadataByIds } from '../../../../reads/library/external-metadata.reads.js';
import { podcastsByIds } from '../../../../reads/podcasts/podcasts.reads.js';
import { foldedSongsByIds, type SongView } from '../../../../reads/songs/songs.reads.js';
import { FOLDED_BATCH, type ReadBatch } from '../../../../render/index.js';
import type { CallerCall } from '../../method.js';
import type { NativeAlbum } from '../../objects/album.object.js';
import type { NativeArtist } from '../../objects/artist.object.js';
import type { NativePodcast } from '../../objects/podcast.object.js';
import type { NativeSong } from '../../objects/song.object.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasPreferences;

/** Viewer, and services to read with. */
export type Reader = Pick<CallerCall<unknown, Services>, 'services' | 'viewer'>;

function* numbered(views: Iterable<SongView>, start: number): Generator<NativeSong> {
  let position = start;
  for (const view of views) {
    position += 1;
    yield { view, position };
  }
}

/** Reads songs; `start` is the position of the first one. Songs are unfolded lazily. */
export const readSongs = async ({ services, viewer }: Reader, ids: ArrayLike<number>, start = 0): Promise<Iterable<NativeSong>> =>
  numbered(await foldedSongsByIds(services.db, ids, viewer), start);

/** Reads the songs of a list batch after batch, see {@link readSongs}. */
export const songReader = (reader: Reader): ReadBatch<NativeSong> =>
  Object.assign((ids: Int32Array, start: number) => readSongs(reader, ids, start), { atATime: FOLDED_BATCH });

/** Reads albums without songs; `expansion.ts` adds them if included. */
export const readAlbums = async ({ services, viewer }: Reader, ids: ArrayLike<number>): Promise<NativeAlbum[]> => {
  const views = await inWantedYear(services, viewer, await albumsByIds(services.db, ids, viewer));
  return views.map((view) => ({ view }));
};

/** Reads artists without albums and songs; `expansion.ts` adds them if included. */
export const readArtists = async ({ services, viewer }: Reader, ids: ArrayLike<number>): Promise<NativeArtist[]> => {
  const [views, facts] = await Promise.all([artistsByIds(services.db, ids, viewer), artistMetadataByIds(services.db, ids)]);
  return views.map((view) => ({ view, facts: facts.get(view.id) }));
};

/** Reads podcasts without episodes; `expansion.ts` adds them if included. */
export const readPodcasts = async ({ services, viewer }: Reader, ids: ArrayLike<number>): Promise<NativePodcast[]> =>
  (await podcastsByIds(services.db, ids, viewer)).map((view) => ({ view, episodes: [] }));
