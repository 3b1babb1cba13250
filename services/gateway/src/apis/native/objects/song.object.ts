import type { SongView } from '../../../reads/songs/songs.reads.js';
import { convertedPlainly } from '../../../transcode/decision/plain-stream.js';
import { annotationRows } from './annotation-rows.js';
import { isoInstant, seconds, type NativeContext } from './context.js';
import { nativeObject, nativeRows } from './native-object.js';
import { NOBODY, plainGenreObject, referenceObject, tagObject } from './reference.object.js';

/** A song and its position, from 1, in its page or list. */
export interface NativeSong {
  readonly view: SongView;
  readonly position: number;
  /** Position in the playlist; version 3 shows it in playlists only. */
  readonly playlistTrack?: number;
}

const of = nativeRows<NativeSong>();

const hasOwnArt = ({ view }: NativeSong): boolean => view.doc.artHash !== undefined;

/** Address of a song's picture: its own, else its album's. */
export const songArtLink = ({ doc }: SongView, links: NativeContext['links']): string =>
  doc.artHash === undefined ? links.art('album', doc.album.id) : links.art('song', doc.id);

/** File name in the address of a song. */
export const songFileName = (view: SongView): string => {
  const { doc } = view;
  const artist = doc.artists[0]?.name;
  return `${artist === undefined ? '' : `${artist} - `}${doc.title}.${convertedPlainly(view)?.suffix ?? doc.format}`;
};

/** Versions up to 5 have MusicBrainz ids of album and artists. */
const until5 = { until: 5 } as const;
const since6 = { since: 6 } as const;
const until3 = { until: 3 } as const;

/**
 * Fields of a song by version (golden cases `song*`); a row per order where the formats differ.
 */
