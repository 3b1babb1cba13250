import {
  COMPOSER_ROLE,
  lyricsWithTimes,
  sortKey,
  splitName,
  type ArtistId,
  type NameRef,
  type NameTables,
  type RecordedTrack,
  type SongDocument,
  type TagRef,
} from '@continuo/contracts';
import { randomKey } from './names.js';

/** Folder and catalog of a track, from its event. */
export interface TrackPlace {
  readonly folderId: number;
  readonly catalogId: number;
  readonly path: string;
}

/** Look-ups into the name tables of one event. */
export interface NameLookup {
  artist(id: number): NameRef;
  genre(id: number): TagRef;
  mood(id: number): TagRef;
  album(id: number): NameTables['albums'][number];
}

/** Index of an event's name tables. @throws Error for an id that the event does not name: the log would be damaged. */
export const nameLookup = (names: NameTables): NameLookup => {
  const artists = new Map(names.artists.map((a) => [a.id as number, nameRef(a.id, a.name, a.mbid)]));
  const albums = new Map(names.albums.map((a) => [a.id as number, a]));
  const genres = new Map(names.genres.map((g) => [g.id as number, { id: g.id, name: g.name }]));
  const moods = new Map(names.moods.map((m) => [m.id as number, { id: m.id, name: m.name }]));
  return {
    artist: (id) => named(artists.get(id), 'artist', id),
    album: (id) => named(albums.get(id), 'album', id),
    genre: (id) => named(genres.get(id), 'genre', id),
    mood: (id) => named(moods.get(id), 'mood', id),
  };
};

const named = <T>(found: T | undefined, kind: string, id: number): T => {
  if (found === undefined) throw new Error(`an event refers to ${kind} ${id} without naming it`);
  return found;
};

const nameRef = (id: number, name: string, mbid: string | undefined): NameRef => ({
  id,
  name,
  ...splitName(name),
  ...(mbid ? { mbid } : {}),
});

/** Leaves out what is unknown, so that documents stay short. */
const known = (values: { readonly [K in keyof SongDocument]?: SongDocument[K] | undefined }): Partial<SongDocument> => {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(values) as (keyof SongDocument)[]) {
    const value = values[name];
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) kept[name] = value;
  }
  return kept;
};

/** The part of a song that all users see alike. */
export const songDocument = (track: RecordedTrack, place: TrackPlace, lookup: NameLookup): SongDocument => {
  const album = lookup.album(track.albumId);
  const lyrics = lyricsWithTimes(track.lyrics);
  return {
    id: track.songId,
    title: track.title,
    artists: track.artistIds.map((id) => lookup.artist(id)),
    album: nameRef(album.id, album.name, album.mbAlbumId),
    albumArtists: album.artistIds.map((id) => lookup.artist(id)),
    disk: track.disk ?? 1,
    track: track.track ?? 0,
    year: track.year ?? album.year ?? 0,
    durationMs: track.durationMs,
    format: track.format,
    mime: track.mime,
    bitrateBps: track.bitrateBps,
    sampleRateHz: track.sampleRateHz,
    sizeBytes: shareOf(track),
    path: place.path === '' ? fileOf(track) : `${place.path}/${fileOf(track)}`,
    catalogId: place.catalogId,
    folderId: place.folderId,
    genres: track.genreIds.map((id) => lookup.genre(id)),
    moods: track.moodIds.map((id) => lookup.mood(id)),
    ...optionalParts(track, album),
    ...(lyrics === undefined ? {} : { lyrics }),
    ...(Object.keys(track.extraTags).length > 0 ? { extraTags: track.extraTags } : {}),
  };
};

/** The file in which a track lies; one that shares it with others has a number behind its name. */
const fileOf = ({ fileName, part }: RecordedTrack): string => (part ? fileName.slice(0, fileName.lastIndexOf('/')) : fileName);

/** Size of a track: its part of the file's bytes. */
const shareOf = ({ sizeBytes, durationMs, part }: RecordedTrack): number =>
  part ? Math.round((sizeBytes * durationMs) / part.sourceMs) : sizeBytes;

const optionalParts = (track: RecordedTrack, album: NameTables['albums'][number]): Partial<SongDocument> =>
  known({
    sortTitle: track.sortTitle,
    displayArtist: track.displayArtist,
    displayAlbumArtist: track.displayAlbumArtist,
    diskSubtitle: track.diskSubtitle,
    originalYear: album.originalYear,
    releaseDate: album.releaseDate,
    codec: track.codec,
    bitrateMode: track.bitrateMode,
    lossless: track.lossless ? true : undefined,
    channels: track.channels,
    bitDepth: track.bitDepth,
    bpm: track.bpm,
    tagRating: track.rating,
    part: track.part,
    composers: track.composers,
    composerIds: track.composerIds,
    contributors: track.contributors.map(({ artistId, ...one }) => ({
      ...one,
      ...(artistId === undefined ? {} : { id: artistId }),
    })),
    comment: track.comment,
    publisher: track.publisher ?? album.recordLabels[0],
    language: track.language,
    license: track.license,
    isrcs: track.isrcs,
    works: track.works,
    movements: track.movements,
    groupings: track.groupings,
    explicit: track.explicit,
    mbid: track.mbRecordingId ?? track.mbTrackId,
    mbTrackId: track.mbTrackId,
    ...track.loudness,
    artHash: track.art?.hash,
  });

/** Roles of each known artist on a song other than being its artist: composer, and the roles that tags name. */
export const partsIn = ({ composerIds = [], contributors }: RecordedTrack): { artistId: ArtistId; role: string }[] => [
  ...composerIds.map((artistId) => ({ artistId, role: COMPOSER_ROLE })),
  ...contributors.flatMap(({ artistId, role }) => (artistId === undefined ? [] : [{ artistId, role }])),
];

/** A row of the song table; `added_at_ms` counts only when the row is new. */
export const songRow = (track: RecordedTrack, place: TrackPlace, lookup: NameLookup, at: number) => {
  const doc = songDocument(track, place, lookup);
  return {
    id: doc.id,
    catalog_id: place.catalogId,
    folder_id: place.folderId,
    file_name: track.fileName,
    album_id: track.albumId as number,
    artist_id: doc.artists[0]?.id ?? null,
    title: doc.title,
    title_sort: sortKey(doc.title),
    disk: doc.disk,
    disk_subtitle: doc.diskSubtitle ?? null,
    track: doc.track,
    year: doc.year,
    duration_ms: doc.durationMs,
    bitrate_bps: doc.bitrateBps,
    // Of the whole file: by size and time a moved file is known again.
    size_bytes: track.sizeBytes,
    mtime_ms: track.mtimeMs,
    added_at_ms: at,
    updated_at_ms: at,
    mbid: doc.mbid ?? null,
    composer: doc.composers?.join(', ') ?? null,
    comment: doc.comment ?? null,
    publisher: doc.publisher ?? null,
    bpm: doc.bpm ?? null,
    license_id: track.licenseId ?? null,
    art_hash: doc.artHash ?? null,
    explicit_status: doc.explicit ?? null,
    sound_print: track.soundPrint ?? null,
    random_key: randomKey(doc.id),
    // Becomes text on its way into the table.
    doc,
  };
};
export type SongRow = ReturnType<typeof songRow>;
