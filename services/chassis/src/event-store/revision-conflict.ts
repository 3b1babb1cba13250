import { poll } from '../retry.js';

/**
 * Wrong last revision: somebody else has written meanwhile, or, in a cluster, is writing at this moment.
 * https://github.com/nats-io/nats-server/blob/main/server/errors.json
 */
const CONFLICTS: ReadonlySet<unknown> = new Set([10_071, 10_164]);

const SHOWS_WITHIN_MS = 5000;
const PAUSE_MS = 100;

/** True for an error that says that an entry of a bucket is not at the revision that was expected. */
export const isRevisionConflict = (error: unknown): boolean => CONFLICTS.has(((error ?? {}) as { code?: unknown }).code);

/**
 * Reads what another writer created first. In a cluster it becomes visible when most servers have it, a moment after the conflict.
 * @param conflict why our own was not taken
 * @throws the conflict when there is nothing, or nothing comes of what was in the way
 */
export const winnerOf = async <T>(conflict: unknown, read: () => Promise<T | undefined>): Promise<T> => {
  const winner = await poll(read, { everyMs: PAUSE_MS, withinMs: isRevisionConflict(conflict) ? SHOWS_WITHIN_MS : 0 });
  if (winner === undefined) throw conflict;
  return winner;
};
