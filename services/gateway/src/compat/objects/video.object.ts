import type { VideoStream } from '@continuo/contracts';
import type { VideoView } from '../../reads/videos.reads.js';
import { objectTable } from '../../render/object-table.js';
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
  video.num('duration', ({ durationMs }) => seconds(durationMs)),
  video.num('bitRate', ({ bitrateBps }) => Math.round(bitrateBps / 1000)),
  video.num('samplingRate', ({ doc }) => doc.sampleRateHz, OPEN),
  video.num('channelCount', ({ doc }) => doc.channels, OPEN),
  video.text('path', ({ path }) => path),
  video.bool('isVideo', () => true),
  ofVideo.userRating,
  ofVideo.averageRating,
  video.text('created', ({ addedAtMs }) => isoDate(addedAtMs)),
  ofVideo.starred,
  video.text('type', () => 'video'),
  video.num('originalWidth', ({ widthPx }) => widthPx),
  video.num('originalHeight', ({ heightPx }) => heightPx),
  video.many('genres', itemGenre, ({ doc }) => doc.genres, OPEN),
]);

const stream = fieldsOf<VideoStream>();
const nameOf = ({ title, language }: VideoStream): string | undefined => title ?? language;

const captions = objectTable<VideoStream, undefined>('captions', [
  stream.text('id', ({ index }) => String(index)),
  stream.text('name', nameOf),
]);
const audioTrack = objectTable<VideoStream, undefined>('audioTrack', [
  stream.text('id', ({ index }) => String(index)),
  stream.text('name', nameOf),
  stream.text('languageCode', ({ language }) => language),
]);

/** What is in a video's file (schema type VideoInfo): embedded subtitles and soundtracks. Nothing is converted, so that no conversions are named. */
export const videoInfo = objectTable<VideoView, undefined>('videoInfo', [
  video.text('id', ({ id }) => formatId('video', id)),
  video.many('captions', captions, ({ doc }) => (doc.captions?.length ? doc.captions : undefined)),
  video.many('audioTrack', audioTrack, ({ doc }) => (doc.audioTracks?.length ? doc.audioTracks : undefined)),
]);
