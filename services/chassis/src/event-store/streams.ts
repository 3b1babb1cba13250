import { randomUUID } from 'node:crypto';
import { allEventsOf, eventStreams, type Context, type EventStreamName } from '@continuo/contracts';
import { DiscardPolicy, RetentionPolicy, StorageType, StoreCompression, type JetStreamManager, type StreamInfo } from '@nats-io/jetstream';
import { ensureStream } from './ensure-stream.js';
import { formatGaps, joined, parseGaps, type Gap } from './integrity/gaps.js';

/** Metadata key of a stream's epoch: a random mark given at creation, so that checkpoints of another incarnation of the stream are recognised. */
const EPOCH_KEY = 'continuo-epoch';
/** Metadata keys of what an operator has accepted to be lost. */
const ACCEPTED_LOSS_KEY = 'continuo-accepted-loss';
const ACCEPTED_INCARNATIONS_KEY = 'continuo-accepted-lives';
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

/** The incarnation of a stream that positions belong to, and where it stands. */
export interface EventStreamState {
  readonly epoch: string;
  readonly lastPosition: number;
  /** The last position that can still be read: it lies before a loss at the end that was accepted. */
  readonly lastReadable: number;
  /** Positions whose loss an operator has accepted, in order. */
  readonly acceptedLoss: readonly Gap[];
  /** Former incarnations of the stream, whose end an operator has accepted to be lost. */
  readonly acceptedIncarnations: readonly string[];
}

/** Positions whose loss an operator has accepted, in order, as the metadata of a stream have them. */
export const acceptedLossIn = (metadata: Readonly<Record<string, string>>): readonly Gap[] =>
  joined(parseGaps(metadata[ACCEPTED_LOSS_KEY] ?? ''));

/** @throws Error for a stream that was made by somebody else */
export const streamState = async (manager: JetStreamManager, stream: EventStreamName): Promise<EventStreamState> =>
  stateOf(await manager.streams.info(stream));

/** Returns the state of a stream from the server's answer. */
export const stateOf = ({ config, state }: StreamInfo): EventStreamState => {
  const metadata = config.metadata ?? {};
  const epoch = metadata[EPOCH_KEY];
  if (!epoch) throw new Error(`${config.name} was not created by this server: it carries no epoch`);
  const acceptedLoss = acceptedLossIn(metadata);
  const lost = acceptedLoss.at(-1);
  const lastReadable = lost && lost.to >= state.last_seq ? lost.from - 1 : state.last_seq;
  const acceptedIncarnations = (metadata[ACCEPTED_INCARNATIONS_KEY] ?? '').split(' ').filter(Boolean);
  return { epoch, lastPosition: state.last_seq, lastReadable, acceptedLoss, acceptedIncarnations };
};

/** Loss of a stream that an operator accepts. */
export interface AcceptedLoss {
  readonly gaps: readonly Gap[];
  /**
   * Incarnations of the stream of which tables hold what the log does not have any more. With its present one among them the end is lost and positions will be given anew: the stream then
   * begins another incarnation, so that nobody takes new events for the former ones.
   */
  readonly formerIncarnations: readonly string[];
}

/** Notes with the stream that a loss is accepted: readers go past the gaps from now on. */
export const acceptLoss = async (
  manager: JetStreamManager,
  stream: EventStreamName,
  { gaps, formerIncarnations }: AcceptedLoss,
): Promise<void> => {
  const info = await manager.streams.info(stream);
  const { epoch, acceptedLoss, acceptedIncarnations } = stateOf(info);
  const metadata = {
    ...info.config.metadata,
    [ACCEPTED_LOSS_KEY]: formatGaps(joined([...acceptedLoss, ...gaps])),
    [ACCEPTED_INCARNATIONS_KEY]: [...new Set([...acceptedIncarnations, ...formerIncarnations])].join(' '),
    ...(formerIncarnations.includes(epoch) ? { [EPOCH_KEY]: randomUUID() } : {}),
  };
  await manager.streams.update(stream, { metadata });
};

/**
 * The mark of the owned streams' present incarnation, read once. A service keeps snapshots for the aggregates of its own contexts only; when one of its
 * streams begins a new incarnation, all its snapshots are ignored. A read that fails is not remembered: NATS may be back at the next one.
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
