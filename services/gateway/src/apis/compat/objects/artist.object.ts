import type { PlayedAlbum } from '../../../reads/library/album-plays.reads.js';
import { UNANNOTATED, type Annotations } from '../../../reads/people/annotations.reads.js';
import type { ArtistView } from '../../../reads/library/artists.reads.js';
import type { CountedArtist } from '../../../reads/library/artist-albums.reads.js';
import type { SongView } from '../../../reads/songs/songs.reads.js';
import type { Flow, Listed } from '../../../render/flow.js';
import { objectTable } from '../../../render/object-table.js';
import { formatId } from '../ids.js';
import type { LetterGroup } from '../letters.js';
import { annotationFields } from './annotation-fields.js';
import { albumId3 } from './album.object.js';
import { songChild, type AnnotatedFolder } from './child.object.js';
import { fieldsOf, OPEN, type CompatField, OPTIONAL } from './fields.js';

const roles = (artist: ArtistView): string[] => [
  ...(artist.albumCount > 0 ? ['albumartist'] : []),
  ...(artist.songCount > 0 ? ['artist'] : []),
  ...Object.keys(artist.doc.roles ?? {}),
];

/** Id of an artist that is not in the library, in `getArtistInfo`. */
const ABSENT_ID = -1;
const idOf = ({ id }: Pick<ArtistView, 'id'>): string => (id === ABSENT_ID ? String(ABSENT_ID) : formatId('artist', id));

/** An artist known by name only. */
export const absentArtist = (name: string): CountedArtist => ({
  id: ABSENT_ID,
  name,
  prefix: null,
  basename: name,
  mbid: null,
  artHash: null,
  albumCount: 0,
  listedAlbumCount: 0,
  songCount: 0,
  durationMs: 0,
  annotations: UNANNOTATED,
  doc: { genres: [] },
});

/** @param albumCount number of albums listed under the artist, also those with another album artist */
const artistFields = <T>(get: (source: T) => ArtistView, albumCount: (source: T) => number): CompatField<T>[] => {
  const artist = fieldsOf<T>();
  return [
    artist.text('id', (s) => idOf(get(s))),
    artist.text('name', (s) => get(s).name),
    artist.text('coverArt', (s) => (get(s).artHash ? formatId('artist', get(s).id) : undefined), OPTIONAL),
    artist.int('albumCount', albumCount),
    annotationFields<T>((s) => get(s).annotations).starred,
    artist.text('musicBrainzId', (s) => get(s).mbid ?? '', OPEN),
    artist.text('sortName', (s) => get(s).doc.sortName ?? '', OPEN),
    artist.scalars('roles', (s) => roles(get(s)), OPEN),
  ];
};

/** An artist by tags (schema type ArtistID3). */
export const artistId3 = objectTable(
  'artist',
  artistFields<CountedArtist>(
    (artist) => artist,
    ({ listedAlbumCount }) => listedAlbumCount,
  ),
  'artist_id3',
);

/** An artist and the albums to show under it. */
export interface ArtistWithAlbums {
  readonly artist: ArtistView;
  readonly albums: Flow<PlayedAlbum>;
}

/** An artist with its albums. */
export const artistWithAlbums = objectTable(
  'artist',
  [
    ...artistFields<ArtistWithAlbums>(
      ({ artist }) => artist,
      ({ albums }) => albums.length,
    ),
    fieldsOf<ArtistWithAlbums>().many('album', albumId3, ({ albums }) => albums),
  ],
  'artist_with_albums',
);

/** A folder or artist in folder-mode lists (schema type Artist). */
export interface NamedEntry {
  readonly id: string;
  readonly name: string;
  readonly annotations: Annotations;
}
const entry = fieldsOf<NamedEntry>();
const ofEntry = annotationFields<NamedEntry>((e) => e.annotations);
/** An artist as the folder-mode lists show it. */
export const folderArtist = objectTable<NamedEntry, undefined>(
  'artist',
  [entry.text('id', (e) => e.id), entry.text('name', (e) => e.name), ofEntry.starred, ofEntry.userRating, ofEntry.averageRating],
  'folder_artist',
);

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

type ArtistGroup = LetterGroup<CountedArtist, Flow<CountedArtist>>;
const artistGroup = fieldsOf<ArtistGroup>();
const artistIndex = objectTable<ArtistGroup, undefined>(
  'index',
  [artistGroup.text('name', (group) => group.letter), artistGroup.many('artist', artistId3, (group) => group.members)],
  'artist_index',
);

/** Artists by letter. */
export interface ArtistIndexes {
  readonly ignoredArticles: string;
  readonly groups: readonly ArtistGroup[];
}
const artistsFields = fieldsOf<ArtistIndexes>();
/** All artists by letter (schema type ArtistsID3). */
export const artists = objectTable<ArtistIndexes, undefined>('artists', [
  artistsFields.text('ignoredArticles', (a) => a.ignoredArticles),
  artistsFields.many('index', artistIndex, (a) => a.groups),
]);

type FolderGroup = LetterGroup<NamedEntry, Flow<NamedEntry>>;
const folderGroup = fieldsOf<FolderGroup>();
const folderIndex = objectTable<FolderGroup, undefined>(
  'index',
  [folderGroup.text('name', (group) => group.letter), folderGroup.many('artist', folderArtist, (group) => group.members)],
  'folder_index',
);

/** Top-level folders by letter, and the songs beside them. */
export interface FolderIndexes extends Omit<ArtistIndexes, 'groups'> {
  readonly lastModifiedMs: number;
  readonly groups: readonly FolderGroup[];
  readonly songs: Listed<SongView>;
}
const indexesFields = fieldsOf<FolderIndexes>();
/** Top-level folders (schema type Indexes). */
export const indexes = objectTable<FolderIndexes, undefined>('indexes', [
  indexesFields.int('lastModified', (i) => i.lastModifiedMs),
  indexesFields.text('ignoredArticles', (i) => i.ignoredArticles),
  indexesFields.many('index', folderIndex, (i) => i.groups),
  indexesFields.many('child', songChild, (i) => i.songs),
]);
