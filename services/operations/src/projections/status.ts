import { eventStreams, type EventStreamName } from '@continuo/contracts';
import { streamExists, streamState, type EventStreamState } from '@continuo/chassis';
import { sql } from 'kysely';
import type { Session } from '../connect/session.js';

/** One generation of a projection and how far it is behind its log. */
export interface ProjectionState {
  readonly name: string;
  readonly version: number;
  readonly generation: number;
  readonly state: 'building' | 'live';
  readonly stream: EventStreamName;
  readonly position: number;
  /** Last position of the stream that can be read; null when the stream is missing. */
  readonly lastPosition: number | null;
  readonly lagEvents: number | null;
  /** Fault: another incarnation of the log, or a position beyond its end. */
  readonly fault: string | null;
}

interface Row {
  name: string;
  version: number;
  generation: number;
  state: 'building' | 'live';
  stream: EventStreamName;
  epoch: string;
  position: number;
}

/** The epoch and end of a stream; undefined when it does not exist. */
export type StreamEnd = Pick<EventStreamState, 'epoch' | 'lastPosition' | 'lastReadable'> | undefined;

/** Compares a generation with its stream. */
export const judge = (row: Row, end: StreamEnd): ProjectionState => {
  const { name, version, generation, state, stream, position } = row;
  const base = { name, version, generation, state, stream, position };
  if (!end) return { ...base, lastPosition: null, lagEvents: null, fault: `${stream} is missing` };
  const beyond = position > end.lastPosition;
  const fault =
    row.epoch === end.epoch ? (beyond ? 'position lies beyond the end of the log' : null) : 'belongs to another incarnation of the log';
  return { ...base, lastPosition: end.lastReadable, lagEvents: Math.max(0, end.lastReadable - position), fault };
};

/** The ends of all event streams. @throws Error when NATS does not answer: that is not a missing stream. */
export const streamEnds = async ({ manager }: Pick<Session, 'manager'>): Promise<Map<EventStreamName, StreamEnd>> => {
  const ends = new Map<EventStreamName, StreamEnd>();
  for (const stream of Object.values(eventStreams)) {
    ends.set(stream, (await streamExists(manager, stream)) ? await streamState(manager, stream) : undefined);
  }
  return ends;
};

/** Every projection that is live or being built. */
export const projectionStates = async (session: Pick<Session, 'db' | 'manager'>): Promise<ProjectionState[]> => {
  const ends = await streamEnds(session);
  const { rows } = await sql<Row>`
    select name, version, generation, state, stream, epoch, position from chassis.projection_checkpoint
    where state <> 'retired' order by name, version, generation`.execute(session.db);
  return rows.map((row) => judge(row, ends.get(row.stream)));
};
