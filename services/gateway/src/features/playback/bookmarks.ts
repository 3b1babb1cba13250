import {
  bookmarkId,
  MAX_REMOVED_BOOKMARKS,
  moveBookmark as moveBookmarkCommand,
  placeBookmark,
  removeBookmarks,
  type PlayableType,
} from '@continuo/contracts';
import { runAndAwaitReadModel, runCommand } from '../../server/commands.js';
import type { CallerWith } from '../../server/requests/request-context.js';
import {
  bookmarkIds,
  bookmarksByIds,
  type BookmarkedObject,
  type BookmarkedTypes,
  type BookmarkQuery,
  type BookmarkView,
} from '../../reads/plays/bookmarks.reads.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasPreferences } from '../../preferences/preferences.js';
import type { HasCommands, HasConfig } from '../../server/needs.js';
import { disabledFeature } from '../../kinds/index.js';
import { firstAbsent } from '../../kinds/visible-objects.reads.js';

/** Caller that reads or changes their bookmarks. */
export type Bookmarker = CallerWith<HasReadModel & HasCommands & HasConfig & HasPreferences>;

/** Position of a bookmark. */
export interface BookmarkPosition {
  readonly positionMs: number;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

/** Object types that can be bookmarked and played. */
export const playableTypes = ['song', 'video', 'podcast_episode'] as const satisfies readonly PlayableType[];

/** Object types that can have bookmarks on this server. */
export const bookmarkedTypes = ({ config }: HasConfig): BookmarkedTypes =>
  playableTypes.filter((type) => disabledFeature(type, config) === undefined);

/** True when the caller sees the object, so that it can be bookmarked. */
export const canBeBookmarked = async ({ services, viewer }: Bookmarker, { objectType, objectId }: BookmarkedObject): Promise<boolean> => {
  if (!bookmarkedTypes(services).includes(objectType)) return false;
  return (await firstAbsent(services.db, viewer, [{ kind: objectType, objectId }])) === undefined;
};

const keepsLatestOnly = async ({ services, viewer }: Bookmarker): Promise<boolean> =>
  (await services.preferences.current()).isOn(viewer.userId, 'bookmark_latest');

/** A bookmark of the caller; undefined when there is none with this id. */
export const ownBookmark = async ({ services, viewer }: Bookmarker, id: number): Promise<BookmarkView | undefined> =>
  (await bookmarksByIds(services.db, [id], viewer, bookmarkedTypes(services)))[0];

/** Ids of the caller's bookmarks that match a query. */
export const ownBookmarkIds = (
  { services, viewer }: Bookmarker,
  query: Omit<BookmarkQuery, 'types'>,
  order: 'id' | 'latest',
): Promise<number[]> => bookmarkIds(services.db, viewer, { ...query, types: bookmarkedTypes(services) }, order);

/**
 * Creates or replaces the caller's bookmark of an object: the one with this label if `isApart`, else the object's own. The caller has checked
 * that the object exists; undefined when it vanished meanwhile.
 */
export const createBookmark = async (
  bookmarker: Bookmarker,
  object: BookmarkedObject,
  { label, isApart, positionMs, atMs }: BookmarkPosition & { readonly label: string | undefined; readonly isApart: boolean },
): Promise<BookmarkView | undefined> => {
  const { services, context, viewer } = bookmarker;
  const put = await runAndAwaitReadModel(
    services,
    context,
    { command: placeBookmark },
    {
      userId: viewer.userId,
      ...object,
      label,
      isApart,
      isOnly: await keepsLatestOnly(bookmarker),
      positionMs,
      placedAtMs: atMs,
    },
  );
  return ownBookmark(bookmarker, put.bookmarkId);
};

/** Moves a bookmark of the caller. */
export const moveBookmark = async (
  bookmarker: Bookmarker,
  { id }: BookmarkView,
  { positionMs, atMs }: BookmarkPosition,
): Promise<BookmarkView | undefined> => {
  const { services, context, viewer } = bookmarker;
  const moved = { userId: viewer.userId, bookmarkId: bookmarkId.parse(id), positionMs, movedAtMs: atMs };
  await runCommand(services, context, moveBookmarkCommand, moved);
  return ownBookmark(bookmarker, id);
};

/** Deletes bookmarks of the caller. */
export const deleteBookmarks = async ({ services, context, viewer }: Bookmarker, ids: readonly number[]): Promise<void> => {
  for (let from = 0; from < ids.length; from += MAX_REMOVED_BOOKMARKS) {
    const some = ids.slice(from, from + MAX_REMOVED_BOOKMARKS).map((id) => bookmarkId.parse(id));
    await runCommand(services, context, removeBookmarks, { userId: viewer.userId, bookmarkIds: some });
  }
};

/** Parses an object type of either API; undefined for other types. */
export const playableTypeOf = (name: string): PlayableType | undefined => playableTypes.find((type) => type === name);
