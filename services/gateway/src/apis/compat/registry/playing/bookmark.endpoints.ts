import { MAX_BOOKMARK_LABEL, MAX_PLAY_QUEUE, MAX_PLAY_QUEUE_RUNS } from '@continuo/contracts';
import {
  bookmarkedTypes,
  canBeBookmarked,
  deleteBookmarks,
  ownBookmarkIds,
  createBookmark,
} from '../../../../features/playback/bookmarks.js';
import { saveQueue, findVisible, readQueue, type QueuedObject } from '../../../../features/playback/play-queues.js';
import { latestBookmarks, type BookmarkedObject, type BookmarkView } from '../../../../reads/plays/bookmarks.reads.js';
import { playedObjects } from '../../../../reads/plays/played-objects.reads.js';
import { flowOf, heldFlow, type Flow } from '../../../../render/flow.js';
import { containerBody, type Body, type EnvelopeSource } from '../../documents.js';
import { CompatError } from '../../errors.js';
import { parseId, type CompatId, type CompatKind } from '../../ids.js';
import { bookmarkObject, type CompatBookmark } from '../../objects/bookmark.object.js';
import { fieldsOf, OPTIONAL, type CompatTable } from '../../objects/fields.js';
import { playQueueByIndexObject, playQueueObject, type CompatPlayQueue } from '../../objects/play-queue.object.js';
import { anyId, optionalIndex, optionalMs, optionalText, requiredMs, textList } from '../../parameters.js';
import { endpointsUsing, anybody, type Call, type UserCallBase } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasClock, HasConfig, HasCommands } from '../../../../server/needs.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasConfig & HasReadModel & HasClock & HasCommands & HasPreferences;
const { document, action } = endpointsUsing<Services>();

const playable: Readonly<Partial<Record<CompatKind, QueuedObject['objectType']>>> = {
  song: 'song',
  video: 'video',
  episode: 'podcast_episode',
};
const objectOf = ({ kind, id }: CompatId): BookmarkedObject | undefined => {
  const objectType = playable[kind];
  return objectType && { objectType, objectId: id };
};

const nothingThere = (): CompatError => new CompatError(70, 'There is nothing to play with this id');

/** Object of an id that can be bookmarked. @throws CompatError 70 */
const bookmarkableOf = async (call: UserCallBase<Services>, id: CompatId): Promise<BookmarkedObject> => {
  const object = objectOf(id);
  if (!object || !(await canBeBookmarked(call, object))) throw nothingThere();
  return object;
};

/** Bookmarks with the objects that they stand in; an object that is gone takes its bookmark along. */
const withEntries = async (
  { services, viewer, context }: UserCallBase<Services>,
  views: readonly BookmarkView[],
): Promise<CompatBookmark[]> => {
  const entryOf = await playedObjects(services.db, viewer, views);
  const { username } = context.caller.account;
  return views.flatMap((view) => {
    const entry = entryOf(view);
    return entry ? [{ view, username, entry }] : [];
  });
};

/**
 * The caller's bookmarks, the latest of each object: clients of the native API may keep several, this API knows one. Their objects are read while the answer is written, because
 * an account may have ten thousand.
 */
const allBookmarks = async (call: UserCallBase<Services>): Promise<Flow<CompatBookmark>> => {
  const { services, viewer } = call;
  const views = await latestBookmarks(services.db, viewer, bookmarkedTypes(services));
  return flowOf(
    views.map((_, index) => index),
    (indices) =>
      withEntries(
        call,
        Array.from(indices).flatMap((index) => views[index] ?? []),
      ),
  );
};

/** Comment, cut to its longest length. */
const comment = optionalText.transform((text) => (text ?? '').trim().toWellFormed().slice(0, MAX_BOOKMARK_LABEL));

/** An optional object in the envelope. */
const optionalBody = <S>(name: string, table: CompatTable<S>): Body<{ readonly of?: S | undefined }> =>
  fieldsOf<EnvelopeSource<{ readonly of?: S | undefined }>>().one(name, table, ({ payload }) => payload?.of, OPTIONAL);

// A time of 0 would be left out as unknown, but the schema requires one.
const NEVER_SAVED = {
  entries: heldFlow<never>([]),
  current: undefined,
  currentIndex: undefined,
  positionMs: 0,
  changedAtMs: 1,
  changedBy: '',
} as const;

/**
 * The caller's queue. An empty one is an empty envelope in the legacy form; the extended form, whose schema requires the queue, tells when
 * and by whom it was cleared. A queue that was never saved has the oldest time, so that the client's own is newer.
 */
const ownQueue = async (call: UserCallBase<Services>): Promise<{ readonly of?: CompatPlayQueue | undefined }> => {
  const seen = await readQueue(call);
  if (call.policy.name === 'legacy' && !seen?.entries.length) return {};
  return { of: { ...(seen ?? NEVER_SAVED), username: call.context.caller.account.username } };
};

