import { objectTable, rowsOf } from '../../render/index.js';
import type { DeletedVideoView, VideoView } from '../../reads/videos.reads.js';
import { annotationRows } from './annotation-rows.js';
import { epochSeconds, isoInstant, seconds, type NativeContext } from './context.js';
import { tagObject } from './reference.object.js';

const of = rowsOf<VideoView, NativeContext>();

const fileNameOf = ({ title, format }: VideoView): string => `${title}.${format}`;
const resolutionOf = ({ widthPx, heightPx }: VideoView): string => `${widthPx}x${heightPx}`;

/** versions.md sections 6.1 to 6.4 and 7.1 to 7.5. The XML of older versions has the title once more as name, before it in 6 and after it in 3 to 5. */
export const videoObject = objectTable<VideoView, NativeContext>('video', [
  of.id('id', (video) => video.id),
  of.text('name', (video) => video.title, { since: 6, until: 6, json: 'none' }),
  of.text('title', (video) => video.title),
  of.text('name', (video) => video.title, { until: 5, json: 'none' }),
  of.text('mime', (video) => video.mime),
  of.text('resolution', resolutionOf, { since: 4 }),
  of.word('resolution', resolutionOf, { until: 3 }),
  of.num('size', (video) => video.sizeBytes),
  of.list('genre', tagObject, ({ doc }) => doc.genres, { since: 5 }),
  of.list('tag', tagObject, ({ doc }) => doc.genres, { until: 4 }),
  of.num('time', (video) => seconds(video.durationMs), { since: 4, xml: 'cdata' }),
  of.text('url', (video, { links }) => links.video(video.id, fileNameOf(video))),
  of.text('art', (video, { links }) => links.art('video', video.id), { since: 4 }),
  of.bool('has_art', () => false, { since: 6 }),
  // Version 3 has none of them.
  ...annotationRows<VideoView>(({ annotations }) => annotations).filter((row) => row.since > 3),
  of.num('playcount', (video) => video.playCount, { since: 5 }),
  of.text('last_played', ({ lastPlayedAtMs }) => (lastPlayedAtMs === null ? null : isoInstant(lastPlayedAtMs)), { since: 8 }),
  of.id('catalog', (video) => video.catalogId, { since: 8, xml: 'element' }),
]);

const deleted = rowsOf<DeletedVideoView, NativeContext>();

/** versions.md sections 6.1, 6.3 and 7.1. */
export const deletedVideoObject = objectTable<DeletedVideoView, NativeContext>('deleted_video', [
  deleted.id('id', (video) => video.id),
  deleted.num('addition_time', (video) => epochSeconds(video.addedAtMs)),
  deleted.num('delete_time', (video) => epochSeconds(video.deletedAtMs)),
  deleted.text('title', (video) => video.title),
  deleted.text('file', (video) => video.file),
  deleted.id('catalog', (video) => video.catalogId, { since: 6, xml: 'element' }),
  deleted.num('catalog', (video) => video.catalogId, { until: 5 }),
  deleted.num('total_count', () => 0),
  deleted.num('total_skip', () => 0),
]);
