import { objectTable, rowsOf } from '../../render/index.js';
import type { BookmarkView } from '../../reads/bookmarks.reads.js';
import type { EpisodeView } from '../../reads/podcasts.reads.js';
import type { VideoView } from '../../reads/videos.reads.js';
import { epochSeconds, type NativeContext } from './context.js';
import { episodeObject } from './podcast.object.js';
import { songObject, type NativeSong } from './song.object.js';
import { videoObject } from './video.object.js';

const MS_PER_SECOND = 1000;

/** A bookmark, with what it stands in where the caller asked for that. */
export interface NativeBookmark {
  readonly view: BookmarkView;
  readonly owner: string;
  /** A list of one. */
  readonly songs?: readonly NativeSong[];
  readonly episodes?: readonly EpisodeView[];
  readonly videos?: readonly VideoView[];
}

const of = rowsOf<NativeBookmark, NativeContext>();
const since6 = { since: 6 } as const;

/**
 * versions.md sections 6.1 to 6.3, 7.1 and 7.2. Positions are seconds here and milliseconds in the compatibility API; begun seconds are not counted.
 */
export const bookmarkObject = objectTable<NativeBookmark, NativeContext>('bookmark', [
  of.id('id', ({ view }) => view.id),
  of.text('owner', ({ owner }) => owner, { since: 8 }),
  of.text('owner', ({ owner }) => owner, { until: 6, xmlName: 'user' }),
  of.text('object_type', ({ view }) => view.objectType),
  of.word('object_id', ({ view }) => String(view.objectId)),
  of.num('position', ({ view }) => Math.floor(view.positionMs / MS_PER_SECOND)),
  of.text('client', ({ view }) => view.label || null),
  of.num('creation_date', ({ view }) => epochSeconds(view.createdAtMs)),
  of.num('update_date', ({ view }) => epochSeconds(view.changedAtMs), { since: 8 }),
  of.num('update_date', ({ view }) => epochSeconds(view.changedAtMs), { until: 6, xml: 'cdata' }),
  of.list('song', songObject, ({ songs }) => songs, since6),
  of.list('podcast_episode', episodeObject, ({ episodes }) => episodes, since6),
  of.list('video', videoObject, ({ videos }) => videos, since6),
]);
