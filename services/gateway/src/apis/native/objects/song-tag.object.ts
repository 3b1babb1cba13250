import type { z } from 'zod';
import { lyricsWithTimes, type readSongTags } from '@continuo/contracts';
import { type RowOptions } from '../../../render/index.js';
import { seconds } from './context.js';
import { nativeObject, nativeRows } from './native-object.js';

/** Present tags of a song's file. */
export interface SongTags extends z.output<typeof readSongTags.result> {
  readonly songId: number;
}

type Track = SongTags['track'];
type Value<V> = (track: Track, tags: SongTags) => V | null | undefined;

const of = nativeRows<SongTags>();
// Every tag is a CDATA section in XML, also numbers.
const CDATA = { xml: 'cdata' } as const satisfies RowOptions;

/** A string that is empty when the tag is missing. */
const text = (name: string, value: Value<string>) => of.text(name, (tags) => value(tags.track, tags) ?? '');
/** A string that is null when the tag is missing. */
const textOrNull = (name: string, value: Value<string>) => of.text(name, (tags) => value(tags.track, tags) ?? null, { nullable: true });
const number = (name: string, value: Value<number>, options: RowOptions = {}) =>
  of.int(name, (tags) => value(tags.track, tags) ?? 0, { ...CDATA, ...options });
const numberOrNull = (name: string, value: Value<number>, options: RowOptions = {}) =>
  of.num(name, (tags) => value(tags.track, tags) ?? null, { ...CDATA, ...options, nullable: true });
/** A list that is null, in XML one empty element, when the tag is missing. */
const list = (name: string, value: (track: Track) => readonly string[]) => [
  of.scalars(name, ({ track }) => (value(track).length > 0 ? value(track) : undefined), { ...CDATA, optional: true }),
  of.text(name, ({ track }) => (value(track).length > 0 ? undefined : null), { nullable: true, optional: true }),
];

type Credits = Track['artists'];
const names = (credits: Credits): string => credits.map(({ name }) => name).join(', ');
const mbids = (credits: Credits): string[] => credits.flatMap(({ mbid }) => mbid ?? []);
const several = (credits: Credits): string[] => (credits.length > 1 ? credits.map(({ name }) => name) : []);

/** SongTag of the published schema: 60 tags, always present; version 6 has no bpm, and its XML no catalog. */
export const songTagObject = nativeObject<SongTags>('song_tag', [
  of.id('id', ({ songId }) => songId, { since: 8 }),
  of.id('id', ({ songId }) => songId, { until: 6, json: 'none' }),
  text('albumartist', (track) => track.displayAlbumArtist ?? names(track.albumArtists)),
  text('album', (track) => track.album.name),
  text('artist', (track) => track.displayArtist ?? names(track.artists)),
  ...list('artists', (track) => several(track.artists)),
  text('art', () => undefined),
  text('audio_codec', (track) => track.format),
  text('barcode', (track) => track.album.barcode),
  number('bitrate', (track) => track.bitrateBps),
  numberOrNull('bpm', (track) => track.bpm, { since: 8 }),
  numberOrNull('catalog', () => null, { since: 8 }),
  numberOrNull('catalog', () => null, { until: 6, xml: 'none' }),
  text('catalog_number', (track) => track.album.catalogNumber),
  number('channels', (track) => track.channels),
  text('comment', (track) => track.comment),
  text('composer', (track) => track.composers.join(', ')),
  text('description', () => undefined),
  number('disk', (track) => track.disk),
  text('disksubtitle', (track) => track.diskSubtitle),
  number('display_x', () => 0),
  number('display_y', () => 0),
  text('encoding', () => 'UTF-8'),
  of.text('file', ({ file }, { links }) => links.wholePath(file)),
  number('frame_rate', () => 0),
  ...list('genre', (track) => track.genres),
  textOrNull('isrc', (track) => track.isrcs[0]),
  text('language', (track) => track.language),
  textOrNull('lyrics', (track) => lyricsWithTimes(track.lyrics)),
  text('mb_albumartistid', (track) => mbids(track.albumArtists)[0]),
  ...list('mb_albumartistid_array', (track) => mbids(track.albumArtists)),
  text('mb_albumid_group', (track) => track.album.mbReleaseGroupId),
  text('mb_albumid', (track) => track.album.mbAlbumId),
  text('mb_artistid', (track) => mbids(track.artists)[0]),
  ...list('mb_artistid_array', (track) => mbids(track.artists)),
  text('mb_trackid', (track) => track.mbRecordingId ?? track.mbTrackId),
  text('mime', (track) => track.mime),
  text('mode', (track) => track.bitrateMode),
  text('original_name', () => undefined),
  text('original_year', ({ album }) => (album.originalYear === undefined ? undefined : String(album.originalYear))),
  text('publisher', (track) => track.album.recordLabels[0]),
  numberOrNull('r128_album_gain', (track) => track.loudness.r128AlbumGain),
  numberOrNull('r128_track_gain', (track) => track.loudness.r128TrackGain),
  number('rate', (track) => track.sampleRateHz),
  numberOrNull('rating', () => null),
  textOrNull('release_date', (track) => track.album.releaseDate),
  text('release_status', (track) => track.album.releaseStatus),
  text('release_type', (track) => track.album.releaseTypes.join(', ')),
  numberOrNull('replaygain_album_gain', (track) => track.loudness.albumGainDb),
  numberOrNull('replaygain_album_peak', (track) => track.loudness.albumPeak),
  numberOrNull('replaygain_track_gain', (track) => track.loudness.trackGainDb),
  numberOrNull('replaygain_track_peak', (track) => track.loudness.trackPeak),
  number('size', (track) => track.sizeBytes),
  text('version', (track) => track.album.version),
  textOrNull('summary', () => null),
  number('time', (track) => seconds(track.durationMs)),
  text('title', (track) => track.title),
  number('totaldisks', (track) => track.diskTotal),
  number('totaltracks', (track) => track.trackTotal),
  number('track', (track) => track.track),
  number('year', (track) => track.year),
]);