export const songObject = nativeObject<NativeSong>('song', [
  of.id('id', ({ view }) => view.doc.id),
  of.text('name', ({ view }) => view.doc.title, { since: 6, json: 'none' }),
  of.text('title', ({ view }) => view.doc.title),
  of.text('name', ({ view }) => view.doc.title, { since: 6, xml: 'none' }),
  of.text('name', ({ view }) => view.doc.title, until5),
  of.object('artist', referenceObject, ({ view }) => view.doc.artists[0] ?? NOBODY, { xml: 'none' }),
  of.list('artist', referenceObject, ({ view }) => (view.doc.artists.length > 0 ? view.doc.artists : [NOBODY]), {
    since: 6,
    json: 'none',
  }),
  of.object('artist', referenceObject, ({ view }) => view.doc.artists[0] ?? NOBODY, { until: 5, json: 'none' }),
  of.list('artists', referenceObject, ({ view }) => view.doc.artists, { since: 6, xml: 'none' }),
  of.object('album', referenceObject, ({ view }) => view.doc.album),
  of.object('albumartist', referenceObject, ({ view }) => view.doc.albumArtists[0], { ...since6, optional: true }),
  of.object('albumartist', referenceObject, ({ view }) => view.doc.albumArtists[0] ?? NOBODY, { since: 4, until: 5 }),
  of.object('albumartist', referenceObject, ({ view }) => view.doc.albumArtists[0], { ...until3, optional: true }),
  of.int('disk', ({ view }) => view.doc.disk, { since: 4, xml: 'cdata' }),
  of.text('disksubtitle', ({ view }) => view.doc.diskSubtitle ?? null, { ...since6, nullable: true }),
  of.num('bpm', ({ view }) => view.doc.bpm ?? null, { since: 8, nullable: true }),
  of.int('track', ({ view }) => view.doc.track, { since: 4 }),
  of.list('genre', tagObject, ({ view }) => view.doc.genres, { since: 5, json: 'none' }),
  of.list('tag', tagObject, ({ view }) => view.doc.genres, { until: 4, json: 'none' }),
  of.list('mood', tagObject, ({ view }) => view.doc.moods, { since: 8, json: 'none' }),
  of.text('filename', ({ view }, { links }) => links.filePath(view.catalogPath, view.doc.path)),
  of.int('track', ({ view }) => view.doc.track, until3),
  of.int('playlisttrack', ({ playlistTrack }) => playlistTrack, { ...until3, optional: true }),
  of.list('genre', tagObject, ({ view }) => view.doc.genres, { since: 5, xml: 'none' }),
  of.list('tag', tagObject, ({ view }) => view.doc.genres, { until: 4, xml: 'none' }),
  of.list('mood', tagObject, ({ view }) => view.doc.moods, { since: 8, xml: 'none' }),
  of.int('playlisttrack', (song) => song.position, { since: 4 }),
  of.int('time', ({ view }) => seconds(view.doc.durationMs)),
  of.int('year', ({ view }) => view.doc.year),
  of.word('format', ({ view }) => view.doc.format, since6),
  of.word('stream_format', ({ view }) => convertedPlainly(view)?.suffix ?? view.doc.format, since6),
  of.int('bitrate', ({ view }) => view.doc.bitrateBps),
  of.int('stream_bitrate', ({ view }) => convertedPlainly(view)?.bitrateBps ?? view.doc.bitrateBps, since6),
  of.int('rate', ({ view }) => view.doc.sampleRateHz),
  of.text('mode', ({ view }) => view.doc.bitrateMode ?? null, { nullable: true }),
  of.text('mime', ({ view }) => view.doc.mime),
  of.text('stream_mime', ({ view }) => convertedPlainly(view)?.mime ?? view.doc.mime, since6),
  of.text('url', (song, { links }) => links.song(song.view.doc.id, songFileName(song.view), convertedPlainly(song.view))),
  of.int('size', ({ view }) => view.doc.sizeBytes),
  of.text('mbid', ({ view }) => view.doc.mbid ?? null, { nullable: true }),
  of.text('album_mbid', ({ view }) => view.doc.album.mbid ?? null, { ...until5, nullable: true }),
  of.text('artist_mbid', ({ view }) => view.doc.artists[0]?.mbid ?? null, { ...until5, nullable: true }),
  of.text('albumartist_mbid', ({ view }) => view.doc.albumArtists[0]?.mbid ?? null, { ...until5, nullable: true }),
  of.text('art', ({ view }, { links }) => songArtLink(view, links)),
  of.bool('has_art', (song) => hasOwnArt(song) || song.view.albumArtHash !== null, since6),
  ...annotationRows<NativeSong>(({ view }) => view.annotations),
  of.int('playcount', ({ view }) => view.playCount, { since: 5 }),
  of.int('playcount', ({ view }) => (view.playCount > 0 ? 1 : 0), { since: 4, until: 4 }),
  of.text('last_played', ({ view }) => (view.lastPlayedAtMs === null ? null : isoInstant(view.lastPlayedAtMs)), {
    since: 8,
    nullable: true,
  }),
  of.id('catalog', ({ view }) => view.doc.catalogId, { since: 8, xml: 'element' }),
  of.int('catalog', ({ view }) => view.doc.catalogId, { since: 4, until: 6 }),
  of.text('composer', ({ view }) => view.doc.composers?.join(', ') ?? null, { nullable: true }),
  of.int('channels', ({ view }) => view.doc.channels ?? null, { nullable: true }),
  of.text('comment', ({ view }) => view.doc.comment ?? null, { nullable: true }),
  of.text('license', ({ view }) => view.doc.license ?? null, { since: 4, nullable: true }),
  of.text('publisher', ({ view }) => view.doc.publisher ?? null, { nullable: true }),
  of.word('language', ({ view }) => view.doc.language ?? null, { nullable: true }),
  of.text('lyrics', ({ view }) => view.doc.lyrics ?? null, { since: 5, nullable: true }),
  of.num('replaygain_album_gain', ({ view }) => view.doc.albumGainDb ?? null, { nullable: true }),
  of.num('replaygain_album_peak', ({ view }) => view.doc.albumPeak ?? null, { nullable: true }),
  of.num('replaygain_track_gain', ({ view }) => view.doc.trackGainDb ?? null, { nullable: true }),
  of.num('replaygain_track_peak', ({ view }) => view.doc.trackPeak ?? null, { nullable: true }),
  of.int('r128_album_gain', ({ view }) => view.doc.r128AlbumGain ?? null, { since: 5, nullable: true }),
  of.int('r128_track_gain', ({ view }) => view.doc.r128TrackGain ?? null, { since: 5, nullable: true }),
  of.map('metadata', metadataOf, { since: 8, optional: true }),
  of.map('metadata', metadataOf, { until: 6, json: 'spread', optional: true }),
  of.list('genre', plainGenreObject, ({ view }) => view.doc.genres, { until: 4 }),
]);

/** Tags without a field of their own; blanks, brackets, slashes and `#` in names become `_`. */
function metadataOf({ view }: NativeSong): Record<string, string> | undefined {
  const tags = Object.entries(view.doc.extraTags ?? {});
  if (tags.length === 0) return undefined;
  return Object.fromEntries(tags.map(([name, value]) => [name.replace(/[ ()/\\#]/g, '_'), value]));
}
