import { countedArtists } from '../../../../reads/library/artist-albums.reads.js';
import type { CatalogScope } from '../../../../reads/visibility/catalog-scope.reads.js';
import { songFlow } from '../../../../reads/songs/songs.reads.js';
import { flowOf } from '../../../../render/flow.js';
import type { ThreeLists } from '../../objects/search.object.js';
import type { UserCallBase } from '../endpoint.js';
import { albumFlow } from './albums-with-plays.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasPreferences;

/** Artists, albums and songs by ids, read while they are written. */
export const threeLists = (
  { services, viewer, scope }: Pick<UserCallBase<Services>, 'services' | 'viewer'> & { readonly scope: CatalogScope },
  ids: { readonly artists: readonly number[]; readonly albums: readonly number[]; readonly songs: readonly number[] },
): ThreeLists => ({
  artists: flowOf(ids.artists, (batch) => countedArtists(services.db, batch, { ...viewer, catalogs: scope })),
  albums: albumFlow({ services, viewer }, ids.albums),
  songs: songFlow(services.db, ids.songs, viewer),
});
