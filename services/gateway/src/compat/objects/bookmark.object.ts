import type { BookmarkView } from '../../reads/bookmarks.reads.js';
import { objectTable } from '../../render/object-table.js';
import { isoDate } from '../dates.js';
import { fieldsOf } from './fields.js';
import { playedEntry, type PlayedEntry } from './played-entry.object.js';

/** A bookmark with what it stands in. */
export interface CompatBookmark {
  readonly view: BookmarkView;
  readonly username: string;
  readonly entry: PlayedEntry;
}

const bookmark = fieldsOf<CompatBookmark>();

/** A bookmark (schema type Bookmark); `entry` is one object, no list (compat facts, section 3.1). */
export const bookmarkObject = objectTable<CompatBookmark, undefined>('bookmark', [
  bookmark.num('position', ({ view }) => view.positionMs),
  bookmark.text('username', ({ username }) => username),
  bookmark.text('comment', ({ view }) => (view.label === '' ? undefined : view.label)),
  bookmark.text('created', ({ view }) => isoDate(view.createdAtMs)),
  bookmark.text('changed', ({ view }) => isoDate(view.changedAtMs)),
  bookmark.one('entry', playedEntry, ({ entry }) => entry),
]);
