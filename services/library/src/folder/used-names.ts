import type { ArtistId, NameTables, RecordedTrack } from '@continuo/contracts';

/** The part of the name tables that the tracks use. */
export const namesOf = (names: NameTables, tracks: readonly RecordedTrack[]): NameTables => {
  const albums = new Set(tracks.map((track) => track.albumId));
  const usedAlbums = names.albums.filter((album) => albums.has(album.id));
  const artists = new Set([...tracks.flatMap(artistsNamedBy), ...usedAlbums.flatMap((album) => album.artistIds)]);
  const genres = new Set(tracks.flatMap((track) => track.genreIds));
  const moods = new Set(tracks.flatMap((track) => track.moodIds));
  const labels = new Set(usedAlbums.flatMap((album) => album.labelIds ?? []));
  const licenses = new Set(tracks.map((track) => track.licenseId));
  return {
    artists: names.artists.filter((artist) => artists.has(artist.id)),
    albums: usedAlbums,
    genres: names.genres.filter((genre) => genres.has(genre.id)),
    moods: names.moods.filter((mood) => moods.has(mood.id)),
    ...someOf({
      labels: (names.labels ?? []).filter((label) => labels.has(label.id)),
      licenses: (names.licenses ?? []).filter((license) => licenses.has(license.id)),
    }),
  };
};

const artistsNamedBy = ({ artistIds, composerIds = [], contributors }: RecordedTrack): ArtistId[] => [
  ...artistIds,
  ...composerIds,
  ...contributors.flatMap(({ artistId }) => artistId ?? []),
];

/** Leaves out the empty lists: most libraries name neither labels nor licences. */
const someOf = <T extends Record<string, readonly unknown[]>>(lists: T): Partial<T> =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<T>;