interface SavedQueue {
  readonly id: readonly string[];
  readonly position: number | undefined;
}

/** Objects of ids, undefined for invalid ids. @throws CompatError 10 for too many, 70 for kinds that cannot be played */
const objectsOf = (texts: readonly string[]): (QueuedObject | undefined)[] => {
  if (texts.length > MAX_PLAY_QUEUE) throw new CompatError(10, `At most ${MAX_PLAY_QUEUE} things fit into a play queue`);
  return texts.map((text) => {
    const id = parseId(text, 'song');
    const object = id && objectOf(id);
    if (id && !object) throw nothingThere();
    return object;
  });
};

/**
 * Saves a queue with the current object at an index of the ids; skips unknown ones. @throws CompatError 70 when the current one is unknown
 */
const save = async (call: Call<SavedQueue, Services>, objects: readonly (QueuedObject | undefined)[], current: number): Promise<void> => {
  const isSeen = await findVisible(
    call,
    objects.filter((object) => object !== undefined),
  );
  const isKept = (object: QueuedObject | undefined): object is QueuedObject => object !== undefined && isSeen(object);
  if (!isKept(objects[current])) throw nothingThere();
  const kept = objects.filter(isKept);
  const turns = kept.filter(({ objectType }, index) => objectType !== kept[index - 1]?.objectType).length;
  if (turns > MAX_PLAY_QUEUE_RUNS) throw new CompatError(10, 'Songs, videos and episodes take turns too often in this play queue');
  const currentIndex = objects.slice(0, current).filter(isKept).length;
  await saveQueue(call, { objects: kept, currentIndex, positionMs: call.params.position ?? 0 });
};

const clear = (call: UserCallBase<Services>): Promise<void> => saveQueue(call, { objects: [], currentIndex: 0, positionMs: 0 });

const saveById = async (call: Call<SavedQueue & { readonly current: string | undefined }, Services>): Promise<void> => {
  const { id, current } = call.params;
  if (id.length === 0) return clear(call);
  if (current === undefined) throw new CompatError(10, 'Required parameter is missing: current');
  const objects = objectsOf(id);
  const [wanted] = objectsOf([current]);
  const index = wanted ? objects.findIndex((one) => one?.objectType === wanted.objectType && one.objectId === wanted.objectId) : -1;
  if (index >= 0) return save(call, objects, index);
  const isKnown = wanted !== undefined && (await findVisible(call, [wanted]))(wanted);
  throw isKnown ? new CompatError(10, 'Parameter current must be one of the ids') : nothingThere();
};

const saveByIndex = async (call: Call<SavedQueue & { readonly currentIndex: number | undefined }, Services>): Promise<void> => {
  const { id, currentIndex } = call.params;
  if (id.length === 0 && currentIndex === undefined) return clear(call);
  if (id.length > 0 && currentIndex === undefined) throw new CompatError(10, 'Required parameter is missing: currentIndex');
  if (id.length === 0) throw new CompatError(10, 'Parameter currentIndex needs ids');
  if (currentIndex === undefined || currentIndex >= id.length)
    throw new CompatError(10, `Parameter currentIndex must be below ${id.length}, the number of ids`);
  return save(call, objectsOf(id), currentIndex);
};

/** Operations about bookmarks and play queues. */
export const bookmarkEndpoints = {
  getBookmarks: document({
    access: anybody,
    params: {},
    body: containerBody('bookmarks', 'bookmark', bookmarkObject),
    flows: true,
    answer: allBookmarks,
  }),
  createBookmark: action({
    access: anybody,
    params: { id: anyId('song'), position: requiredMs, comment },
    act: async (call) => {
      const { id, position, comment: label } = call.params;
      const object = await bookmarkableOf(call, id);
      await createBookmark(call, object, { label, isApart: false, positionMs: position, atMs: call.services.now() });
    },
  }),
  deleteBookmark: action({
    access: anybody,
    params: { id: anyId('song') },
    act: async (call) => {
      const ids = await ownBookmarkIds(call, { object: await bookmarkableOf(call, call.params.id) }, 'id');
      if (ids.length === 0) throw new CompatError(70, 'There is no bookmark in this');
      await deleteBookmarks(call, ids);
    },
  }),
  getPlayQueue: document({
    access: anybody,
    params: {},
    body: optionalBody('playQueue', playQueueObject),
    flows: true,
    answer: ownQueue,
  }),
  getPlayQueueByIndex: document({
    access: anybody,
    params: {},
    body: optionalBody('playQueueByIndex', playQueueByIndexObject),
    flows: true,
    answer: ownQueue,
  }),
  savePlayQueue: action({ access: anybody, params: { id: textList, current: optionalText, position: optionalMs }, act: saveById }),
  savePlayQueueByIndex: action({
    access: anybody,
    params: { id: textList, currentIndex: optionalIndex, position: optionalMs },
    act: saveByIndex,
  }),
} as const;
