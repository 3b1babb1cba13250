import { savePlayQueue, type PlayQueueRun } from '@continuo/contracts';
import { runCommand } from '../../server/commands.js';
import type { CallerWith } from '../../server/requests/request-context.js';
import { playQueueOf } from '../../reads/plays/play-queues.reads.js';
import {
  idsOfType,
  playedObjectKey,
  playedObjects,
  type PlayedObject,
  type PlayedObjectView,
} from '../../reads/plays/played-objects.reads.js';
import { episodesByIds } from '../../reads/podcasts/podcasts.reads.js';
import { visibleSongs } from '../../reads/playlists/playlist-songs.reads.js';
import { videosByIds } from '../../reads/library/videos.reads.js';
import { flowOf, type Flow } from '../../render/flow.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasCommands, HasConfig } from '../../server/needs.js';

/** Owner of a play queue. */
export type Listener = CallerWith<HasReadModel & HasCommands & HasConfig>;

/** An object in a queue. */
export type QueuedObject = PlayedObject;

/** A queue as its owner sees it. */
export interface VisibleQueue {
  /** Read while they are written: a queue may have tens of thousands. */
  readonly entries: Flow<PlayedObjectView>;
  /** Ids of its songs from the current object on; videos and episodes are left out. */
  readonly songIds: readonly number[];
  /** The object that plays; undefined when none is left. */
  readonly current: QueuedObject | undefined;
  /** Its index among the entries. */
  readonly currentIndex: number | undefined;
  readonly positionMs: number;
  readonly changedAtMs: number;
  readonly changedBy: string;
  /** Source, order and device of the queue in the form of the client that saved it. */
  readonly context: string | undefined;
}

/** Finds the visible ones of some objects, with three queries. */
export const findVisible = async (
  { services, viewer }: Listener,
  objects: readonly QueuedObject[],
): Promise<(object: QueuedObject) => boolean> => {
  const [songs, videos, episodes] = await Promise.all([
    visibleSongs(services.db, idsOfType(objects, 'song'), viewer),
    services.config.ALLOW_VIDEO ? videosByIds(services.db, idsOfType(objects, 'video'), viewer) : [],
    services.config.PODCAST ? episodesByIds(services.db, idsOfType(objects, 'podcast_episode'), viewer) : [],
  ]);
  const seen = new Set([
    ...songs.map((id) => `song-${id}`),
    ...videos.map(({ id }) => `video-${id}`),
    ...episodes.map(({ id }) => `podcast_episode-${id}`),
  ]);
  return (object) => seen.has(playedObjectKey(object));
};

const runsOf = (objects: readonly QueuedObject[]): PlayQueueRun[] => {
  const runs: PlayQueueRun[] = [];
  for (const { objectType, objectId } of objects) {
    const last = runs.at(-1);
    if (last?.objectType === objectType) last.ids.push(objectId);
    else runs.push({ objectType, ids: [objectId] });
  }
  return runs;
};

/** Longest client name that is stored. */
const MAX_CLIENT = 255;

/** Replaces the caller's queue; an empty one clears it. The caller has checked that all objects are visible. */
export const saveQueue = async (
  { services, context, viewer }: Listener,
  queue: {
    readonly objects: readonly QueuedObject[];
    readonly currentIndex: number;
    readonly positionMs: number;
    readonly context?: string;
  },
): Promise<void> => {
  await runCommand(services, context, savePlayQueue, {
    userId: viewer.userId,
    runs: runsOf(queue.objects),
    currentIndex: queue.currentIndex,
    positionMs: queue.positionMs,
    client: context.caller.client.toWellFormed().slice(0, MAX_CLIENT),
    ...(queue.context === undefined ? {} : { context: queue.context }),
  });
};

/**
 * The caller's queue without deleted and hidden objects. If the current one is among them, the next remaining one plays from its start, or
 * else the last one.
 */
export const readQueue = async (listener: Listener): Promise<VisibleQueue | undefined> => {
  const { services, viewer } = listener;
  const saved = await playQueueOf(services.db, viewer);
  if (!saved) return undefined;
  const objects = saved.runs.flatMap(({ objectType, ids }) => ids.map((objectId) => ({ objectType, objectId })));
  const isVisible = await findVisible(listener, objects);
  const left = objects.flatMap((object, index) => (isVisible(object) ? [{ object, index }] : []));
  const at = left.findIndex(({ index }) => index >= saved.currentIndex);
  const currentIndex = left.length === 0 ? undefined : at < 0 ? left.length - 1 : at;
  const current = currentIndex === undefined ? undefined : left[currentIndex];
  const readEntries = async (indices: Int32Array): Promise<PlayedObjectView[]> => {
    const batch = Array.from(indices).flatMap((index) => left[index]?.object ?? []);
    const viewOf = await playedObjects(services.db, viewer, batch);
    return batch.flatMap((object) => viewOf(object) ?? []);
  };
  return {
    entries: flowOf(left.keys().toArray(), readEntries),
    songIds: left.slice(currentIndex ?? 0).flatMap(({ object }) => (object.objectType === 'song' ? [object.objectId] : [])),
    current: current?.object,
    currentIndex,
    positionMs: current?.index === saved.currentIndex ? saved.positionMs : 0,
    changedAtMs: saved.changedAtMs,
    changedBy: saved.client,
    context: saved.context ?? undefined,
  };
};
