import { createHash } from 'node:crypto';
import { isErrorCode, Rejection, type TranscodeStanding, type TranscodeWish } from '@continuo/contracts';

/** A worker that can take the wish. */
export type AbleStanding = Exclude<TranscodeStanding, { state: 'busy' } | { state: 'unable' }>;

const isAble = (standing: TranscodeStanding): standing is AbleStanding => standing.state !== 'busy' && standing.state !== 'unable';

/** Nobody is avoided. */
const nobody = (): boolean => false;

/** What it has, what it makes, what it could make. */
const RANK = { finished: 0, growing: 1, free: 2 } as const;

/** A number that every gateway finds alike for a wish and a worker (rendezvous hashing): the workers' order differs from wish to wish, so that the work is spread. */
const drawn = (wish: string, workerId: string): string => createHash('sha256').update(`${wish}\n${workerId}`).digest('hex');

/**
 * The workers that can take a wish, best first: who holds it, then who makes it, then who has most places free. Among equals every gateway comes to the
 * same order, so that the same wish at the same moment meets on one worker. Those that `isAvoided` tells of come last.
 */
export const inOrder = (
  standings: readonly TranscodeStanding[],
  wish: TranscodeWish,
  isAvoided: (workerId: string) => boolean = nobody,
): readonly AbleStanding[] => {
  const text = JSON.stringify([wish.source.catalogPath, wish.source.path, wish.target]);
  const freeOf = (standing: AbleStanding): number => (standing.state === 'free' ? standing.freeSlots : 0);
  return standings
    .filter(isAble)
    .map((standing) => ({ standing, drawn: drawn(text, standing.workerId), avoided: Number(isAvoided(standing.workerId)) }))
    .toSorted(
      (a, b) =>
        a.avoided - b.avoided ||
        RANK[a.standing.state] - RANK[b.standing.state] ||
        freeOf(b.standing) - freeOf(a.standing) ||
        (a.drawn < b.drawn ? -1 : Number(a.drawn > b.drawn)),
    )
    .map(({ standing }) => standing);
};

/** Why nobody takes the wish: the shortest time to wait when some worker is merely busy, else what the workers say of it. */
export const refusalOf = (standings: readonly TranscodeStanding[]): Rejection => {
  const waits = standings.flatMap((standing) => (standing.state === 'busy' ? standing.retryAfterSeconds : []));
  if (waits.length > 0) return busy(Math.min(...waits));
  const [unable] = standings.flatMap((standing) => (standing.state === 'unable' ? standing : []));
  if (unable) return new Rejection(isErrorCode(unable.code) ? unable.code : 'internal', unable.message);
  return new Rejection('unavailable', 'no transcoding worker answers');
};

/** Every place is taken; the subject is the seconds to wait, for `Retry-After`. */
export const busy = (retryAfterSeconds: number): Rejection => new Rejection('transcode.busy', undefined, String(retryAfterSeconds));
