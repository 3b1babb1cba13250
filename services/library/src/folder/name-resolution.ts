import type {
  AlbumId,
  AlbumRef,
  ArtistId,
  GenreId,
  LabelId,
  LicenseId,
  LicenseRef,
  MoodId,
  NameTables,
  ScannedTrack,
} from '@continuo/contracts';
import { identityKey } from '../catalogue/names.js';
import type { IdentityRegistry } from '../identity/identity-registry.js';
import type { ResolvedTrack } from './folder.decider.js';
import { licenseNameOf } from './license-name.js';

/** Tracks with ids in place of names, and the tables that give the names back. */
export interface ResolvedNames {
  readonly tracks: ResolvedTrack[];
  readonly names: NameTables;
}

/**
 * The natural key of an album: its MusicBrainz release where tags give one, else album artists, name and version, within one catalog.
 * The same record in two catalogs is two albums.
 */
export const albumKey = (
  catalogId: number,
  album: { name: string; mbAlbumId?: string | undefined; version?: string | undefined },
  artistIds: readonly number[],
): string =>
  album.mbAlbumId
    ? `${catalogId}|mbid:${album.mbAlbumId.toLowerCase()}`
    : `${catalogId}|${artistIds.join(',')}|${identityKey(album.name)}|${identityKey(album.version ?? '')}`;

/** Gives every name of the tracks its id: a few look-ups for a whole folder, none for names that were met lately. */
export const resolveNames = async (
  registry: IdentityRegistry,
  catalogId: number,
  tracks: readonly ScannedTrack[],
): Promise<ResolvedNames> => {
  const artistOf = await resolveArtists(registry, tracks);
  const genres = await resolvePlain(
    registry,
    'genre',
    tracks.flatMap((track) => track.genres),
  );
  const moods = await resolvePlain(
    registry,
    'mood',
    tracks.flatMap((track) => track.moods),
  );
  const labels = await resolvePlain(
    registry,
    'label',
    tracks.flatMap((track) => track.album.recordLabels.filter((label) => label.trim() !== '')),
  );
  const licenses = await resolveLicenses(registry, tracks);
  const albums = await resolveAlbums(registry, catalogId, tracks, artistOf);
  const resolved = tracks.map((track, index): ResolvedTrack => {
    const { artists, albumArtists: _albumArtists, album: _album, genres: genreNames, moods: moodNames, contributors, ...plain } = track;
    return {
      ...plain,
      ...contributorIds(track, artistOf),
      contributors: contributors.map((one) => ({ ...one, artistId: artistOf({ name: one.name }).id as ArtistId })),
      artistIds: unique(artists.map((credit) => artistOf(credit).id as ArtistId)),
      albumId: albums.ofTrack[index] as AlbumId,
      genreIds: unique(genreNames.map((name) => genres.id(name) as GenreId)),
      moodIds: unique(moodNames.map((name) => moods.id(name) as MoodId)),
      ...licenses.of(track),
    };
  });
  const credits = tracks.flatMap(creditsOf);
  const artists = uniqueById(
    credits.map((credit) => {
      const { id, name, mbid } = artistOf(credit);
      return { id: id as ArtistId, name, ...(mbid ? { mbid } : {}), ...(credit.sortName ? { sortName: credit.sortName } : {}) };
    }),
  );
  return {
    tracks: resolved,
    names: {
      artists,
      albums: albums.refs.map((album) => ({ ...album, ...labelIdsOf(album, labels.id) })),
      genres: genres.refs as NameTables['genres'],
      moods: moods.refs as NameTables['moods'],
      labels: labels.refs as NonNullable<NameTables['labels']>,
      licenses: licenses.refs,
    },
  };
};

type Credit = ScannedTrack['artists'][number];

/**
 * Everybody whom a track names. Those who took part beside its artists are artists too, by name, though lists do not show who is nothing else. They come last: an artist
 * of the same name may bring a MusicBrainz id.
 */
const creditsOf = ({ artists, albumArtists, composers, contributors }: ScannedTrack): Credit[] => [
  ...artists,
  ...albumArtists,
  ...composers.map((name) => ({ name })),
  ...contributors.map(({ name }) => ({ name })),
];

const contributorIds = ({ composers }: ScannedTrack, artistOf: (credit: Credit) => { id: number }): { composerIds?: ArtistId[] } =>
  composers.length > 0 ? { composerIds: composers.map((name) => artistOf({ name }).id as ArtistId) } : {};

