import {
  artistIdsNamed,
  isArtistSeen,
  songIdsNamed,
  songIdsOfArtistNamed,
  type ArtistInfoView,
} from '../../reads/library/external-metadata.reads.js';
import { similarArtistIds, similarSongIds, songIdsLikeArtist } from '../../reads/songs/similar.reads.js';
import { topSongIds } from '../../reads/songs/top-songs.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { pluginMetadataOf, fetchArtistInfo, listIn, type ExternalMetadataCall } from './external-metadata.js';

/** Subject, viewer and size of a similarity query. */
export interface Wanted {
  readonly id: number;
  readonly viewer: Viewer;
  readonly limit: number;
}

/** Returns external metadata only for an artist that the viewer may see. */
const knownOfSeen = async (
  call: ExternalMetadataCall,
  { id, viewer }: Pick<Wanted, 'id' | 'viewer'>,
): Promise<ArtistInfoView | undefined> => ((await isArtistSeen(call.services.db, id, viewer)) ? fetchArtistInfo(call, id) : undefined);

const joined = (some: readonly number[], others: readonly number[], limit: number): number[] =>
  [...new Set([...some, ...others])].slice(0, limit);

/** Artists that plug-ins say are like one, then those that its tags are like; undefined when the viewer has no such artist. */
export const findSimilarArtists = async (call: ExternalMetadataCall, wanted: Wanted): Promise<number[] | undefined> =>
  similarArtistsOf(call, wanted, await knownOfSeen(call, wanted));

/** As {@link findSimilarArtists}, with the artist's metadata at hand. */
export const similarArtistsOf = async (
  { services: { db } }: ExternalMetadataCall,
  { id, viewer, limit }: Wanted,
  known: ArtistInfoView | undefined,
): Promise<number[] | undefined> => {
  const local = await similarArtistIds(db, id, viewer, limit);
  if (!local || limit === 0) return local;
  const found = known ? await artistIdsNamed(db, known.similar, viewer) : [];
  return joined(
    found.filter((other) => other !== id),
    local,
    limit,
  );
};

/** Songs that plug-ins say are like one, then those that its tags are like; undefined when the viewer has no such song. */
export const findSimilarSongs = async (call: ExternalMetadataCall, { id, viewer, limit }: Wanted): Promise<number[] | undefined> => {
  const { db } = call.services;
  const local = await similarSongIds(db, id, viewer, limit);
  if (!local || limit === 0) return local;
  const answers = await pluginMetadataOf(call, 'song', id);
  const named = answers.flatMap(({ facts }) =>
    listIn(facts, 'similar').flatMap(({ title, artist }) =>
      typeof title === 'string' && typeof artist === 'string' ? [{ title, artist, mbid: null }] : [],
    ),
  );
  const found = await songIdsNamed(db, named, viewer);
  return joined(
    found.filter((other) => other !== id),
    local,
    limit,
  );
};

/** Songs of an artist and of those that are like it; undefined when the viewer has no such artist. */
export const findSongsLikeArtist = async (call: ExternalMetadataCall, { id, viewer, limit }: Wanted): Promise<number[] | undefined> => {
  const { db } = call.services;
  const known = await knownOfSeen(call, { id, viewer });
  const found = known ? await artistIdsNamed(db, known.similar, viewer) : [];
  return songIdsLikeArtist(db, id, viewer, { limit, first: found.filter((other) => other !== id) });
};

/** Songs of an artist: those that are played most here, then those that plug-ins say are played most elsewhere. */
export const findTopSongs = async (call: ExternalMetadataCall, { id, viewer, limit }: Wanted): Promise<number[]> => {
  const { db } = call.services;
  const played = await topSongIds(db, id, limit);
  if (played.length >= limit) return played;
  const known = await knownOfSeen(call, { id, viewer });
  return joined(played, known ? await songIdsOfArtistNamed(db, id, known.topSongs, viewer) : [], limit);
};
