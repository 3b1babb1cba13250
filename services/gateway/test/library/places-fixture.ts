import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import {
  bookmarkId,
  moveBookmark,
  placeBookmark,
  removeBookmarks,
  savePlayQueue,
  type BookmarkTable,
  type PlayQueueRun,
  type PlayQueueTable,
  type ReadModel,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';

/** When the first bookmark of the fixtures was put, 2024-05-25T12:00:00Z; each one more came a minute later. */
export const FIRST_BOOKMARKED_MS = Date.UTC(2024, 4, 25, 12);
const MINUTE_MS = 60_000;

/** Answers the commands about bookmarks and play queues and changes nothing, so that documents stay the same: what is put is the first bookmark of the fixtures. */
export const withPlaces = (commands: InMemoryCommandClient): InMemoryCommandClient =>
  commands
    .handle(placeBookmark, async () => ({ result: { bookmarkId: bookmarkId.parse(1) }, positions: [] }))
    .handle(moveBookmark, async () => ({ result: {}, positions: [] }))
    .handle(removeBookmarks, async () => ({ result: {}, positions: [] }))
    .handle(savePlayQueue, async () => ({ result: {}, positions: [] }));

/** Writes a bookmark, as the projection of the playback service would; what is not given is the least that a bookmark can be. */
export const insertBookmark = async (
  db: Kysely<ReadModel>,
  row: Pick<BookmarkTable, 'id' | 'object_id'> & Partial<BookmarkTable>,
): Promise<void> => {
  const atMs = FIRST_BOOKMARKED_MS + row.id * MINUTE_MS;
  const usual = { user_id: 1, object_type: 'song', slot: '', label: '', position_ms: 1500, created_at_ms: atMs, changed_at_ms: atMs };
  await db
    .insertInto('playback.bookmark')
    .values({ ...usual, ...row })
    .execute();
};

/** Writes a play queue, as the projection of the playback service would. */
export const insertPlayQueue = async (
  db: Kysely<ReadModel>,
  runs: readonly PlayQueueRun[],
  row: Partial<Omit<PlayQueueTable, 'runs'>> = {},
): Promise<void> => {
  const usual = { user_id: 1, current_index: 0, position_ms: 2500, client: 'phone', changed_at_ms: FIRST_BOOKMARKED_MS };
  await db
    .insertInto('playback.play_queue')
    .values({ ...usual, ...row, runs: JSON.stringify(runs) })
    .execute();
};

/** Two bookmarks in one song, one in a video, one in a song that is gone, one of somebody else; a queue with a song twice, one that is gone, and a video. */
export const seedPlaces = async (db: Kysely<ReadModel>): Promise<void> => {
  await insertBookmark(db, { id: 1, object_id: 4, label: 'Where it gets loud & <good>', position_ms: 61_500 });
  await insertBookmark(db, {
    id: 2,
    object_id: 4,
    slot: 'digest',
    label: 'phone',
    position_ms: 90_000,
    changed_at_ms: FIRST_BOOKMARKED_MS,
  });
  await insertBookmark(db, { id: 3, object_type: 'video', object_id: 1, position_ms: 125_000 });
  await insertBookmark(db, { id: 4, object_id: 999, label: 'phone', slot: 'digest' });
  await insertBookmark(db, { id: 5, object_id: 4, user_id: 2, position_ms: 7000 });
  const runs: readonly PlayQueueRun[] = [
    { objectType: 'song', ids: [2, 999, 4, 2] },
    { objectType: 'video', ids: [1] },
  ];
  await insertPlayQueue(db, runs, { current_index: 3 });
};
