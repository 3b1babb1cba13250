import { artReads } from '../reads/art-kinds.js';
import { namesByIds } from '../reads/names.reads.js';
import { songIdsByShare } from '../reads/shares.reads.js';
import { songsByIds, type SongView } from '../reads/songs.reads.js';
import type { GatewayServices } from '../services.js';
import type { OpenShare } from './share-door.js';

/** What visitors see of a share. */
export interface ShareContents {
  /** Name of what is shared; of several things the first. */
  readonly name: string;
  /** Whose it is, as far as everything in it is by the same; empty otherwise. */
  readonly by: string;
  readonly songs: readonly SongView[];
  readonly hasArt: boolean;
}

const artistsOf = ({ doc }: SongView, kind: string): string =>
  kind === 'song'
    ? (doc.displayArtist ?? doc.artists.map(({ name }) => name).join(', '))
    : (doc.displayAlbumArtist ?? doc.albumArtists.map(({ name }) => name).join(', '));

/** The hash of a share's picture: that of its first thing. */
export const shareArt = async ({ db }: Pick<GatewayServices, 'db'>, { share, viewer }: OpenShare): Promise<string | null | undefined> =>
  artReads[share.kind](db, share.objectIds[0] ?? 0, viewer);

/** Reads what is in a share, as its owner sees it today. */
export const shareContents = async ({ db }: Pick<GatewayServices, 'db'>, open: OpenShare): Promise<ShareContents> => {
  const { share, viewer } = open;
  const [names, ids, hash] = await Promise.all([
    namesByIds(db, share.kind, share.objectIds.slice(0, 1), viewer),
    songIdsByShare(db, [share.id], viewer),
    shareArt({ db }, open),
  ]);
  const songs = await songsByIds(db, ids.get(share.id) ?? [], viewer);
  const makers = new Set(songs.map((song) => artistsOf(song, share.kind)));
  const by = share.kind !== 'artist' && makers.size === 1 ? ([...makers][0] ?? '') : '';
  return { name: names[0]?.name ?? '', by, songs, hasArt: typeof hash === 'string' };
};
