import { allEventsOf, DEAD_LETTER_STREAM, eventStreams } from '@continuo/contracts';
import { DeliverPolicy, JetStreamApiError, jetstreamManager, type ConsumerConfig } from '@nats-io/jetstream';
import type { LogWatch } from '../event-store/integrity/log-watch.js';
import { ensureEventStreams } from '../event-store/streams.js';
import type { WorkHandler } from '../jobs/delivery-run.js';
import { DeliveryWorker, type WorkerDependencies } from '../jobs/delivery-worker.js';
import { DEAD_PREFIX, ensureReactionStreams, REACTION_STREAM, reactionSubject } from '../jobs/job-streams.js';
import type { WorkLimits, WorkSource } from '../jobs/work-source.js';
import type { ServiceDependencies } from '../service.js';
import { noTelemetry } from '../telemetry/tracing.js';
import { EventReader } from './event-reader.js';
import type { Reaction } from './handlers.js';

/** Dependencies shared by the reactors of one service. */
export interface ReactorDependencies extends WorkerDependencies {
  /** The first part of the reactors' names. */
  readonly service: string;
  readonly logWatch: Pick<LogWatch, 'requireCompleteUpTo'>;
}

/** Dependencies of reactors that a service makes itself; without a tracer, what they do is not traced. */
export const reactorDependencies = (
  service: string,
  { nats, log, metrics, config, logWatch }: Pick<ServiceDependencies, 'nats' | 'log' | 'metrics' | 'config' | 'logWatch'>,
  tracer = noTelemetry.tracer,
): ReactorDependencies => ({
  service,
  nats,
  log,
  metrics,
  tracer,
  replicas: config.NATS_REPLICAS,
  drainTimeoutMs: config.DRAIN_TIMEOUT_MS,
  logWatch,
});

/** Attempts are many: a part that does not answer for a minute must not fill the dead letters. */
const defaults: WorkLimits = { concurrency: 1, ackWaitMs: 30_000, maxAttempts: 8 };
/** Events at work or waiting for their next attempt; when as many fail, the reactor takes no others. */
const MAX_UNSETTLED = 1000;

/** The name of a reactor, that of its consumers. */
export const reactorName = (service: string, { name }: Pick<Reaction, 'name'>): string => `${service}-${name}`;

/**
 * Calls one handler with the events of one stream, see `HandlesEvents`. A first worker follows the log; a second one takes the events that an
 * operator replays to this reactor alone. Both share the name and end in the same dead letters.
 */
export class EventReactor {
  readonly #tools: ReactorDependencies;
  readonly #reaction: Reaction;
  readonly #workers: readonly DeliveryWorker[];

