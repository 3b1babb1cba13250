import type { PlayedAlbum } from '../../reads/album-plays.reads.js';
import { UNANNOTATED, type Annotations } from '../../reads/annotations.reads.js';
import type { ArtistView } from '../../reads/artists.reads.js';
import type { SongView } from '../../reads/songs.reads.js';
import { objectTable } from '../../render/object-table.js';
import { formatId } from '../ids.js';
import type { LetterGroup } from '../letters.js';
import { annotationFields } from './annotation-fields.js';
import { albumId3 } from './album.object.js';
import { songChild, type AnnotatedFolder } from './child.object.js';
import { fieldsOf, OPEN, type CompatField } from './fields.js';

const roles = (artist: ArtistView): string[] => [
  ...(artist.albumCount > 0 ? ['albumartist'] : []),
  ...(artist.songCount > 0 ? ['artist'] : []),
  ...Object.keys(artist.doc.roles ?? {}),
];

/** Stands for an artist that the library does not have, in answers about others (endpoint getArtistInfo). */
const ABSENT_ID = -1;
const idOf = ({ id }: Pick<ArtistView, 'id'>): string => (id === ABSENT_ID ? String(ABSENT_ID) : formatId('artist', id));

/** An artist of whom the library has nothing but the name that somebody else says. */
export const absentArtist = (name: string): ArtistView => ({
  id: ABSENT_ID,
  name,
  prefix: null,
  basename: name,
  mbid: null,
  artHash: null,
  albumCount: 0,
  songCount: 0,
  durationMs: 0,
  annotations: UNANNOTATED,
  doc: { genres: [] },
});

/** @param albumCount of the albums that are shown with the artist, who need not be their artist; what else is told follows from the library */
const artistFields = <T>(get: (source: T) => ArtistView, albumCount = (source: T): number => get(source).albumCount): CompatField<T>[] => {
  const artist = fieldsOf<T>();
  return [
    artist.text('id', (s) => idOf(get(s))),
    artist.text('name', (s) => get(s).name),
    artist.text('coverArt', (s) => (get(s).artHash ? formatId('artist', get(s).id) : undefined)),
    artist.num('albumCount', albumCount),
    annotationFields<T>((s) => get(s).annotations).starred,
    artist.text('musicBrainzId', (s) => get(s).mbid ?? '', OPEN),
    artist.text('sortName', (s) => get(s).doc.sortName ?? '', OPEN),
    artist.scalars('roles', (s) => roles(get(s)), OPEN),
  ];
};

/** An artist by its tags (schema type ArtistID3). */
export const artistId3 = objectTable(
  'artist',
  artistFields<ArtistView>((artist) => artist),
);

/** An artist and the albums to show under it. */
export interface ArtistWithAlbums {
  readonly artist: ArtistView;
  readonly albums: readonly PlayedAlbum[];
}

/** An artist by its tags with its albums. */
export const artistWithAlbums = objectTable('artist', [
  ...artistFields<ArtistWithAlbums>(
    ({ artist }) => artist,
    ({ albums }) => albums.length,
  ),
  fieldsOf<ArtistWithAlbums>().many('album', albumId3, ({ albums }) => albums),
]);

/** Something that the folder-mode lists show as an artist: a folder, or an artist (schema type Artist). */
export interface NamedEntry {
  readonly id: string;
  readonly name: string;
  readonly annotations: Annotations;
}
const entry = fieldsOf<NamedEntry>();
const ofEntry = annotationFields<NamedEntry>((e) => e.annotations);
/** An artist as the folder-mode lists show it. */
export const folderArtist = objectTable<NamedEntry, undefined>('artist', [
  entry.text('id', (e) => e.id),
  entry.text('name', (e) => e.name),
  ofEntry.starred,
  ofEntry.userRating,
  ofEntry.averageRating,
]);

/** An artist as an entry of the folder-mode lists. */
export const artistEntry = (artist: ArtistView): NamedEntry => ({
  id: idOf(artist),
  name: artist.name,
  annotations: artist.annotations,
});
/** A folder as an entry of the folder-mode lists. */
export const folderEntry = (folder: AnnotatedFolder): NamedEntry => ({
  id: formatId('folder', folder.id),
  name: folder.name,
  annotations: folder.annotations,
});

const artistGroup = fieldsOf<LetterGroup<ArtistView>>();
const artistIndex = objectTable<LetterGroup<ArtistView>, undefined>('index', [
  artistGroup.text('name', (group) => group.letter),
  artistGroup.many('artist', artistId3, (group) => group.members),
]);

/** All artists by letter. */
export interface ArtistIndexes {
  readonly ignoredArticles: string;
  readonly groups: readonly LetterGroup<ArtistView>[];
}
const artistsFields = fieldsOf<ArtistIndexes>();
/** All artists by letter (schema type ArtistsID3). */
export const artists = objectTable<ArtistIndexes, undefined>('artists', [
  artistsFields.text('ignoredArticles', (a) => a.ignoredArticles),
  artistsFields.many('index', artistIndex, (a) => a.groups),
]);

const folderGroup = fieldsOf<LetterGroup<NamedEntry>>();
const folderIndex = objectTable<LetterGroup<NamedEntry>, undefined>('index', [
  folderGroup.text('name', (group) => group.letter),
  folderGroup.many('artist', folderArtist, (group) => group.members),
]);

/** The top of the folder tree by letter, and the songs that lie beside the folders. */
export interface FolderIndexes extends Omit<ArtistIndexes, 'groups'> {
  readonly lastModifiedMs: number;
  readonly groups: readonly LetterGroup<NamedEntry>[];
  readonly songs: readonly SongView[];
}
const indexesFields = fieldsOf<FolderIndexes>();
/** The top of the folder tree (schema type Indexes). */
export const indexes = objectTable<FolderIndexes, undefined>('indexes', [
  indexesFields.num('lastModified', (i) => i.lastModifiedMs),
  indexesFields.text('ignoredArticles', (i) => i.ignoredArticles),
  indexesFields.many('index', folderIndex, (i) => i.groups),
  indexesFields.many('child', songChild, (i) => i.songs),
]);
