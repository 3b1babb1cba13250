import type { BookmarkView } from '../../../reads/plays/bookmarks.reads.js';
import { objectTable } from '../../../render/object-table.js';
import { isoDate } from '../dates.js';
import { fieldsOf, OPTIONAL } from './fields.js';
import { playedEntry, type PlayedEntry } from './played-entry.object.js';

/** A bookmark with its object. */
export interface CompatBookmark {
  readonly view: BookmarkView;
  readonly username: string;
  readonly entry: PlayedEntry;
}

const bookmark = fieldsOf<CompatBookmark>();

/** A bookmark (schema type Bookmark); `entry` is one object, no list. */
export const bookmarkObject = objectTable<CompatBookmark, undefined>('bookmark', [
  bookmark.int('position', ({ view }) => view.positionMs),
  bookmark.text('username', ({ username }) => username),
  bookmark.text('comment', ({ view }) => (view.label === '' ? undefined : view.label), OPTIONAL),
  bookmark.text('created', ({ view }) => isoDate(view.createdAtMs), OPTIONAL),
  bookmark.text('changed', ({ view }) => isoDate(view.changedAtMs), OPTIONAL),
  bookmark.one('entry', playedEntry, ({ entry }) => entry),
]);
