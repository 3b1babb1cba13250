import { inWantedYear } from '../../../../preferences/index.js';
import { playedAlbumsByIds, type PlayedAlbum } from '../../../../reads/library/album-plays.reads.js';
import { albumIdsUnderArtist, albumsOfArtist } from '../../../../reads/library/artist-albums.reads.js';
import type { CatalogScope } from '../../../../reads/visibility/catalog-scope.reads.js';
import { flowOf, heldFlow, type Flow } from '../../../../render/flow.js';
import type { UserCallBase } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasPreferences;

/** Albums by id with their plays, in the order of the ids, with the year that the caller prefers. */
export const albumsWithPlays = async (
  { services, viewer }: Pick<UserCallBase<Services>, 'services' | 'viewer'>,
  ids: ArrayLike<number>,
): Promise<readonly PlayedAlbum[]> => inWantedYear(services, viewer, await playedAlbumsByIds(services.db, Array.from(ids), viewer));

/** The same as a stream. */
export const albumFlow = (caller: Pick<UserCallBase<Services>, 'services' | 'viewer'>, ids: ArrayLike<number>): Flow<PlayedAlbum> =>
  flowOf(ids, (batch) => albumsWithPlays(caller, batch));

/** The albums to show under an artist, with their plays, oldest first. @param scope a part of what the viewer sees */
export const albumsUnderArtist = async (
  { services, viewer }: Pick<UserCallBase<Services>, 'services' | 'viewer'>,
  artistId: number,
  scope: CatalogScope,
): Promise<Flow<PlayedAlbum>> => {
  const own = await albumsOfArtist(services.db, artistId, { ...viewer, catalogs: scope });
  if (own) return heldFlow(await inWantedYear(services, viewer, own));
  return albumFlow({ services, viewer }, await albumIdsUnderArtist(services.db, artistId, scope));
};
