import type { TagRef } from '@continuo/contracts';
import type { SongView } from '../../../reads/songs/songs.reads.js';
import { seconds } from './context.js';
import { nativeObject } from './native-object.js';
import { NOBODY, plainGenreObject, referenceObject, tagObject } from './reference.object.js';
import { songArtLink, songFileName } from './song.object.js';

/** A song of the democratic playlist with its votes. */
export interface NativeDemocraticSong {
  readonly view: SongView;
  readonly voteCount: number;
}

/** First genre of a song, which versions up to 6 write before the list of genres in XML. */
const firstGenreObject = nativeObject<TagRef>('genre', (of) => [
  of.id('id', ({ id }) => id),
  of.text('name', ({ name }) => name, { since: 6 }),
  of.text('name', ({ name }) => name, { until: 5, xml: 'cdata-text' }),
]);

const NO_GENRE: TagRef = { id: 0, name: '' };

/** Fields of a democratic song; a row per order or spelling of format and version. */
export const democraticSongObject = nativeObject<NativeDemocraticSong>({ kind: 'song', schema: 'democratic_song' }, (of) => [
  of.id('id', ({ view }) => view.doc.id),
  of.text('name', ({ view }) => view.doc.title, { since: 6, until: 6, json: 'none' }),
  of.text('title', ({ view }) => view.doc.title),
  of.text('name', ({ view }) => view.doc.title, { until: 5, json: 'none' }),
  of.object('artist', referenceObject, ({ view }) => view.doc.artists[0] ?? NOBODY),
  of.object('album', referenceObject, ({ view }) => view.doc.album),
  of.object('genre', firstGenreObject, ({ view }) => view.doc.genres[0] ?? NO_GENRE, { until: 6, json: 'none' }),
  of.list('genre', tagObject, ({ view }) => view.doc.genres, { since: 5 }),
  of.list('tag', tagObject, ({ view }) => view.doc.genres, { until: 4 }),
  of.int('track', ({ view }) => view.doc.track),
  of.int('time', ({ view }) => seconds(view.doc.durationMs), { since: 4, xml: 'cdata' }),
  of.int('time', ({ view }) => seconds(view.doc.durationMs), { until: 3 }),
  of.word('format', ({ view }) => view.doc.format, { since: 6 }),
  of.int('bitrate', ({ view }) => view.doc.bitrateBps, { since: 6 }),
  of.text('mime', ({ view }) => view.doc.mime, { since: 4 }),
  of.word('mime', ({ view }) => view.doc.mime, { until: 3 }),
  of.text('url', ({ view }, { links }) => links.song(view.doc.id, songFileName(view))),
  of.int('size', ({ view }) => view.doc.sizeBytes),
  of.text('art', ({ view }, { links }) => songArtLink(view, links)),
  of.bool('has_art', ({ view }) => (view.doc.artHash ?? view.albumArtHash ?? null) !== null, { since: 6 }),
  of.num('preciserating', ({ view }) => view.annotations.rating, { since: 4, until: 5, nullable: true }),
  of.num('preciserating', ({ view }) => view.annotations.rating ?? 0, { until: 3 }),
  of.int('rating', ({ view }) => view.annotations.rating, { since: 4, nullable: true }),
  of.int('rating', ({ view }) => view.annotations.rating ?? 0, { until: 3 }),
  of.num('averagerating', ({ view }) => view.annotations.averageRating, { nullable: true }),
  of.int('playcount', ({ view }) => view.playCount, { since: 5 }),
  of.int('vote', ({ voteCount }) => voteCount),
  of.list('genre', plainGenreObject, ({ view }) => view.doc.genres, { until: 4, xml: 'none' }),
]);
