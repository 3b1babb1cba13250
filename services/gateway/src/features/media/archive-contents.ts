import { safeFileNameOf } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';
import { albumsByIds } from '../../reads/library/albums.reads.js';
import { artistsByIds } from '../../reads/library/artists.reads.js';
import type { ReadDatabase, HasReadModel } from '../../reads/database/database.js';
import { keptEpisodes } from '../../reads/podcasts/episode-file.reads.js';
import { songIdsByAlbum, songIdsByArtist, songsByIds } from '../../reads/songs/songs.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import type { ArchiveOrder } from './archive-names.js';
import type { WantedArchive } from './send-archive.js';
import type { HasConfig } from '../../server/needs.js';

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

const requireArchive = ({ config }: HasConfig, files: number): void => {
  if (!config.ZIP_DOWNLOADS) throw new Rejection('feature.disabled', undefined, 'zip downloads');
  if (files > config.ZIP_MAX_FILES)
    throw new Rejection('input.too-large', `an archive holds at most ${config.ZIP_MAX_FILES} files`, 'filter');
};

/**
 * The kept files of a podcast, or of one of its episodes; undefined when the viewer sees none of this id.
 * @throws Rejection as {@link archiveContents}
 */
export const episodeArchive = async (
  services: HasReadModel & HasConfig,
  wanted: { readonly podcastId: number } | { readonly episodeId: number },
  viewer: Viewer,
): Promise<WantedArchive | undefined> => {
  const episodes = await keptEpisodes(services.db, wanted, viewer, services.config.ZIP_MAX_FILES + 1);
  const [first] = episodes;
  if (!first) return undefined;
  requireArchive(services, episodes.length);
  // Two may have the same title, and be of the same day.
  const files = episodes.map(({ catalogPath, path, title, format, publishedAtMs }, index) => {
    const date = new Date(publishedAtMs).toISOString().slice(0, 10);
    return { name: `${String(index + 1).padStart(3, '0')} ${safeFileNameOf(`${date} ${title}`, format ?? 'bin')}`, catalogPath, path };
  });
  return { name: 'episodeId' in wanted ? first.title : first.podcastTitle, files };
};

/**
 * Lists the files of an archive of these songs.
 * @throws Rejection `feature.disabled` where archives are switched off, `input.too-large` for more files than one may have
 */
export const archiveContents = async (
  { db, config }: HasReadModel & HasConfig,
  held: HeldSongs,
  viewer: Viewer,
): Promise<WantedArchive> => {
  requireArchive({ config }, held.ids.length);
  return { name: held.name, songs: await songsByIds(db, held.ids, viewer), order: held.order };
};
