import { inWantedYear } from '../../preferences/index.js';
import { playedAlbumsByIds, type PlayedAlbum } from '../../reads/album-plays.reads.js';
import type { UserCallBase } from './endpoint.js';

/** Albums by id with their plays, in the order of the ids and as the caller wants to see them. */
export const shownAlbums = async (
  { services, viewer }: Pick<UserCallBase, 'services' | 'viewer'>,
  ids: readonly number[],
): Promise<readonly PlayedAlbum[]> => inWantedYear(services, viewer, await playedAlbumsByIds(services.db, ids, viewer));
