import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { sizeOf, streamExists } from '@continuo/chassis';
import { AckPolicy, DeliverPolicy, jetstream, RetentionPolicy, type ConsumerConfig, type JetStreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { readCompressed } from '../format/files.js';
import type { StreamEntry } from '../format/manifest.js';
import { BUCKETS, QUEUES, streamOfBucket } from './known-streams.js';
import { acceptedLossOf } from './require-whole-log.js';
import { createStream, restoreStream, StreamRefused, updateStream, type RawConfig, type RawState } from './stream-api.js';

/** Metadata key of the mark of a stream's incarnation, see `ensureEventStreams`. */
const EPOCH_KEY = 'continuo-epoch';
const SCRATCH_PREFIX = 'RESTORE_';
const DELETED_AT_ONCE = 64;
const MIRRORED_WITHIN_MS = 30 * 60_000;
const LOOK_EVERY_MS = 100;
const TRIES = 4;
const PAUSE_MS = 2000;
/** Name in use. https://github.com/nats-io/nats-server/blob/main/server/errors.json */
const IN_USE = 10_058;
/** So long a cluster may take to let go of a stream that it was told to delete. */
const LEAVES_WITHIN_MS = 60_000;

/** Where streams are restored to. */
export interface StreamTarget {
  readonly nats: NatsConnection;
  readonly manager: JetStreamManager;
  /** Copies of each stream; as in the backup, when absent. */
  readonly replicas: number | undefined;
}

/** A stream as it came out. */
export interface RestoredStream {
  readonly messages: number;
  readonly lastPosition: number;
  /** Its mark before and after; positions that somebody kept of its former incarnation are not taken for ones of the new one. */
  readonly epochs?: { readonly before: string; readonly after: string };
}

/** Settings that a stream gets here: copies as wanted, another life. */
const configHere = ({ config }: StreamEntry, { replicas }: StreamTarget): { config: RawConfig; epochs: RestoredStream['epochs'] } => {
  const metadata = (config['metadata'] ?? {}) as Record<string, string>;
  const before = metadata[EPOCH_KEY];
  const copies = replicas === undefined ? {} : { num_replicas: replicas };
  if (before === undefined) return { config: { ...config, ...copies }, epochs: undefined };
  const after = randomUUID();
  return { config: { ...config, ...copies, metadata: { ...metadata, [EPOCH_KEY]: after } }, epochs: { before, after } };
};

const answer = ({ messages, last_seq }: Pick<RawState, 'messages' | 'last_seq'>, epochs: RestoredStream['epochs']): RestoredStream => ({
  messages,
  lastPosition: last_seq,
  ...(epochs && { epochs }),
});

/**
 * True when something is missing that was not lost before. Messages that arrived while the snapshot began may have come along; sessions and the like end by themselves. A server that
 * restores a message that it cannot read leaves it out.
 */
const isLess = (entry: StreamEntry, after: RawState): boolean => {
  const { config, state: before } = entry;
  if (after.last_seq < before.last_seq) return true;
  const fewer = before.messages - after.messages;
  return !config['max_age'] && after.last_seq === before.last_seq && (fewer < 0 || fewer > sizeOf(acceptedLossOf(entry)));
};

const piecesOf = (folder: string, { snapshot }: StreamEntry): AsyncIterable<Uint8Array> =>
  readCompressed(folder, snapshot) as AsyncIterable<Uint8Array>;

/** A server that is too busy to listen for some seconds ends what it had begun, and has its name in use until it has let go of it. */
const restoreStubbornly = async (target: StreamTarget, folder: string, entry: StreamEntry, config: RawConfig): Promise<RawState> => {
  const leftBy = Date.now() + LEAVES_WITHIN_MS;
  for (let failures = 0; ;) {
    try {
      return await restoreStream(target.nats, { config, state: entry.state, pieces: piecesOf(folder, entry) });
    } catch (error) {
      const isLeaving = error instanceof StreamRefused && error.code === IN_USE && Date.now() < leftBy;
      if (!isLeaving) failures += 1;
      if (failures === TRIES) throw error;
      await delay(PAUSE_MS);
      if (await streamExists(target.manager, config.name)) await target.manager.streams.delete(config.name);
    }
  }
};

/**
 * Restores a whole stream with its positions, times and gaps, then its consumers where they stood.
 * @throws Error when the server makes something else of it than it was
 */
export const restoreWhole = async (target: StreamTarget, folder: string, entry: StreamEntry): Promise<RestoredStream> => {
  const { config, epochs } = configHere(entry, target);
  const state = await restoreStubbornly(target, folder, entry, config);
  if (isLess(entry, state))
    throw new Error(
      `${entry.name} has ${state.messages} messages up to ${state.last_seq}, not ${entry.state.messages} up to ${entry.state.last_seq}`,
    );
  await restoreConsumers(target, entry, state.last_seq);
  return answer(state, epochs);
};

/**
 * Restores a stream up to a position, as if nothing had come after it: the next message gets the position behind. JetStream cannot take back positions, so
 * the stream is restored whole, its end deleted, and what is left mirrored aside and back, which keeps positions and times; the mirror then becomes the stream.
 */
export const restoreUntil = async (target: StreamTarget, folder: string, entry: StreamEntry, last: number): Promise<RestoredStream> => {
  if (last >= entry.state.last_seq && entry.state.last_seq > 0) return restoreWhole(target, folder, entry);
  const { config, epochs } = configHere(entry, target);
  if (last === 0) {
    await createStream(target.nats, config);
    await restoreConsumers(target, entry, 0);
    return answer({ messages: 0, last_seq: 0 }, epochs);
  }
  // Some servers restore a stream under no other name than its own.
  const whole = { ...config, deny_delete: false, num_replicas: 1 };
  const { last_seq } = await restoreStubbornly(target, folder, entry, whole);
  await deleteAfter(target, entry.name, last, last_seq);
  const aside = SCRATCH_PREFIX + entry.name;
  const between = { ...mirrorable(whole), name: aside };
  await takeFrom(target, entry.name, { mirror: between, becomes: between, last });
  await takeFrom(target, aside, { mirror: mirrorable(config), becomes: config, last });
  const { state } = await target.manager.streams.info(entry.name);
  await restoreConsumers(target, entry, last);
  return answer(state, epochs);
};

/** Settings that a stream may have while it is a mirror. */
const mirrorable = ({ subjects: _, allow_atomic: __, ...config }: RawConfig): RawConfig => ({
  ...config,
  name: config.name,
  deny_delete: false,
});

interface Taking {
  /** Settings while it is a mirror. */
  readonly mirror: RawConfig;
  /** Settings from then on. */
  readonly becomes: RawConfig;
  readonly last: number;
}

/** Makes a stream of what another one holds, and deletes that. */
const takeFrom = async (target: StreamTarget, from: string, { mirror, becomes, last }: Taking): Promise<void> => {
  await createStream(target.nats, { ...mirror, mirror: { name: from } });
  await untilMirrored(target, mirror.name, last);
  await target.manager.streams.delete(from);
  await updateStream(target.nats, becomes);
};

const deleteAfter = async ({ manager }: StreamTarget, stream: string, last: number, end: number): Promise<void> => {
  for (let next = last + 1; next <= end; next += DELETED_AT_ONCE) {
    const some = Array.from({ length: Math.min(DELETED_AT_ONCE, end - next + 1) }, (_, index) => next + index);
    await Promise.all(some.map((position) => manager.streams.deleteMessage(stream, position, false)));
  }
};

const untilMirrored = async ({ manager }: StreamTarget, stream: string, last: number): Promise<void> => {
  for (const until = Date.now() + MIRRORED_WITHIN_MS; Date.now() < until; await delay(LOOK_EVERY_MS)) {
    if ((await manager.streams.info(stream)).state.last_seq >= last) return;
  }
  throw new Error(`${stream} was not copied in time`);
};

/** Consumers of a log go on behind what they had settled; those of queues take what is left in them. */
const restoreConsumers = async ({ manager }: StreamTarget, entry: StreamEntry, last: number): Promise<void> => {
  const isQueue = entry.config['retention'] === RetentionPolicy.Workqueue;
  for (const { config, ackFloor } of entry.consumers) {
    const { durable_name, opt_start_seq: _, opt_start_time: __, num_replicas: ___, ...settings } = config as Partial<ConsumerConfig>;
    const start = isQueue
      ? { deliver_policy: DeliverPolicy.All }
      : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: Math.min(ackFloor, last) + 1 };
    await manager.consumers.add(entry.name, { ...settings, ack_policy: AckPolicy.Explicit, durable_name: durable_name ?? '', ...start });
  }
};

