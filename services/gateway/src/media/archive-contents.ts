import { Rejection } from '@continuo/contracts';
import { albumsByIds } from '../reads/albums.reads.js';
import { artistsByIds } from '../reads/artists.reads.js';
import type { ReadDatabase } from '../reads/database.js';
import { songIdsByAlbum, songIdsByArtist, songsByIds } from '../reads/songs.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';
import type { ArchiveOrder } from './archive-names.js';
import type { WantedArchive } from './send-archive.js';

/** The songs of a thing, and its name. */
export interface HeldSongs {
  readonly name: string;
  readonly ids: ArrayLike<number>;
  readonly order: ArchiveOrder;
}

/** The songs of an album, in its order; undefined when the viewer sees none of this id. */
export const albumContents = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<HeldSongs | undefined> => {
  const [album] = await albumsByIds(db, [id], viewer);
  return album && { name: album.name, ids: (await songIdsByAlbum(db, [id], viewer)).get(id) ?? [], order: 'album' };
};

/** The songs that credit an artist. */
export const artistContents = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<HeldSongs | undefined> => {
  const [artist] = await artistsByIds(db, [id], viewer);
  return artist && { name: artist.name, ids: (await songIdsByArtist(db, [id], viewer)).get(id) ?? [], order: 'artist' };
};

/**
 * What becomes of the songs of a thing when they are an archive.
 * @throws Rejection `feature.disabled` where archives are switched off, `input.too-large` for more files than one may have
 */
export const archiveContents = async (
  { db, config }: Pick<GatewayServices, 'db' | 'config'>,
  held: HeldSongs,
  viewer: Viewer,
): Promise<WantedArchive> => {
  if (!config.ZIP_DOWNLOADS) throw new Rejection('feature.disabled', undefined, 'zip downloads');
  if (held.ids.length > config.ZIP_MAX_FILES)
    throw new Rejection('input.too-large', `an archive holds at most ${config.ZIP_MAX_FILES} files`, 'filter');
  return { name: held.name, songs: await songsByIds(db, held.ids, viewer), order: held.order };
};