  constructor(tools: ReactorDependencies, reaction: Reaction, handler: WorkHandler) {
    this.#tools = tools;
    this.#reaction = reaction;
    const durable = reactorName(tools.service, reaction);
    const replayed = replayName(tools.service, reaction);
    const limits = limitsOf(reaction);
    const reader = new EventReader(replayed, reaction, handler);
    this.#workers = [
      new DeliveryWorker(
        tools,
        { ...logSource(durable, reaction, reader), insist: insistOnLog(tools, durable, reaction) },
        reader.handle,
        limits,
      ),
      new DeliveryWorker(tools, replaySource(replayed, reader), reader.handle, { ...limits, concurrency: 1 }),
    ];
  }

  /** Creates what is missing of streams and consumers and starts to take events. */
  async start(): Promise<void> {
    const manager = await jetstreamManager(this.#tools.nats);
    // The service that owns the log may start later; a reactor that begins with "new" must not miss its first events.
    await ensureEventStreams(manager, [this.#reaction.context], this.#tools.replicas);
    await ensureReactionStreams(manager, this.#tools.replicas);
    await Promise.all(this.#workers.map((worker) => worker.start()));
  }

  /** Takes no more events, aborts those at work, and hands back what is not done in time. */
  async drain(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.drain()));
  }
}

const NO_CONSUMER = 10_014;
const NO_STREAM = 10_059;

const unlessAbsent = (error: unknown): void => {
  if (!(error instanceof JetStreamApiError) || ![NO_CONSUMER, NO_STREAM].includes(error.code)) throw error;
};

/** Forgets how far a reactor was that will not run again. Replicas that still run it have to have drained, or bring it back. */
export const removeReactor = async (
  { nats, service }: Pick<ReactorDependencies, 'nats' | 'service'>,
  reaction: Pick<Reaction, 'context' | 'name'>,
): Promise<void> => {
  const { consumers } = await jetstreamManager(nats);
  await consumers.delete(eventStreams[reaction.context], reactorName(service, reaction)).catch(unlessAbsent);
};

/** Forgets what of a reactor's events lies in the dead letters and in the queue of replays, and that queue's consumer. */
export const purgeReplays = async (
  { nats, service }: Pick<ReactorDependencies, 'nats' | 'service'>,
  reaction: Pick<Reaction, 'name' | 'replayName'>,
): Promise<void> => {
  const { consumers, streams } = await jetstreamManager(nats);
  const name = replayName(service, reaction);
  await consumers.delete(REACTION_STREAM, name).catch(unlessAbsent);
  await streams.purge(REACTION_STREAM, { filter: reactionSubject(name) }).catch(unlessAbsent);
  await streams.purge(DEAD_LETTER_STREAM, { filter: DEAD_PREFIX + reactionSubject(name) }).catch(unlessAbsent);
};

const replayName = (service: string, { name, replayName: other }: Pick<Reaction, 'name' | 'replayName'>): string =>
  reactorName(service, { name: other ?? name });

const limitsOf = ({ options: { concurrency, ackWaitMs, maxAttempts, order } }: Reaction): WorkLimits => ({
  concurrency: order === 'log' ? 1 : (concurrency ?? defaults.concurrency),
  ackWaitMs: ackWaitMs ?? defaults.ackWaitMs,
  maxAttempts: maxAttempts ?? defaults.maxAttempts,
});

const logSource = (durable: string, { context, options }: Reaction, reader: EventReader): WorkSource => ({
  noun: 'event',
  label: reactionSubject(durable),
  stream: eventStreams[context],
  durable,
  start: startOf(options.startFrom),
  settings: {
    filter_subjects: options.aggregates?.map((aggregate) => `ev.${context}.*.${aggregate}.>`) ?? [allEventsOf(context)],
    // An event that waits for its next attempt counts, so that with 1 nothing overtakes it.
    max_ack_pending: options.order === 'log' ? 1 : MAX_UNSETTLED,
  },
  read: (message) => reader.fromLog(message),
  addressOf: (message) => reader.addressOf(message),
});

/**
 * Keeps a reactor from passing over events that are missing in the log: it is told neither of these nor that there were any, so what lies between what it has done and what it gets
 * is read. Where it stands is asked for with the first event of a process: what was acknowledged before has been looked at.
 */
const insistOnLog = ({ nats, logWatch }: ReactorDependencies, durable: string, { context }: Reaction): WorkSource['insist'] => {
  const stream = eventStreams[context];
  let after: number | undefined;
  return async ({ seq }) => {
    after ??= (await (await jetstreamManager(nats, { checkAPI: false })).consumers.info(stream, durable)).ack_floor.stream_seq;
    await logWatch.requireCompleteUpTo(stream, Math.min(after, seq - 1), seq);
    after = Math.max(after, seq);
  };
};

const startOf = (startFrom: Reaction['options']['startFrom']): Pick<ConsumerConfig, 'deliver_policy'> & { opt_start_seq?: number } => {
  if (typeof startFrom === 'object') return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: startFrom.afterPosition + 1 };
  return { deliver_policy: startFrom === 'all' ? DeliverPolicy.All : DeliverPolicy.New };
};

const replaySource = (durable: string, reader: EventReader): WorkSource => ({
  noun: 'event',
  label: reactionSubject(durable),
  stream: REACTION_STREAM,
  durable,
  start: { deliver_policy: DeliverPolicy.All },
  settings: { filter_subject: reactionSubject(durable) },
  read: (message) => reader.fromReplay(message),
});
