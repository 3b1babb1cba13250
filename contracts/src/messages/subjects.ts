import CRC32 from 'crc-32';
import { z } from 'zod';

/** The bounded contexts that own a stream or answer commands. */
export type Context = 'library' | 'playback' | 'identity' | 'social' | 'ingest' | 'transcode' | 'sonic';

/** Event streams by context. `EV_IDENTITY` is the only one that carries personal data. */
export const eventStreams = {
  library: 'EV_LIBRARY',
  playback: 'EV_PLAYBACK',
  identity: 'EV_IDENTITY',
  social: 'EV_SOCIAL',
  ingest: 'EV_INGEST',
  transcode: 'EV_TRANSCODE',
  sonic: 'EV_SONIC',
} as const satisfies Record<Context, string>;

export const eventStreamName = z.enum(Object.values(eventStreams));
export type EventStreamName = z.infer<typeof eventStreamName>;

/** Work queues: one message per piece of long work, gone when acknowledged. */
export const jobStreams = { ingest: 'JOBS_INGEST', transcode: 'JOBS_TRANSCODE', sonic: 'JOBS_SONIC' } as const;
export type JobContext = keyof typeof jobStreams;

/** Dead letters: messages that nobody could handle, kept for an operator to inspect and replay. */
export const DEAD_LETTER_STREAM = 'DEAD_LETTERS';

const PARTITIONS = 16;

/**
 * The frozen partition of an aggregate id, `00` to `15`: the low four bits of the CRC-32 of its text. It never changes for an id,
 * so that projections can be split by partition later without moving a subject.
 */
export const partitionOf = (aggregateId: string): string => String((CRC32.str(aggregateId) >>> 0) & (PARTITIONS - 1)).padStart(2, '0');

/** The subject of one aggregate's events: `ev.<ctx>.<partition>.<aggregate>.<id>`. */
export const eventSubject = (context: Context, aggregate: string, aggregateId: string | number): string => {
  const id = String(aggregateId);
  return `ev.${context}.${partitionOf(id)}.${aggregate}.${id}`;
};

/** Every event of one context. */
export const allEventsOf = (context: Context): string => `ev.${context}.>`;

/** The request subject of a command: `cmd.<ctx>.<verb>`. */
export const commandSubject = (context: Context, verb: string): string => `cmd.${context}.${verb}`;

/** The work-queue subject of a kind of job: `jobs.<ctx>.<kind>`. */
export const jobSubject = (context: JobContext, kind: string): string => `jobs.${context}.${kind}`;

/** Core-NATS notice that a projection has committed up to a position. */
export const projectedSubject = (projection: string): string => `projected.${projection}`;

/** Core-NATS notice, with a {@link ReadersWaitNotice}, that somebody waits until projections of a stream show an event: they hurry for a while. */
export const readersWaitSubject = (stream: EventStreamName | '*'): string => `projections.awaited.${stream}`;

/** Core-NATS notice that projections of a stream handle nothing up to a position. */
export const passedSubject = (stream: EventStreamName | '*'): string => `passed.${stream}`;