/** An empty stream with the settings of the one in the backup: of a queue whose work belongs to a time that is left out. */
export const restoreEmpty = async (target: StreamTarget, entry: StreamEntry): Promise<RestoredStream> => {
  const { config } = configHere(entry, target);
  await createStream(target.nats, config);
  if (QUEUES.includes(entry.name)) await restoreConsumers(target, entry, 0);
  return { messages: 0, lastPosition: 0 };
};

/** Takes cursors that point behind the end of the log back to it: what comes there is told, although something else had been told of that position. */
export const takeCursorsBack = async ({ nats, manager }: StreamTarget, last: number): Promise<void> => {
  if (!(await streamExists(manager, streamOfBucket(BUCKETS.relayCursors)))) return;
  const bucket = await new Kvm(jetstream(nats)).open(BUCKETS.relayCursors);
  const beyond: [string, unknown][] = [];
  for await (const entry of await bucket.history()) {
    if (entry.operation !== 'PUT') continue;
    const cursor = entry.json<{ run: number; position: number }>();
    if (cursor.position > last) beyond.push([entry.key, { ...cursor, position: last }]);
  }
  for (const [key, cursor] of beyond) await bucket.put(key, JSON.stringify(cursor));
};

/** Destroys the keys of accounts that were deleted after the backup. Answers whose were still there. */
export const destroyKeys = async ({ nats, manager }: StreamTarget, accounts: readonly number[]): Promise<number[]> => {
  if (accounts.length === 0 || !(await streamExists(manager, streamOfBucket(BUCKETS.keys)))) return [];
  const bucket = await new Kvm(jetstream(nats)).open(BUCKETS.keys);
  const destroyed: number[] = [];
  for (const account of accounts) {
    const entry = await bucket.get(String(account));
    if (entry?.operation !== 'PUT') continue;
    // Overwritten on the disk, then marked.
    await manager.streams.deleteMessage(streamOfBucket(BUCKETS.keys), entry.revision, true);
    await bucket.purge(String(account));
    destroyed.push(account);
  }
  return destroyed;
};
