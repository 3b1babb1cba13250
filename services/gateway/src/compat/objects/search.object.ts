import type { PlayedAlbum } from '../../reads/album-plays.reads.js';
import type { ArtistView } from '../../reads/artists.reads.js';
import type { SongView } from '../../reads/songs.reads.js';
import { objectTable } from '../../render/object-table.js';
import { albumId3 } from './album.object.js';
import { artistEntry, artistId3, folderArtist } from './artist.object.js';
import { albumChild, songChild } from './child.object.js';
import { fieldsOf } from './fields.js';

/** Three lists side by side: what searches and favourites answer. */
export interface ThreeLists {
  readonly artists: readonly ArtistView[];
  readonly albums: readonly PlayedAlbum[];
  readonly songs: Iterable<SongView>;
}

/** A page of songs, and how many there are. */
export interface FoundSongs {
  readonly offset: number;
  readonly totalHits: number;
  readonly songs: Iterable<SongView>;
}

const foundFields = fieldsOf<FoundSongs>();

/** What the oldest kind of search answers (schema type SearchResult). */
export const foundSongs = objectTable<FoundSongs, undefined>('searchResult', [
  foundFields.num('offset', ({ offset }) => offset),
  foundFields.num('totalHits', ({ totalHits }) => totalHits),
  foundFields.many('match', songChild, ({ songs }) => songs),
]);

const fields = fieldsOf<ThreeLists>();

/** Three lists with albums and artists by their tags (schema types SearchResult3 and Starred2). */
export const listsByTags = objectTable<ThreeLists, undefined>('searchResult3', [
  fields.many('artist', artistId3, (lists) => lists.artists),
  fields.many('album', albumId3, (lists) => lists.albums),
  fields.many('song', songChild, (lists) => lists.songs),
]);

/** Three lists as the folder mode shows them (schema types SearchResult2 and Starred). */
export const listsByFolders = objectTable<ThreeLists, undefined>('searchResult2', [
  fields.many('artist', folderArtist, (lists) => lists.artists.map(artistEntry)),
  fields.many('album', albumChild, (lists) => lists.albums),
  fields.many('song', songChild, (lists) => lists.songs),
]);
