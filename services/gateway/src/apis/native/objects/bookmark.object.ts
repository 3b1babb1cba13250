import type { BookmarkView } from '../../../reads/plays/bookmarks.reads.js';
import type { EpisodeView } from '../../../reads/podcasts/podcasts.reads.js';
import type { VideoView } from '../../../reads/library/videos.reads.js';
import { epochSeconds } from './context.js';
import { nativeObject } from './native-object.js';
import { episodeObject } from './podcast.object.js';
import { songObject, type NativeSong } from './song.object.js';
import { videoObject } from './video.object.js';

const MS_PER_SECOND = 1000;

/** A bookmark, with its object if included. */
export interface NativeBookmark {
  readonly view: BookmarkView;
  readonly owner: string;
  /** At most one. */
  readonly songs?: readonly NativeSong[];
  readonly episodes?: readonly EpisodeView[];
  readonly videos?: readonly VideoView[];
}

const since6 = { since: 6 } as const;

/**
 * Fields of a bookmark by version. Positions are whole seconds, rounded down; the Subsonic API has milliseconds.
 */
export const bookmarkObject = nativeObject<NativeBookmark>('bookmark', (of) => [
  of.id('id', ({ view }) => view.id),
  of.text('owner', ({ owner }) => owner, { since: 8 }),
  of.text('owner', ({ owner }) => owner, { until: 6, xmlName: 'user' }),
  of.text('object_type', ({ view }) => view.objectType),
  of.word('object_id', ({ view }) => String(view.objectId)),
  of.int('position', ({ view }) => Math.floor(view.positionMs / MS_PER_SECOND)),
  of.text('client', ({ view }) => view.label || null, { nullable: true }),
  of.int('creation_date', ({ view }) => epochSeconds(view.createdAtMs)),
  of.int('update_date', ({ view }) => epochSeconds(view.changedAtMs), { since: 8 }),
  of.int('update_date', ({ view }) => epochSeconds(view.changedAtMs), { until: 6, xml: 'cdata' }),
  of.list('song', songObject, ({ songs }) => songs, { ...since6, optional: true }),
  of.list('podcast_episode', episodeObject, ({ episodes }) => episodes, { ...since6, optional: true }),
  of.list('video', videoObject, ({ videos }) => videos, { ...since6, optional: true }),
]);
