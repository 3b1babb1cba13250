import type { Aggregate } from '@continuo/chassis';
import {
  albumArtFound,
  artistArtFound,
  artistInfoFound,
  type AlbumId,
  type ArtistId,
  type ArtistInfoEvent,
  type ArtRef,
  type FoundArtEvent,
  type FoundArtistInfo,
} from '@continuo/contracts';

/** Commands of external metadata of an artist. */
export type ArtistInfoCommand = { readonly type: 'record'; readonly artistId: ArtistId; readonly info: FoundArtistInfo };
/** Metadata recorded last, as JSON text; undefined without any. */
export type ArtistInfoState = string | undefined;

/** The same fields in the same order, whoever wrote them. */
const textOf = ({
  mbid,
  summary,
  attribution,
  placeFormed,
  yearFormed,
  url,
  similar,
  topSongs,
  isComplete,
  sources,
}: FoundArtistInfo): string =>
  JSON.stringify([
    mbid,
    summary,
    attribution,
    placeFormed,
    yearFormed,
    url,
    similar.map((one) => [one.name, one.mbid, one.score]),
    topSongs.map((one) => [one.title, one.mbid]),
    isComplete,
    sources,
  ]);

/** External metadata of one artist. */
export const artistInfo: Aggregate<ArtistInfoState, ArtistInfoCommand, ArtistInfoEvent> = {
  context: 'library',
  kind: 'artist-info',
  initialState: undefined,
  decide: (state, { artistId, info }) => (state === textOf(info) ? [] : [artistInfoFound({ ...info, artistId })]),
  evolve: (_, { data }) => textOf(data),
};

/** Object of the picture. */
export type FoundArtOf = { readonly artistId: ArtistId } | { readonly albumId: AlbumId };
/** A picture that a plug-in found. */
export interface FoundArtCommand {
  readonly type: 'record';
  readonly of: FoundArtOf;
  readonly art: ArtRef;
  readonly source: string;
}
/** The digest of the picture that there is. */
export type FoundArtState = string | undefined;

/** The found picture of one artist or album. */
export const foundArt: Aggregate<FoundArtState, FoundArtCommand, FoundArtEvent> = {
  context: 'library',
  kind: 'found-art',
  initialState: undefined,
  decide: (state, { of, art, source }) => {
    if (state === art.hash) return [];
    return 'artistId' in of
      ? [artistArtFound({ artistId: of.artistId, art, source })]
      : [albumArtFound({ albumId: of.albumId, art, source })];
  },
  evolve: (_, { data }) => data.art.hash,
};

/** The id of its aggregate. */
export const foundArtId = (of: FoundArtOf): string => ('artistId' in of ? `artist-${of.artistId}` : `album-${of.albumId}`);
