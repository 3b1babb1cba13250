import { bookmarkId, MAX_REMOVED_BOOKMARKS, moveBookmark, placeBookmark, removeBookmarks, type PlayableType } from '@continuo/contracts';
import { makeShown, runCommand } from '../commands.js';
import type { CallerContext } from '../http/request-context.js';
import {
  bookmarkIds,
  bookmarksByIds,
  type BookmarkedObject,
  type BookmarkedTypes,
  type BookmarkQuery,
  type BookmarkView,
} from '../reads/bookmarks.reads.js';
import { visibleSongs } from '../reads/playlist-songs.reads.js';
import { episodesByIds } from '../reads/podcasts.reads.js';
import type { ReadDatabase } from '../reads/database.js';
import { videosByIds } from '../reads/videos.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';

/** Whose bookmarks they are, and over what it goes. */
export interface Bookmarker {
  readonly services: Pick<GatewayServices, 'db' | 'commands' | 'watch' | 'config' | 'preferences'>;
  readonly context: CallerContext;
  readonly viewer: Viewer;
}

/** Where a bookmark is to stand. */
export interface Place {
  readonly positionMs: number;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

/** Types of things that have bookmarks on this server. */
export const bookmarkedTypes = ({ config }: Pick<GatewayServices, 'config'>): BookmarkedTypes => [
  'song',
  ...(config.ALLOW_VIDEO ? (['video'] as const) : []),
  ...(config.PODCAST ? (['podcast_episode'] as const) : []),
];

const seenOf: Readonly<Record<PlayableType, (db: ReadDatabase, ids: number[], viewer: Viewer) => Promise<readonly unknown[]>>> = {
  song: visibleSongs,
  video: videosByIds,
  podcast_episode: episodesByIds,
};

/** True for a thing that is there for its viewer, so that a bookmark can stand in it. */
export const canBeBookmarked = async ({ services, viewer }: Bookmarker, { objectType, objectId }: BookmarkedObject): Promise<boolean> => {
  if (!bookmarkedTypes(services).includes(objectType)) return false;
  return (await seenOf[objectType](services.db, [objectId], viewer)).length > 0;
};

const keepsLatestOnly = async ({ services, viewer }: Bookmarker): Promise<boolean> =>
  (await services.preferences.current()).isOn(viewer.userId, 'bookmark_latest');

/** A bookmark of the caller; undefined when there is none under the number. */
export const ownBookmark = async ({ services, viewer }: Bookmarker, id: number): Promise<BookmarkView | undefined> =>
  (await bookmarksByIds(services.db, [id], viewer, bookmarkedTypes(services)))[0];

/** Ids of the caller's bookmarks that are meant. */
export const ownBookmarkIds = (
  { services, viewer }: Bookmarker,
  query: Omit<BookmarkQuery, 'types'>,
  order: 'id' | 'latest',
): Promise<number[]> => bookmarkIds(services.db, viewer, { ...query, types: bookmarkedTypes(services) }, order);

/**
 * Puts a bookmark of the caller into a thing, over the one that stands there already: the one with this label where labels keep bookmarks apart, else the one of the
 * thing itself. Whoever asks has looked whether the thing is there. Undefined when it vanished meanwhile.
 */
export const putBookmark = async (
  bookmarker: Bookmarker,
  object: BookmarkedObject,
  { label, isApart, positionMs, atMs }: Place & { readonly label: string | undefined; readonly isApart: boolean },
): Promise<BookmarkView | undefined> => {
  const { services, context, viewer } = bookmarker;
  const put = await makeShown(
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
export const shiftBookmark = async (
  bookmarker: Bookmarker,
  { id }: BookmarkView,
  { positionMs, atMs }: Place,
): Promise<BookmarkView | undefined> => {
  const { services, context, viewer } = bookmarker;
  const moved = { userId: viewer.userId, bookmarkId: bookmarkId.parse(id), positionMs, movedAtMs: atMs };
  await runCommand(services, context, moveBookmark, moved);
  return ownBookmark(bookmarker, id);
};

/** Takes bookmarks of the caller away. */
export const dropBookmarks = async ({ services, context, viewer }: Bookmarker, ids: readonly number[]): Promise<void> => {
  for (let from = 0; from < ids.length; from += MAX_REMOVED_BOOKMARKS) {
    const some = ids.slice(from, from + MAX_REMOVED_BOOKMARKS).map((id) => bookmarkId.parse(id));
    await runCommand(services, context, removeBookmarks, { userId: viewer.userId, bookmarkIds: some });
  }
};

/** A type of things as both APIs call it; undefined for what nothing can be put into. */
export const playableTypeOf = (name: string): PlayableType | undefined =>
  (['song', 'video', 'podcast_episode'] as const).find((type) => type === name);
