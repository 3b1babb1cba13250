import { projectEach, type Projection, type ServiceDependencies, type UserKeys } from '@continuo/chassis';
import {
  bookmarkPlaced,
  type BookmarkEvent,
  type BookmarkTable,
  type PlayQueueEvent,
  type PlayQueueTable,
  type RecordedEvent,
} from '@continuo/contracts';
import { labelOf, openLabel } from './bookmark-labels.js';

interface Tables {
  bookmark: BookmarkTable;
  play_queue: PlayQueueTable;
}

const ddl = [
  `create table bookmark (
    id integer primary key,
    user_id integer not null,
    object_type text not null,
    object_id integer not null,
    slot text not null,
    label text not null,
    position_ms bigint not null,
    created_at_ms bigint not null,
    changed_at_ms bigint not null
  )`,
  // A user's bookmarks in their order, and those in some things, the latest first.
  'create index bookmark_by_user on bookmark (user_id, id)',
  'create index bookmark_by_object on bookmark (user_id, object_type, object_id, changed_at_ms desc, id desc)',
  `create table play_queue (
    user_id integer primary key,
    runs text not null,
    current_index integer not null,
    position_ms bigint not null,
    client text not null,
    context text,
    changed_at_ms bigint not null
  )`,
];

type QueueData = Extract<PlayQueueEvent, { type: 'PlayQueueMoved' }>['data'];
const placeInQueue = ({ currentIndex, positionMs, client, context, savedAtMs }: QueueData) => ({
  current_index: currentIndex,
  position_ms: positionMs,
  client,
  context: context ?? null,
  changed_at_ms: savedAtMs,
});

const projecting = projectEach<BookmarkEvent | PlayQueueEvent, Tables>({
  BookmarkPlaced: (event, db) => {
    const { bookmarkId, userId, objectType, objectId, isApart, labelDigest, positionMs, createdAtMs, changedAtMs } = event.data;
    const key = { user_id: userId, object_type: objectType, object_id: objectId, slot: isApart ? labelDigest : '' };
    const row = { ...key, label: labelOf(event), position_ms: positionMs, created_at_ms: createdAtMs, changed_at_ms: changedAtMs };
    const same = db.deleteFrom('bookmark').where('user_id', '=', userId).where('object_type', '=', objectType);
    return [
      // A bookmark has two numbers only when it was put anew right after a loss of the database: the later one counts.
      same.where('object_id', '=', objectId).where('slot', '=', key.slot).where('id', '<>', bookmarkId),
      db
        .insertInto('bookmark')
        .values({ id: bookmarkId, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row)),
    ];
  },
  BookmarkMoved: ({ data }, db) => [
    db.updateTable('bookmark').set({ position_ms: data.positionMs, changed_at_ms: data.changedAtMs }).where('id', '=', data.bookmarkId),
  ],
  BookmarkRemoved: ({ data }, db) => [db.deleteFrom('bookmark').where('id', '=', data.bookmarkId)],
  PlayQueueSaved: ({ data }, db) => {
    const row = { runs: JSON.stringify(data.runs), ...placeInQueue(data) };
    const insert = db.insertInto('play_queue').values({ user_id: data.userId, ...row });
    return [insert.onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))];
  },
  PlayQueueMoved: ({ data }, db) => [db.updateTable('play_queue').set(placeInQueue(data)).where('user_id', '=', data.userId)],
  PlayQueueForgotten: ({ data }, db) => [db.deleteFrom('play_queue').where('user_id', '=', data.userId)],
});

/**
 * Where people stopped: bookmarks and play queues, in one projection, so that the log of plays is not read once more for either. Labels are opened with their
 * accounts' keys; those of accounts that are gone are gone with them.
 */
export const placesProjection = (keys: UserKeys, log: ServiceDependencies['log']): Projection<Tables> => ({
  name: 'playback-places',
  version: 2,
  context: 'playback',
  publishedSchema: 'playback',
  publishes: ['bookmark', 'play_queue'],
  ddl,
  ...projecting,
  prepare: (events: readonly RecordedEvent[]) =>
    Promise.all(events.map(async (event) => (event.type === bookmarkPlaced.type ? openLabel(event, keys, log) : event))),
});
