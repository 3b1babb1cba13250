import type { PlayedAlbum } from '../../../reads/library/album-plays.reads.js';
import type { CountedArtist } from '../../../reads/library/artist-albums.reads.js';
import type { SongView } from '../../../reads/songs/songs.reads.js';
import type { Flow, Listed } from '../../../render/flow.js';
import { objectTable } from '../../../render/object-table.js';
import { albumId3 } from './album.object.js';
import { artistEntry, artistId3, folderArtist } from './artist.object.js';
import { albumChild, songChild } from './child.object.js';
import { fieldsOf } from './fields.js';

/** Artists, albums and songs of a search or of favourites. */
export interface ThreeLists {
  readonly artists: Flow<CountedArtist>;
  readonly albums: Flow<PlayedAlbum>;
  readonly songs: Flow<SongView>;
}

/** A page of songs, with the total. */
export interface FoundSongs {
  readonly offset: number;
  readonly totalHits: number;
  readonly songs: Listed<SongView>;
}

const foundFields = fieldsOf<FoundSongs>();

/** Result of the oldest search (schema type SearchResult). */
export const foundSongs = objectTable<FoundSongs, undefined>('searchResult', [
  foundFields.int('offset', ({ offset }) => offset),
  foundFields.int('totalHits', ({ totalHits }) => totalHits),
  foundFields.many('match', songChild, ({ songs }) => songs),
]);

const fields = fieldsOf<ThreeLists>();

/** Results with albums and artists by tags (schema types SearchResult3 and Starred2). */
export const listsByTags = objectTable<ThreeLists, undefined>('searchResult3', [
  fields.many('artist', artistId3, (lists) => lists.artists),
  fields.many('album', albumId3, (lists) => lists.albums),
  fields.many('song', songChild, (lists) => lists.songs),
]);

/** Results in folder mode (schema types SearchResult2 and Starred). */
export const listsByFolders = objectTable<ThreeLists, undefined>('searchResult2', [
  fields.many('artist', folderArtist, (lists) => lists.artists.map(artistEntry)),
  fields.many('album', albumChild, (lists) => lists.albums),
  fields.many('song', songChild, (lists) => lists.songs),
]);
