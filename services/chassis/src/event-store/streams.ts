import { randomUUID } from 'node:crypto';
import { allEventsOf, eventStreams, type Context, type EventStreamName } from '@continuo/contracts';
import { DiscardPolicy, RetentionPolicy, StorageType, StoreCompression, type JetStreamManager } from '@nats-io/jetstream';
import { ensureStream } from './ensure-stream.js';

/** Metadata key of a stream's epoch: a random mark given at creation, so that checkpoints of another life of the stream are recognised. */
const EPOCH_KEY = 'continuo-epoch';
const DUPLICATE_WINDOW_NS = 120 * 1e9;

/** The settings of every event stream: kept for ever, on disk, uncompressed (compression makes random reads fifty times slower). */
const settings = (context: Context, replicas: number) => ({
  subjects: [allEventsOf(context)],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  compression: StoreCompression.None,
  discard: DiscardPolicy.New,
  num_replicas: replicas,
  duplicate_window: DUPLICATE_WINDOW_NS,
  allow_direct: true,
  allow_atomic: true,
  deny_delete: true,
});

/** Creates the event streams of the contexts where they are missing; safe when several services do it at once. */
export const ensureEventStreams = async (manager: JetStreamManager, contexts: readonly Context[], replicas: number): Promise<void> => {
  for (const context of contexts) {
    await ensureStream(manager, {
      name: eventStreams[context],
      ...settings(context, replicas),
      metadata: { [EPOCH_KEY]: randomUUID() },
    });
  }
};

/** The life of a stream that positions belong to, and its last position. */
export const streamState = async (manager: JetStreamManager, stream: EventStreamName): Promise<{ epoch: string; lastPosition: number }> => {
  const info = await manager.streams.info(stream);
  const epoch = info.config.metadata?.[EPOCH_KEY];
  if (!epoch) throw new Error(`${stream} was not created by this server: it carries no epoch`);
  return { epoch, lastPosition: info.state.last_seq };
};

/**
 * The mark of the owned streams' present life, read once. A service keeps snapshots for the aggregates of its own contexts only; when one of its
 * streams begins a new life, all its snapshots are ignored. A read that fails is not remembered: NATS may be back at the next one.
 */
export const epochReader = (manager: JetStreamManager, streams: readonly EventStreamName[]): (() => Promise<string>) => {
  let epoch: Promise<string> | undefined;
  const read = async (): Promise<string> => {
    const states = await Promise.all(streams.map((stream) => streamState(manager, stream)));
    return states.map((state) => state.epoch).join(' ');
  };
  return () => {
    if (epoch) return epoch;
    const reading = read();
    reading.catch(() => {
      if (epoch === reading) epoch = undefined;
    });
    epoch = reading;
    return reading;
  };
};
