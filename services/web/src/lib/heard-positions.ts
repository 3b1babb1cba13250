import { api, ApiError, content } from './api.js';

/** Kinds whose positions are kept: what is long and heard in parts. */
export type LongKind = 'podcast_episode' | 'video';

const NOT_THERE = '4704';
/** So close to the end nothing is left to go on with, s. */
const NEARLY_OVER_S = 15;

const answerOf = (kind: LongKind, id: string) =>
  kind === 'video'
    ? api.GET('/videos/{video_id}/bookmark', { params: { path: { video_id: id } } })
    : api.GET('/podcast-episodes/{episode_id}/bookmark', { params: { path: { episode_id: id } } });

/** Answers null where there is no bookmark. */
const unlessAbsent = async <T>(asking: Promise<T>): Promise<T | null> => {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ApiError && error.code === NOT_THERE) return null;
    throw error;
  }
};

/** Position at which something was left, s; 0 when it was not. The server keeps it as a bookmark. @throws ApiError */
export const heardPosition = async (kind: LongKind, id: string): Promise<number> => {
  const answer = await unlessAbsent(content(answerOf(kind, id)));
  return answer && 'position' in answer ? answer.position : 0;
};

const forget = async (kind: LongKind, id: string): Promise<void> => {
  const options = { keepalive: true } as const;
  await unlessAbsent(
    content(
      kind === 'video'
        ? api.DELETE('/videos/{video_id}/bookmark', { ...options, params: { path: { video_id: id } } })
        : api.DELETE('/podcast-episodes/{episode_id}/bookmark', { ...options, params: { path: { episode_id: id } } }),
    ),
  );
};

/** Keeps where something is, s, or forgets it at its end. It works while the page is left, too. @throws ApiError */
export const keepHeardPosition = async (kind: LongKind, id: string, { positionS, durationS }: HeardPosition): Promise<void> => {
  if (durationS > 0 && positionS > durationS - NEARLY_OVER_S) return forget(kind, id);
  const options = { body: { position: String(Math.floor(positionS)) }, keepalive: true } as const;
  await content(
    kind === 'video'
      ? api.PUT('/videos/{video_id}/bookmark', { ...options, params: { path: { video_id: id } } })
      : api.PUT('/podcast-episodes/{episode_id}/bookmark', { ...options, params: { path: { episode_id: id } } }),
  );
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
