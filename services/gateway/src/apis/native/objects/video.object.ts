import type { DeletedVideoView, VideoView } from '../../../reads/library/videos.reads.js';
import { annotationRows } from './annotation-rows.js';
import { epochSeconds, isoInstant, seconds } from './context.js';
import { nativeObject } from './native-object.js';
import { tagObject } from './reference.object.js';

const fileNameOf = ({ title, format }: VideoView): string => `${title}.${format}`;
const resolutionOf = ({ widthPx, heightPx }: VideoView): string => `${widthPx}x${heightPx}`;

/** Fields of a video by version. XML of older versions repeats the title as name: before it in 6, after it in 3 to 5. */
export const videoObject = nativeObject<VideoView>('video', (of) => [
  of.id('id', (video) => video.id),
  of.text('name', (video) => video.title, { since: 6, until: 6, json: 'none' }),
  of.text('title', (video) => video.title),
  of.text('name', (video) => video.title, { until: 5, json: 'none' }),
  of.text('mime', (video) => video.mime),
  of.text('resolution', resolutionOf, { since: 4 }),
  of.word('resolution', resolutionOf, { until: 3 }),
  of.int('size', (video) => video.sizeBytes),
  of.list('genre', tagObject, ({ doc }) => doc.genres, { since: 5 }),
  of.list('tag', tagObject, ({ doc }) => doc.genres, { until: 4 }),
  of.int('time', (video) => seconds(video.durationMs), { since: 4, xml: 'cdata' }),
  of.text('url', (video, { links }) => links.video(video.id, fileNameOf(video))),
  of.text('art', (video, { links }) => links.art('video', video.id), { since: 4 }),
  of.bool('has_art', () => false, { since: 6 }),
  // Version 3 has none of these.
  ...annotationRows<VideoView>(({ annotations }) => annotations).filter((row) => row.since > 3),
  of.int('playcount', (video) => video.playCount, { since: 5 }),
  of.text('last_played', ({ lastPlayedAtMs }) => (lastPlayedAtMs === null ? null : isoInstant(lastPlayedAtMs)), {
    since: 8,
    nullable: true,
  }),
  of.id('catalog', (video) => video.catalogId, { since: 8, xml: 'element' }),
]);

/** Captions of a video, with their text if it was asked for. */
export interface NativeCaptions {
  readonly id: string;
  readonly name: string | undefined;
  /** BCP 47 language, as far as the file tells it. */
  readonly language: string | undefined;
  /** WebVTT. */
  readonly text: string | undefined;
}

/** Fields of captions. */
export const captionsObject = nativeObject<NativeCaptions>('caption', (of) => [
  of.text('id', ({ id }) => id),
  of.text('name', ({ name }) => name ?? null, { nullable: true }),
  of.text('language', ({ language }) => language ?? null, { nullable: true }),
  of.text('text', ({ text }) => text, { optional: true }),
]);

/** Fields of a deleted video by version. */
export const deletedVideoObject = nativeObject<DeletedVideoView>('deleted_video', (of) => [
  of.id('id', (video) => video.id),
  of.int('addition_time', (video) => epochSeconds(video.addedAtMs)),
  of.int('delete_time', (video) => epochSeconds(video.deletedAtMs)),
  of.text('title', (video) => video.title),
  of.text('file', (video) => video.file),
  of.id('catalog', (video) => video.catalogId, { since: 6, xml: 'element' }),
  of.int('catalog', (video) => video.catalogId, { until: 5 }),
  of.int('total_count', () => 0),
  of.int('total_skip', () => 0),
]);
