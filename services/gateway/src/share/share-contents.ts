import { artReads } from '../reads/art-kinds.js';
import { namesByIds } from '../reads/names.reads.js';
import { episodesByIds, type EpisodeView } from '../reads/podcasts.reads.js';
import { episodeIdsByShare, SHOWN_SONGS } from '../reads/shares.reads.js';
import { songsByIds, type SongView } from '../reads/songs.reads.js';
import { videosByIds, type VideoView } from '../reads/videos.reads.js';
import type { GatewayServices } from '../services.js';
import { firstArtOf } from '../smartlists/index.js';
import type { OpenShare } from './share-door.js';
import { songIdsOfShares } from './shared-smartlists.js';

/** What visitors see of a share. */
export interface ShareContents {
  /** Name of what is shared; of several things the first. */
  readonly name: string;
  /** Whose it is, as far as everything in it is by the same; empty otherwise. */
  readonly by: string;
  readonly songs: readonly SongView[];
  /** Those of a share of videos, which has no songs; as many as there may be songs. */
  readonly videos: readonly VideoView[];
  /** Those of a share of podcasts or of episodes, which has neither. */
  readonly episodes: readonly EpisodeView[];
  readonly hasArt: boolean;
}

const artistsOf = ({ doc }: SongView, kind: string): string =>
  kind === 'song'
    ? (doc.displayArtist ?? doc.artists.map(({ name }) => name).join(', '))
    : (doc.displayAlbumArtist ?? doc.albumArtists.map(({ name }) => name).join(', '));

/** What contents are read with. */
type Sources = Pick<GatewayServices, 'db' | 'smartlists' | 'log'>;

/** The hash of a share's picture: that of its first thing, of a smartlist that of its first song with one. */
export const shareArt = async (services: Sources, { share, viewer }: OpenShare): Promise<string | null | undefined> => {
  const { db } = services;
  if (share.kind !== 'search') return artReads[share.kind](db, share.objectIds[0] ?? 0, viewer);
  const ids = (await songIdsOfShares(services, [share], viewer)).get(share.id) ?? [];
  return firstArtOf(db, Int32Array.from(ids));
};

/** Reads what is in a share, as its owner sees it today. */
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
