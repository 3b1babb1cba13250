import type { SoundTable } from '../neighbours/sound-table.js';

/** A way to be found. */
export interface PathRequest {
  readonly fromSongId: number;
  readonly toSongId: number;
  /** Songs of the whole way, both ends included. */
  readonly count: number;
  readonly catalogs: 'all' | readonly number[];
}

/** Songs near a step, of which the one that follows best from the song before is taken. */
const CANDIDATES = 12;
/** Weight of the distance from the previous song. */
const FLOW = 0.5;

const between = (from: Float32Array, to: Float32Array, share: number): Float32Array =>
  from.map((value, n) => value + ((to[n] as number) - value) * share);

/**
 * Songs on the straight way from one sound to another: for each step the one that lies near it and near the song before, none twice. Shorter than asked for when there are not enough
 * songs. Calls `breathe` between two steps.
 */
export const soundPath = async (
  table: SoundTable,
  { fromSongId, toSongId, count, catalogs }: PathRequest,
  breathe: () => Promise<void>,
): Promise<number[]> => {
  const [from, to] = [table.vectorOf(fromSongId), table.vectorOf(toSongId)];
  if (!from || !to) return [];
  if (fromSongId === toSongId) return [fromSongId];
  const way = [fromSongId];
  const without = new Set([fromSongId, toSongId]);
  let before = from;
  for (let step = 1; step < count - 1; step += 1) {
    await breathe();
    const near = table.nearest(between(from, to, step / (count - 1)), { count: CANDIDATES, catalogs, without });
    const flows = near.map(({ songId, distance }) => ({ songId, cost: distance + FLOW * (table.distanceOf(songId, before) ?? 0) }));
    const [best] = flows.toSorted((a, b) => a.cost - b.cost || a.songId - b.songId);
    if (!best) break;
    way.push(best.songId);
    without.add(best.songId);
    before = table.vectorOf(best.songId) ?? before;
  }
  return [...way, toSongId];
};
