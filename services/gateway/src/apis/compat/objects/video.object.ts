import type { VideoStream } from '@continuo/contracts';
import type { VideoView } from '../../../reads/library/videos.reads.js';
import { objectTable } from '../../../render/object-table.js';
import { captionKey, captionName, type Captions } from '../../../features/captions/video-captions.js';
import { videoConvertedPlainly } from '../../../transcode/decision/video/plain-video.js';
import { isoDate } from '../dates.js';
import { formatId } from '../ids.js';
import { annotationFields } from './annotation-fields.js';
import { fieldsOf, OPEN, OPTIONAL, OPEN_OPTIONAL } from './fields.js';
import { firstGenre, seconds } from '../spelling.js';
import { itemGenre } from './parts.object.js';

const video = fieldsOf<VideoView>();
const ofVideo = annotationFields<VideoView>(({ annotations }) => annotations);

/** Year of a date. */
const yearOf = (date: string | null): number | undefined => (date === null ? undefined : Number(date.slice(0, 4)) || undefined);

/** A video in lists (schema type Child). */
export const videoChild = objectTable<VideoView, undefined>('video', [
  video.text('id', ({ id }) => formatId('video', id)),
  video.text('parent', ({ folderId }) => formatId('folder', folderId)),
  video.bool('isDir', () => false),
  video.text('title', ({ title }) => title),
  video.int('year', ({ releaseDate }) => yearOf(releaseDate), OPTIONAL),
  video.text('genre', ({ doc }) => firstGenre(doc.genres), OPTIONAL),
  video.int('size', ({ sizeBytes }) => sizeBytes),
  video.text('contentType', ({ mime }) => mime),
  video.text('suffix', ({ format }) => format),
  video.text('transcodedContentType', (view) => videoConvertedPlainly(view)?.mime, OPTIONAL),
  video.text('transcodedSuffix', (view) => videoConvertedPlainly(view)?.suffix, OPTIONAL),
  video.int('duration', ({ durationMs }) => seconds(durationMs)),
  video.int('bitRate', ({ bitrateBps }) => Math.round(bitrateBps / 1000)),
  video.int('samplingRate', ({ doc }) => doc.sampleRateHz, OPEN_OPTIONAL),
  video.int('channelCount', ({ doc }) => doc.channels, OPEN_OPTIONAL),
  video.text('path', ({ path }) => path),
  video.bool('isVideo', () => true),
  ofVideo.userRating,
  ofVideo.averageRating,
  video.int('playCount', ({ playCount }) => playCount),
  video.text('created', ({ addedAtMs }) => isoDate(addedAtMs), OPTIONAL),
  ofVideo.starred,
  video.text('type', () => 'video'),
  video.text('played', ({ lastPlayedAtMs }) => isoDate(lastPlayedAtMs), OPEN_OPTIONAL),
  ofVideo.bookmarkPosition,
  video.int('originalWidth', ({ widthPx }) => widthPx),
  video.int('originalHeight', ({ heightPx }) => heightPx),
  video.many('genres', itemGenre, ({ doc }) => doc.genres, OPEN),
]);

const stream = fieldsOf<VideoStream>();

/** Streams of a video and captions beside it. */
interface VideoInfo {
  readonly video: VideoView;
  readonly captions: readonly Captions[];
}

interface NamedCaptions {
  readonly videoId: number;
  readonly captions: Captions;
}
const named = fieldsOf<NamedCaptions>();

const captions = objectTable<NamedCaptions, undefined>('captions', [
  named.text('id', (one) => `${formatId('video', one.videoId)}-${captionKey(one.captions)}`),
  named.text('name', (one) => captionName(one.captions), OPTIONAL),
]);
const audioTrack = objectTable<VideoStream, undefined>('audioTrack', [
  stream.text('id', ({ index }) => String(index)),
  stream.text('name', ({ title, language }) => title ?? language, OPTIONAL),
  stream.text('languageCode', ({ language }) => language, OPTIONAL),
]);

const info = fieldsOf<VideoInfo>();
const orNone = <T>(list: readonly T[] | undefined): readonly T[] | undefined => (list?.length ? list : undefined);

/**
 * Video info (schema type VideoInfo): captions with the ids for `getCaptions`, and audio tracks for `hls.m3u8`. Conversions are made on
 * request, so none are listed.
 */
export const videoInfo = objectTable<VideoInfo, undefined>('videoInfo', [
  info.text('id', ({ video: { id } }) => formatId('video', id)),
  info.many(
    'captions',
    captions,
    ({ video: { id }, captions: all }) => orNone(all.map((one) => ({ videoId: id, captions: one }))),
    OPTIONAL,
  ),
  info.many('audioTrack', audioTrack, ({ video: { doc } }) => orNone(doc.audioTracks), OPTIONAL),
]);
