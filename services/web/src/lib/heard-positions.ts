import { api, ApiError, content } from './api.js';
import { thing } from './things.js';

/** Kinds whose positions are kept: what is long and heard in parts. */
export type LongKind = 'podcast_episode' | 'video';

const NOT_THERE = '4704';
/** So close to the end nothing is left to go on with, s. */
const NEARLY_OVER_S = 15;

/** Answers null where there is no bookmark. */
const unlessAbsent = async <T>(asking: Promise<T>): Promise<T | null> => {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ApiError && error.code === NOT_THERE) return null;
    throw error;
  }
};

/** The position that is on its way to the server, and those before it. */
let keeping: Promise<unknown> = Promise.resolve();

/** Position at which something was left, s; 0 when it was not. The server keeps it as a bookmark. @throws ApiError */
export const heardPosition = async (kind: LongKind, id: string): Promise<number> => {
  // Who leaves something and comes back at once would be told of the time before.
  await keeping;
  const [path, params] = thing(kind, id, '/bookmark');
  const answer = await unlessAbsent(content(api.GET(path, { params })));
  return answer && 'position' in answer ? answer.position : 0;
};

/** Keeps where something is, s, or forgets it at its end. It works while the page is left, too. @throws ApiError */
export const keepHeardPosition = (kind: LongKind, id: string, { positionS, durationS }: HeardPosition): Promise<unknown> => {
  const [path, params] = thing(kind, id, '/bookmark');
  const isOver = durationS > 0 && positionS > durationS - NEARLY_OVER_S;
  const kept = isOver
    ? unlessAbsent(content(api.DELETE(path, { params, keepalive: true })))
    : content(api.PUT(path, { params, keepalive: true, body: { position: String(Math.floor(positionS)) } }));
  keeping = Promise.allSettled([keeping, kept]);
  return kept;
};

/** Tells the server that something is heard since some seconds, or no longer. It works while the page is left, too. @throws ApiError */
export const reportPlayback = async (kind: LongKind | 'song', id: string, state: 'play' | 'stop', playedS: number): Promise<void> => {
  const [path, params] = thing(kind, id, '/playback');
  await content(api.POST(path, { params, keepalive: true, body: { state, time: String(Math.floor(playedS)) } }));
};

/** Where something is, and how long it is; NaN while that is not known. */
export interface HeardPosition {
  readonly positionS: number;
  readonly durationS: number;
}

/** Positions at which things of a kind were left, s, by id. */
export const heardPositionsQuery = (kind: LongKind) => ({
  queryKey: ['positions', kind],
  queryFn: async (): Promise<ReadonlyMap<string, number>> => {
    const { bookmark } = await content(api.GET('/bookmarks', { params: { query: { limit: 'none' } } }));
    return new Map(bookmark.filter((one) => one.object_type === kind).map((one) => [one.object_id, one.position]));
  },
});
