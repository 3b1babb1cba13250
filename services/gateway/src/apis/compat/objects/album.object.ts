import type { PlayedAlbum } from '../../../reads/library/album-plays.reads.js';
import type { SongView } from '../../../reads/songs/songs.reads.js';
import type { Listed } from '../../../render/flow.js';
import { objectTable } from '../../../render/object-table.js';
import { isoDate, partialDate, type PartialDate } from '../dates.js';
import { formatId } from '../ids.js';
import { artistLine, firstArtistId, firstGenre, positive, seconds } from '../spelling.js';
import { annotationFields } from './annotation-fields.js';
import { songChild } from './child.object.js';
import { fieldsOf, OPEN, type CompatField, OPTIONAL, OPEN_OPTIONAL } from './fields.js';
import { artistRef, discTitle, itemDate, itemGenre, recordLabel } from './parts.object.js';

const originalDate = (album: PlayedAlbum): PartialDate => {
  const known = partialDate(album.doc.originalDate);
  if (known.year !== undefined) return known;
  return album.originalYear === null ? {} : { year: album.originalYear };
};

/** Fields of an album by tags (schema type AlbumID3). */
const albumFields = <T>(get: (source: T) => PlayedAlbum): CompatField<T>[] => {
  const album = fieldsOf<T>();
  const { starred, openUserRating } = annotationFields<T>((s) => get(s).annotations);
  return [
    album.text('id', (s) => formatId('album', get(s).id)),
    album.text('name', (s) => get(s).name),
    album.text('version', (s) => get(s).doc.version ?? '', OPEN),
    album.text('artist', (s) => artistLine(get(s).doc.displayArtist, get(s).doc.artists), OPTIONAL),
    album.text('artistId', (s) => firstArtistId(get(s).doc.artists), OPTIONAL),
    album.text('coverArt', (s) => formatId('album', get(s).id)),
    album.int('songCount', (s) => get(s).songCount),
    album.int('duration', (s) => seconds(get(s).durationMs)),
    album.int('playCount', (s) => get(s).playCount),
    album.text('created', (s) => isoDate(get(s).addedAtMs) ?? new Date(0).toISOString()),
    starred,
    album.int('year', (s) => positive(get(s).year), OPTIONAL),
    album.text('genre', (s) => firstGenre(get(s).doc.genres), OPTIONAL),
    album.text('played', (s) => isoDate(get(s).lastPlayedAtMs), OPEN_OPTIONAL),
    openUserRating,
    album.text('musicBrainzId', (s) => get(s).mbid ?? '', OPEN),
    album.text('displayArtist', (s) => artistLine(get(s).doc.displayArtist, get(s).doc.artists) ?? '', OPEN),
    album.text('sortName', (s) => get(s).doc.sortName ?? '', OPEN),
    album.bool('isCompilation', (s) => get(s).doc.compilation, OPEN),
    album.text('explicitStatus', (s) => get(s).doc.explicit ?? '', OPEN),
    album.many('recordLabels', recordLabel, (s) => get(s).doc.recordLabels, OPEN),
    album.many('genres', itemGenre, (s) => get(s).doc.genres, OPEN),
    album.many('artists', artistRef, (s) => get(s).doc.artists, OPEN),
    album.scalars('releaseTypes', (s) => get(s).doc.releaseTypes, OPEN),
    album.scalars('moods', (s) => get(s).doc.moods.map((mood) => mood.name), OPEN),
    album.one('originalReleaseDate', itemDate, (s) => originalDate(get(s)), OPEN),
    album.one('releaseDate', itemDate, (s) => partialDate(get(s).doc.releaseDate), OPEN),
    album.many('discTitles', discTitle, (s) => get(s).doc.diskTitles, OPEN),
  ];
};

/** An album by tags. */
export const albumId3 = objectTable(
  'album',
  albumFields<PlayedAlbum>((album) => album),
  'album_id3',
);

/** An album with its songs by disc and track. */
export interface AlbumWithSongs {
  readonly album: PlayedAlbum;
  readonly songs: Listed<SongView>;
}

/** An album with its songs; `song` is present even when empty. */
export const albumWithSongs = objectTable(
  'album',
  [...albumFields<AlbumWithSongs>(({ album }) => album), fieldsOf<AlbumWithSongs>().many('song', songChild, ({ songs }) => songs)],
  'album_with_songs',
);
