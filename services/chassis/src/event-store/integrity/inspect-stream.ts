import type { EventStreamName } from '@continuo/contracts';
import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import { sql, type Kysely } from 'kysely';
import { stateOf, type EventStreamState } from '../streams.js';
import { describeGaps, gapsOf, joined, sizeOf, without, type Gap } from './gaps.js';

/** Of more missing positions the server's list would be longer than a message. */
const MOST_LISTED = 100_000;

/** Integrity of one event stream: its state, missing positions and lost end. */
export interface StreamIntegrity {
  readonly state: EventStreamState;
  /** True when several servers keep the stream, of which one may be behind the others. */
  readonly isReplicated: boolean;
  /** Positions that are missing and whose loss nobody has accepted. */
  readonly missing: readonly Gap[];
  /** The last position that tables were filled from, where it lies beyond the end of the stream. */
  readonly lostAfter?: { readonly last: number; readonly known: number };
}

/**
 * Compares what the server says of a stream with itself and with the checkpoints: event streams never delete, so they have as many messages as positions, and no table is ahead of them. What
 * the server has not noticed itself, such as a message that does not match its checksum, only reading shows.
 * @param found gaps that reading has shown
 */
export const inspectStream = async (
  { manager, db }: { readonly manager: JetStreamManager; readonly db: Kysely<unknown> },
  stream: EventStreamName,
  found: readonly Gap[] = [],
): Promise<StreamIntegrity> => {
  // The tables first: read after the stream, they could already hold an event that was appended in between.
  const furthest = await furthestCheckpoints(db, stream);
  const info = await manager.streams.info(stream);
  const state = stateOf(info);
  const missing = without([...(await countedGaps(manager, info)), ...found], state.acceptedLoss);
  const known = furthest.get(state.epoch) ?? 0;
  const lostAfter = known > state.lastPosition ? { last: state.lastPosition, known } : undefined;
  return { state, isReplicated: info.config.num_replicas > 1, missing, ...(lostAfter ? { lostAfter } : {}) };
};

/** Gaps of which the server itself knows. */
const countedGaps = async (manager: JetStreamManager, { config, state }: StreamInfo): Promise<Gap[]> => {
  const { first_seq, last_seq, messages } = state;
  const before = first_seq > 1 && last_seq > 0 ? [{ from: 1, to: Math.min(first_seq - 1, last_seq) }] : [];
  const count = Math.max(0, last_seq - Math.max(first_seq, 1) + 1) - messages;
  if (count <= 0) return before;
  if (count > MOST_LISTED) return joined([...before, { from: first_seq, to: last_seq }]);
  const { state: detailed } = await manager.streams.info(config.name, { deleted_details: true });
  const listed = gapsOf(detailed.deleted ?? []);
  return joined([...before, ...(listed.length > 0 ? listed : [{ from: first_seq, to: last_seq }])]);
};

/** Reads the furthest checkpoint of tables by incarnation (`epoch`) of the stream. */
const furthestCheckpoints = async (db: Kysely<unknown>, stream: EventStreamName): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await sql<{ epoch: string; position: number }>`
    select epoch, max(position)::bigint as position from chassis.projection_checkpoint
    where stream = ${stream} and state <> 'retired' group by epoch`.execute(db);
  return new Map(rows.map(({ epoch, position }) => [epoch, position]));
};

/** Positions that are missing, in words. */
export const missingText = (missing: readonly Gap[]): string =>
  sizeOf(missing) === 1 ? `position ${describeGaps(missing)} is missing` : `positions ${describeGaps(missing)} are missing`;

/** Describes the damage of a stream; undefined when it is whole. */
export const damageOf = ({ missing, lostAfter }: StreamIntegrity): string | undefined => {
  const parts = [
    ...(missing.length > 0 ? [missingText(missing)] : []),
    ...(lostAfter ? [`it ends at position ${lostAfter.last}, but tables were filled from it up to ${lostAfter.known}`] : []),
  ];
  return parts.length > 0 ? parts.join('; ') : undefined;
};
