import { createHash } from 'node:crypto';
import { isErrorCode, Rejection, type WorkerAvailability, type TranscodeRequest } from '@continuo/contracts';

/** Availability of a worker that can serve the request. */
export type AbleWorker = Exclude<WorkerAvailability, { state: 'busy' } | { state: 'unable' }>;

const isAble = (availability: WorkerAvailability): availability is AbleWorker =>
  availability.state !== 'busy' && availability.state !== 'unable';

/** Avoids no worker. */
const nobody = (): boolean => false;

/** Order of preference. */
const RANK = { finished: 0, growing: 1, free: 2 } as const;

/** Hash of a request and a worker, the same in every gateway (rendezvous hashing): the workers' order differs from request to request, so that the work is spread. */
const drawn = (request: string, workerId: string): string => createHash('sha256').update(`${request}\n${workerId}`).digest('hex');

/**
 * Orders the workers that can serve a request, best first: those that have it, then those that make it, then those with most free slots. Among equals every gateway comes to the
 * same order, so that the same request at the same moment meets on one worker. Avoided workers come last.
 */
export const orderWorkers = (
  availabilities: readonly WorkerAvailability[],
  request: TranscodeRequest,
  isAvoided: (workerId: string) => boolean = nobody,
): readonly AbleWorker[] => {
  const text = JSON.stringify([request.source.catalogPath, request.source.path, request.target]);
  const freeOf = (availability: AbleWorker): number => (availability.state === 'free' ? availability.freeSlots : 0);
  return availabilities
    .filter(isAble)
    .map((availability) => ({ availability, drawn: drawn(text, availability.workerId), avoided: Number(isAvoided(availability.workerId)) }))
    .toSorted(
      (a, b) =>
        a.avoided - b.avoided ||
        RANK[a.availability.state] - RANK[b.availability.state] ||
        freeOf(b.availability) - freeOf(a.availability) ||
        (a.drawn < b.drawn ? -1 : Number(a.drawn > b.drawn)),
    )
    .map(({ availability }) => availability);
};

/** Builds the rejection when no worker serves the request: the shortest wait when a worker is busy, else the workers' own reason. */
export const refusalOf = (availabilities: readonly WorkerAvailability[]): Rejection => {
  const waits = availabilities.flatMap((availability) => (availability.state === 'busy' ? availability.retryAfterSeconds : []));
  if (waits.length > 0) return busy(Math.min(...waits));
  const [unable] = availabilities.flatMap((availability) => (availability.state === 'unable' ? availability : []));
  if (unable) return new Rejection(isErrorCode(unable.code) ? unable.code : 'internal', unable.message);
  return new Rejection('unavailable', 'no transcoding worker answers');
};

/** Builds the rejection when all slots are taken; its subject is the seconds for `Retry-After`. */
export const busy = (retryAfterSeconds: number): Rejection => new Rejection('transcode.busy', undefined, String(retryAfterSeconds));
