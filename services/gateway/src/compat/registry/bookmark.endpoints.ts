import { MAX_BOOKMARK_LABEL, MAX_PLAY_QUEUE, MAX_PLAY_QUEUE_RUNS } from '@continuo/contracts';
import { bookmarkedTypes, canBeBookmarked, dropBookmarks, ownBookmarkIds, putBookmark, type Bookmarker } from '../../bookmark/bookmarks.js';
import { saveQueue, seenAmong, seenQueue, type Listener, type QueuedObject } from '../../play-queue/play-queues.js';
import { latestBookmarks, type BookmarkedObject } from '../../reads/bookmarks.reads.js';
import { songsByIds } from '../../reads/songs.reads.js';
import { episodesByIds } from '../../reads/podcasts.reads.js';
import { videosByIds } from '../../reads/videos.reads.js';
import { containerBody, type Body, type EnvelopeSource } from '../documents.js';
import { CompatError } from '../errors.js';
import { parseId, type CompatId, type CompatKind } from '../ids.js';
import { bookmarkObject, type CompatBookmark } from '../objects/bookmark.object.js';
import { fieldsOf, type CompatTable } from '../objects/fields.js';
import { playQueueByIndexObject, playQueueObject, type CompatPlayQueue } from '../objects/play-queue.object.js';
import type { PlayedEntry } from '../objects/played-entry.object.js';
import { anyId, optionalIndex, optionalMs, optionalText, requiredMs, textList } from '../parameters.js';
import { action, anybody, document, type Call, type UserCallBase } from './endpoint.js';

const toolsOf = ({ services, context, viewer }: UserCallBase): Bookmarker & Listener => ({ services, context, viewer });

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

/** The thing of an id that the caller may put a bookmark into. @throws CompatError 70 */
const bookmarked = async (call: UserCallBase, id: CompatId): Promise<BookmarkedObject> => {
  const object = objectOf(id);
  if (!object || !(await canBeBookmarked(toolsOf(call), object))) throw nothingThere();
  return object;
};

/** Of several bookmarks in the same thing, which clients of the native API may have put there, the latest: this API knows one per thing. */
const allBookmarks = async (call: UserCallBase): Promise<CompatBookmark[]> => {
  const { services, viewer, context } = call;
  const views = await latestBookmarks(services.db, viewer, bookmarkedTypes(services));
  const idsOf = (type: string): number[] => views.filter((view) => view.objectType === type).map((view) => view.objectId);
  const [songs, videos, episodes] = await Promise.all([
    songsByIds(services.db, idsOf('song'), viewer),
    videosByIds(services.db, idsOf('video'), viewer),
    episodesByIds(services.db, idsOf('podcast_episode'), viewer),
  ]);
  const entries = new Map<string, PlayedEntry>([
    ...songs.map((song) => [`song-${song.doc.id}`, { song }] as const),
    ...videos.map((video) => [`video-${video.id}`, { video }] as const),
    ...episodes.map((episode) => [`podcast_episode-${episode.id}`, { episode }] as const),
  ]);
  const { username } = context.caller.account;
  return views.flatMap((view) => {
    const entry = entries.get(`${view.objectType}-${view.objectId}`);
    return entry ? [{ view, username, entry }] : [];
  });
};

/** Comments are short; what is beyond is cut off. */
const comment = optionalText.transform((text) => (text ?? '').trim().toWellFormed().slice(0, MAX_BOOKMARK_LABEL));

/** An object in the envelope, or none at all. */
const optionalBody = <S>(name: string, table: CompatTable<S>): Body<{ readonly of?: S | undefined }> =>
  fieldsOf<EnvelopeSource<{ readonly of?: S | undefined }>>().one(name, table, ({ payload }) => payload?.of);

// Dates of 0 are left out as unknown, and the schema asks for one.
const NEVER_SAVED = { entries: [], currentIndex: undefined, positionMs: 0, changedAtMs: 1, changedBy: '' } as const;

/**
 * The caller's queue. An empty one is an envelope without payload in the legacy form (compat facts, section 6). The extended one, whose schema asks for the queue, says when and by
 * whom it was cleared; one that nobody ever saved is as old as can be, so that a client's own is always newer.
 */
const ownQueue = async (call: UserCallBase): Promise<{ readonly of?: CompatPlayQueue | undefined }> => {
  const seen = await seenQueue(toolsOf(call));
  if (call.policy.name === 'legacy' && !seen?.entries.length) return {};
  return { of: { ...(seen ?? NEVER_SAVED), username: call.context.caller.account.username } };
};

interface SavedQueue {
  readonly id: readonly string[];
  readonly position: number | undefined;
}

