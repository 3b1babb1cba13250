import { savePlayQueue, type PlayableType, type PlayQueueRun } from '@continuo/contracts';
import { runCommand } from '../commands.js';
import type { CallerContext } from '../http/request-context.js';
import { playQueueOf } from '../reads/play-queues.reads.js';
import { episodesByIds, type EpisodeView } from '../reads/podcasts.reads.js';
import { visibleSongs } from '../reads/playlist-songs.reads.js';
import { songsByIds, type SongView } from '../reads/songs.reads.js';
import { videosByIds, type VideoView } from '../reads/videos.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';

/** Whose queue it is, and over what it goes. */
export interface Listener {
  readonly services: Pick<GatewayServices, 'db' | 'commands' | 'watch' | 'config'>;
  readonly context: CallerContext;
  readonly viewer: Viewer;
}

/** One thing in a queue. */
export interface QueuedObject {
  readonly objectType: PlayableType;
  readonly objectId: number;
}

/** One thing of a queue that is there for its listener. */
export interface QueuedView {
  readonly song?: SongView;
  readonly video?: VideoView;
  readonly episode?: EpisodeView;
}

/** A queue as its listener sees it. */
export interface SeenQueue {
  readonly entries: readonly QueuedView[];
  /** Index among the entries; undefined when none is left. */
  readonly currentIndex: number | undefined;
  readonly positionMs: number;
  readonly changedAtMs: number;
  readonly changedBy: string;
}

const idsOf = (objects: readonly QueuedObject[], type: PlayableType): number[] => [
  ...new Set(objects.filter(({ objectType }) => objectType === type).map(({ objectId }) => objectId)),
];

const keyOf = ({ objectType, objectId }: QueuedObject): string => `${objectType}-${objectId}`;

/** Says of some things whether they are there for the listener: three statements whatever their number. */
export const seenAmong = async (
  { services, viewer }: Listener,
  objects: readonly QueuedObject[],
): Promise<(object: QueuedObject) => boolean> => {
  const [songs, videos, episodes] = await Promise.all([
    visibleSongs(services.db, idsOf(objects, 'song'), viewer),
    services.config.ALLOW_VIDEO ? videosByIds(services.db, idsOf(objects, 'video'), viewer) : [],
    services.config.PODCAST ? episodesByIds(services.db, idsOf(objects, 'podcast_episode'), viewer) : [],
  ]);
  const seen = new Set([
    ...songs.map((id) => `song-${id}`),
    ...videos.map(({ id }) => `video-${id}`),
    ...episodes.map(({ id }) => `podcast_episode-${id}`),
  ]);
  return (object) => seen.has(keyOf(object));
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

/** As many characters of a client's name as are kept. */
const MAX_CLIENT = 255;

/** Makes this the caller's queue; an empty one clears it. Whoever asks has looked that everything in it is there. */
export const saveQueue = async (
  { services, context, viewer }: Listener,
  queue: { readonly objects: readonly QueuedObject[]; readonly currentIndex: number; readonly positionMs: number },
): Promise<void> => {
  await runCommand(services, context, savePlayQueue, {
    userId: viewer.userId,
    runs: runsOf(queue.objects),
    currentIndex: queue.currentIndex,
    positionMs: queue.positionMs,
    client: context.caller.client.toWellFormed().slice(0, MAX_CLIENT),
  });
};

/**
 * The caller's queue without what is gone or hidden. Where what was playing is among that, the next one that is left plays from its beginning, or else the last one.
 */
export const seenQueue = async ({ services, viewer }: Listener): Promise<SeenQueue | undefined> => {
  const saved = await playQueueOf(services.db, viewer);
  if (!saved) return undefined;
  const objects = saved.runs.flatMap(({ objectType, ids }) => ids.map((objectId) => ({ objectType, objectId })));
  const [songs, videos, episodes] = await Promise.all([
    songsByIds(services.db, idsOf(objects, 'song'), viewer),
    services.config.ALLOW_VIDEO ? videosByIds(services.db, idsOf(objects, 'video'), viewer) : [],
    services.config.PODCAST ? episodesByIds(services.db, idsOf(objects, 'podcast_episode'), viewer) : [],
  ]);
  const known = new Map<string, QueuedView>([
    ...songs.map((song) => [`song-${song.doc.id}`, { song }] as const),
    ...videos.map((video) => [`video-${video.id}`, { video }] as const),
    ...episodes.map((episode) => [`podcast_episode-${episode.id}`, { episode }] as const),
  ]);
  const left = objects.flatMap((object, index) => {
    const view = known.get(keyOf(object));
    return view ? [{ view, index }] : [];
  });
  const at = left.findIndex(({ index }) => index >= saved.currentIndex);
  const currentIndex = left.length === 0 ? undefined : at < 0 ? left.length - 1 : at;
  const stays = currentIndex !== undefined && left[currentIndex]?.index === saved.currentIndex;
  return {
    entries: left.map(({ view }) => view),
    currentIndex,
    positionMs: stays ? saved.positionMs : 0,
    changedAtMs: saved.changedAtMs,
    changedBy: saved.client,
  };
};