const resolveArtists = async (registry: IdentityRegistry, tracks: readonly ScannedTrack[]) => {
  const credits = tracks.flatMap(creditsOf);
  const identities = await registry.resolveArtists(credits);
  const byCredit = new Map(credits.map((credit, index) => [creditKey(credit), identities[index]]));
  return (credit: Credit) => {
    const identity = byCredit.get(creditKey(credit));
    if (!identity) throw new Error(`artist ${credit.name} was not resolved`);
    return identity;
  };
};

const creditKey = (credit: Credit): string => `${credit.mbid ?? ''}\u0000${credit.name}`;

/** Gives names of one kind their ids; answers the names as they are kept, and the id of each that was given. */
export const resolvePlain = async (registry: IdentityRegistry, kind: 'genre' | 'mood' | 'label' | 'license', names: readonly string[]) => {
  const wanted = unique(names).map((name) => ({ key: identityKey(name), name }));
  const identities = await registry.resolve(kind, wanted);
  const ids = new Map(wanted.map(({ name }, index) => [name, identities[index]?.id]));
  const refs = uniqueById(identities.map(({ id, name }) => ({ id, name })));
  return { refs, id: (name: string): number | undefined => ids.get(name) };
};

const labelIdsOf = (album: AlbumRef, idOf: (name: string) => number | undefined): { labelIds?: LabelId[] } => {
  const labelIds = unique(album.recordLabels.map(idOf).filter((id) => id !== undefined)) as LabelId[];
  return labelIds.length > 0 ? { labelIds } : {};
};

/** Licences under the names that lists show; one that any of the tracks links to has that link. */
const resolveLicenses = async (registry: IdentityRegistry, tracks: readonly ScannedTrack[]) => {
  const named = new Map(tracks.flatMap(({ license }) => (license?.trim() ? [[license, licenseNameOf(license)] as const] : [])));
  const { refs, id } = await resolvePlain(
    registry,
    'license',
    [...named.values()].map(({ name }) => name),
  );
  const links = new Map([...named.values()].filter(({ externalLink }) => externalLink !== '').map((l) => [id(l.name), l.externalLink]));
  return {
    refs: refs.map((ref): LicenseRef => ({ id: ref.id as LicenseId, name: ref.name, externalLink: links.get(ref.id) ?? '' })),
    of: ({ license }: ScannedTrack): { licenseId?: LicenseId } => {
      const name = license === undefined ? undefined : named.get(license)?.name;
      return name === undefined ? {} : { licenseId: id(name) as LicenseId };
    },
  };
};

const resolveAlbums = async (
  registry: IdentityRegistry,
  catalogId: number,
  tracks: readonly ScannedTrack[],
  artistOf: (credit: Credit) => { id: number },
): Promise<{ ofTrack: number[]; refs: AlbumRef[] }> => {
  const artistIds = tracks.map((track) => unique(track.albumArtists.map((credit) => artistOf(credit).id as ArtistId)));
  const wanted = tracks.map((track, index) => ({ key: albumKey(catalogId, track.album, artistIds[index] ?? []), name: track.album.name }));
  const identities = await registry.resolve('album', wanted);
  const refs = new Map<number, AlbumRef>();
  for (const [index, track] of tracks.entries()) {
    const identity = identities[index];
    if (!identity) continue;
    const next: AlbumRef = { ...track.album, id: identity.id as AlbumId, name: identity.name, artistIds: artistIds[index] ?? [] };
    refs.set(identity.id, mergeRefs(refs.get(identity.id), next));
  }
  return { ofTrack: identities.map((identity) => identity.id), refs: [...refs.values()] };
};

/** Merges data of an album: those of its first track count; later ones fill the gaps. An album has the labels of all its tracks. */
const mergeRefs = (first: AlbumRef | undefined, next: AlbumRef): AlbumRef => {
  if (!first) return next;
  const labels = unique([...first.recordLabels, ...next.recordLabels]);
  const types = first.releaseTypes.length > 0 ? first.releaseTypes : next.releaseTypes;
  return { ...next, ...first, recordLabels: labels, releaseTypes: types, compilation: first.compilation || next.compilation };
};

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

const uniqueById = <T extends { id: number }>(values: readonly T[]): T[] => [...new Map(values.map((value) => [value.id, value])).values()];