/** What ids name, undefined for what cannot be in a queue. @throws CompatError 10 for too many */
const objectsOf = (texts: readonly string[]): (QueuedObject | undefined)[] => {
  if (texts.length > MAX_PLAY_QUEUE) throw new CompatError(10, `At most ${MAX_PLAY_QUEUE} things fit into a play queue`);
  return texts.map((text) => {
    const id = parseId(text, 'song');
    return id && objectOf(id);
  });
};

/** Saves a queue whose current thing is at an index of the ids. Others that nobody knows are skipped. @throws CompatError 70 when it is the current one */
const save = async (call: Call<SavedQueue>, objects: readonly (QueuedObject | undefined)[], current: number): Promise<void> => {
  const tools = toolsOf(call);
  const isSeen = await seenAmong(
    tools,
    objects.filter((object) => object !== undefined),
  );
  const isKept = (object: QueuedObject | undefined): object is QueuedObject => object !== undefined && isSeen(object);
  if (!isKept(objects[current])) throw nothingThere();
  const kept = objects.filter(isKept);
  const turns = kept.filter(({ objectType }, index) => objectType !== kept[index - 1]?.objectType).length;
  if (turns > MAX_PLAY_QUEUE_RUNS) throw new CompatError(10, 'Songs, videos and episodes take turns too often in this play queue');
  const currentIndex = objects.slice(0, current).filter(isKept).length;
  await saveQueue(tools, { objects: kept, currentIndex, positionMs: call.params.position ?? 0 });
};

const clear = (call: UserCallBase): Promise<void> => saveQueue(toolsOf(call), { objects: [], currentIndex: 0, positionMs: 0 });

const saveById = async (call: Call<SavedQueue & { readonly current: string | undefined }>): Promise<void> => {
  const { id, current } = call.params;
  if (id.length === 0) return clear(call);
  if (current === undefined) throw new CompatError(10, 'Required parameter is missing: current');
  const objects = objectsOf(id);
  const [wanted] = objectsOf([current]);
  const index = wanted ? objects.findIndex((one) => one?.objectType === wanted.objectType && one.objectId === wanted.objectId) : -1;
  if (index >= 0) return save(call, objects, index);
  const isKnown = wanted !== undefined && (await seenAmong(toolsOf(call), [wanted]))(wanted);
  throw isKnown ? new CompatError(10, 'Parameter current must be one of the ids') : nothingThere();
};

const saveByIndex = async (call: Call<SavedQueue & { readonly currentIndex: number | undefined }>): Promise<void> => {
  const { id, currentIndex } = call.params;
  if (id.length === 0 && currentIndex === undefined) return clear(call);
  if (id.length > 0 && currentIndex === undefined) throw new CompatError(10, 'Required parameter is missing: currentIndex');
  if (id.length === 0) throw new CompatError(10, 'Parameter currentIndex needs ids');
  if (currentIndex === undefined || currentIndex >= id.length)
    throw new CompatError(10, `Parameter currentIndex must be below ${id.length}, the number of ids`);
  return save(call, objectsOf(id), currentIndex);
};

/** Where people stopped: bookmarks and play queues (compat facts, section 8.7). */
export const bookmarkEndpoints = {
  getBookmarks: document({
    access: anybody,
    params: {},
    body: containerBody('bookmarks', 'bookmark', bookmarkObject),
    answer: allBookmarks,
  }),
  createBookmark: action({
    access: anybody,
    params: { id: anyId('song'), position: requiredMs, comment },
    act: async (call) => {
      const { id, position, comment: label } = call.params;
      const object = await bookmarked(call, id);
      await putBookmark(toolsOf(call), object, { label, isApart: false, positionMs: position, atMs: call.services.now() });
    },
  }),
  deleteBookmark: action({
    access: anybody,
    params: { id: anyId('song') },
    act: async (call) => {
      const ids = await ownBookmarkIds(toolsOf(call), { object: await bookmarked(call, call.params.id) }, 'id');
      if (ids.length === 0) throw new CompatError(70, 'There is no bookmark in this');
      await dropBookmarks(toolsOf(call), ids);
    },
  }),
  getPlayQueue: document({ access: anybody, params: {}, body: optionalBody('playQueue', playQueueObject), answer: ownQueue }),
  getPlayQueueByIndex: document({
    access: anybody,
    params: {},
    body: optionalBody('playQueueByIndex', playQueueByIndexObject),
    answer: ownQueue,
  }),
  savePlayQueue: action({ access: anybody, params: { id: textList, current: optionalText, position: optionalMs }, act: saveById }),
  savePlayQueueByIndex: action({
    access: anybody,
    params: { id: textList, currentIndex: optionalIndex, position: optionalMs },
    act: saveByIndex,
  }),
} as const;
