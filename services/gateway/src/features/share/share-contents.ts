import { artReads } from '../../kinds/index.js';
import { namesByIds } from '../../kinds/names.reads.js';
import { episodesByIds, type EpisodeView } from '../../reads/podcasts/podcasts.reads.js';
import { episodeIdsByShare, SHOWN_SONGS } from './shares.reads.js';
import { songsByIds, type SongView } from '../../reads/songs/songs.reads.js';
import { videosByIds, type VideoView } from '../../reads/library/videos.reads.js';
import { firstArtOf } from '../smartlists/index.js';
import type { OpenShare } from './share-access.js';
import { songIdsOfShares } from './shared-smartlists.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasSmartlists } from '../smartlists/running-smartlists.js';
import type { HasLog } from '../../server/needs.js';

/** Contents of a share for visitors. */
export interface ShareContents {
  /** Name of the shared object; of the first one if there are several. */
  readonly name: string;
  /** Artist, if all songs have the same; else empty. */
  readonly by: string;
  readonly songs: readonly SongView[];
  /** Videos of a share of videos. */
  readonly videos: readonly VideoView[];
  /** Episodes of a share of podcasts or episodes. */
  readonly episodes: readonly EpisodeView[];
  readonly hasArt: boolean;
}

const artistsOf = ({ doc }: SongView, kind: string): string =>
  kind === 'song'
    ? (doc.displayArtist ?? doc.artists.map(({ name }) => name).join(', '))
    : (doc.displayAlbumArtist ?? doc.albumArtists.map(({ name }) => name).join(', '));

/** Services for reading the contents. */
type Sources = HasReadModel & HasSmartlists & HasLog;

/** Hash of a share's picture: that of its first object, for a smartlist of its first song with a picture. */
export const shareArt = async (services: Sources, { share, viewer }: OpenShare): Promise<string | null | undefined> => {
  const { db } = services;
  if (share.kind !== 'search') return artReads[share.kind](db, share.objectIds[0] ?? 0, viewer);
  const ids = (await songIdsOfShares(services, [share], viewer)).get(share.id) ?? [];
  return firstArtOf(db, Int32Array.from(ids));
};

/** Reads the contents of a share, as its owner sees them now. */
export const shareContents = async (services: Sources, open: OpenShare): Promise<ShareContents> => {
  const { db } = services;
  const { share, viewer } = open;
  const [names, ids, episodeIds, hash] = await Promise.all([
    namesByIds(db, share.kind, share.objectIds.slice(0, 1), viewer),
    songIdsOfShares(services, [share], viewer),
    episodeIdsByShare(db, [share], viewer),
    shareArt(services, open),
  ]);
  const [songs, videos, episodes] = await Promise.all([
    songsByIds(db, ids.get(share.id) ?? [], viewer),
    videosByIds(db, share.kind === 'video' ? share.objectIds.slice(0, SHOWN_SONGS) : [], viewer),
    episodesByIds(db, episodeIds.get(share.id) ?? [], viewer),
  ]);
  const makers = new Set([
    ...songs.map((song) => artistsOf(song, share.kind)),
    ...episodes.map(({ author, podcastTitle }) => (share.kind === 'podcast' ? author : podcastTitle)),
  ]);
  const by = share.kind !== 'artist' && makers.size === 1 ? ([...makers][0] ?? '') : '';
  return { name: names[0]?.name ?? '', by, songs, videos, episodes, hasArt: typeof hash === 'string' };
};
