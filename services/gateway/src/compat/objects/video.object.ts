import type { VideoStream } from '@continuo/contracts';
import type { VideoView } from '../../reads/videos.reads.js';
import { objectTable } from '../../render/object-table.js';
import { captionKey, captionName, type Captions } from '../../captions/video-captions.js';
import { videoConvertedPlainly } from '../../transcode/decision/video/plain-video.js';
import { isoDate } from '../dates.js';
import { formatId } from '../ids.js';
import { annotationFields } from './annotation-fields.js';
import { fieldsOf, OPEN } from './fields.js';
import { firstGenre, seconds } from '../spelling.js';
import { itemGenre } from './parts.object.js';

const video = fieldsOf<VideoView>();
const ofVideo = annotationFields<VideoView>(({ annotations }) => annotations);

/** A year that a date begins with. */
const yearOf = (date: string | null): number | undefined => (date === null ? undefined : Number(date.slice(0, 4)) || undefined);

/** A video as every list shows it (schema type Child). */
export const videoChild = objectTable<VideoView, undefined>('video', [
  video.text('id', ({ id }) => formatId('video', id)),
  video.text('parent', ({ folderId }) => formatId('folder', folderId)),
  video.bool('isDir', () => false),
  video.text('title', ({ title }) => title),
  video.num('year', ({ releaseDate }) => yearOf(releaseDate)),
  video.text('genre', ({ doc }) => firstGenre(doc.genres)),
  video.num('size', ({ sizeBytes }) => sizeBytes),
  video.text('contentType', ({ mime }) => mime),
  video.text('suffix', ({ format }) => format),
  video.text('transcodedContentType', (view) => videoConvertedPlainly(view)?.mime),
  video.text('transcodedSuffix', (view) => videoConvertedPlainly(view)?.suffix),
  video.num('duration', ({ durationMs }) => seconds(durationMs)),
  video.num('bitRate', ({ bitrateBps }) => Math.round(bitrateBps / 1000)),
  video.num('samplingRate', ({ doc }) => doc.sampleRateHz, OPEN),
  video.num('channelCount', ({ doc }) => doc.channels, OPEN),
  video.text('path', ({ path }) => path),
  video.bool('isVideo', () => true),
  ofVideo.userRating,
  ofVideo.averageRating,
  video.num('playCount', ({ playCount }) => playCount),
  video.text('created', ({ addedAtMs }) => isoDate(addedAtMs)),
  ofVideo.starred,
  video.text('type', () => 'video'),
  video.text('played', ({ lastPlayedAtMs }) => isoDate(lastPlayedAtMs), OPEN),
  ofVideo.bookmarkPosition,
  video.num('originalWidth', ({ widthPx }) => widthPx),
  video.num('originalHeight', ({ heightPx }) => heightPx),
  video.many('genres', itemGenre, ({ doc }) => doc.genres, OPEN),
]);

const stream = fieldsOf<VideoStream>();

/** What is in a video's file and beside it. */
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
  named.text('name', (one) => captionName(one.captions)),
]);
const audioTrack = objectTable<VideoStream, undefined>('audioTrack', [
  stream.text('id', ({ index }) => String(index)),
  stream.text('name', ({ title, language }) => title ?? language),
  stream.text('languageCode', ({ language }) => language),
]);

const info = fieldsOf<VideoInfo>();
const orNone = <T>(list: readonly T[] | undefined): readonly T[] | undefined => (list?.length ? list : undefined);

/**
 * What belongs to a video (schema type VideoInfo): captions, which `getCaptions` takes by their ids, and soundtracks for `hls.m3u8`. Conversions are made when
 * they are asked for, so that none lie ready to be named.
 */
export const videoInfo = objectTable<VideoInfo, undefined>('videoInfo', [
  info.text('id', ({ video: { id } }) => formatId('video', id)),
  info.many('captions', captions, ({ video: { id }, captions: all }) => orNone(all.map((one) => ({ videoId: id, captions: one })))),
  info.many('audioTrack', audioTrack, ({ video: { doc } }) => orNone(doc.audioTracks)),
]);
