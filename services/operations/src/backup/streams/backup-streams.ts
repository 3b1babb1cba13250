import { setTimeout as delay } from 'node:timers/promises';
import { streamExists, streamState, type Gap } from '@continuo/chassis';
import type { EventStreamName } from '@continuo/contracts';
import { jetstream, type JetStreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { writeCompressed, type FileEntry } from '../format/files.js';
import type { StreamEntry } from '../format/manifest.js';
import { BUCKETS, EVENT_STREAMS, STREAMS_IN_ORDER, streamOfBucket } from './known-streams.js';
import { indexLines, readIndex, type IndexedMessage } from './message-index.js';
import { snapshotStream, withoutServerMarks } from './stream-api.js';

/** Where streams are read from. */
export interface StreamSource {
  readonly nats: NatsConnection;
  readonly manager: JetStreamManager;
}

type Consumers = StreamEntry['consumers'];

/** The streams of this server that belong to a backup, in the order in which they are read. */
export const streamsOf = async ({ manager }: StreamSource): Promise<string[]> => {
  const there: string[] = [];
  for (const name of STREAMS_IN_ORDER) if (await streamExists(manager, name)) there.push(name);
  return there;
};

/**
 * Lasting consumers of a stream and how far each is. Taken of all streams before any of them is read: what a consumer has settled by then has its outcome in
 * the streams that are read later, and what it settles meanwhile is done once more after a restore, as after a crash.
 */
export const consumersOf = async ({ manager }: StreamSource, stream: string): Promise<Consumers> => {
  const consumers: Consumers = [];
  for await (const { config, ack_floor } of manager.consumers.list(stream)) {
    const { durable_name } = config;
    if (durable_name) consumers.push({ config: { ...withoutServerMarks({ ...config }), durable_name }, ackFloor: ack_floor.stream_seq });
  }
  return consumers;
};

const TRIES = 4;
const PAUSE_MS = 2000;

/** One look at a stream, written into the backup. A server or a disk that is too busy for some seconds ends what was begun. */
const snapshotInto = async (
  nats: NatsConnection,
  folder: string,
  name: string,
): Promise<Pick<StreamEntry, 'config' | 'state' | 'snapshot'>> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { config, state, pieces } = await snapshotStream(nats, name);
      const snapshot = await writeCompressed(folder, `streams/${name}.snapshot.zst`, pieces);
      return { config: withoutServerMarks(config), state, snapshot };
    } catch (error) {
      if (attempt === TRIES) throw error;
      await delay(PAUSE_MS);
    }
  }
};

/** Reads one stream into the backup. Whoever writes to it goes on meanwhile. */
export const backupStream = async (
  { nats, manager }: StreamSource,
  folder: string,
  { name, consumers }: { readonly name: string; readonly consumers: Consumers },
): Promise<StreamEntry> => {
  for (let attempt = 1; ; attempt += 1) {
    const entry = { name, ...(await snapshotInto(nats, folder, name)), consumers };
    if (!EVENT_STREAMS.includes(name)) return entry;
    const { last_seq, messages } = entry.state;
    // What is lost at the end of the log does not come.
    const { lastReadable, acceptedLoss } = await streamState(manager, name as EventStreamName);
    const lines = indexLines(nats, name, Math.min(last_seq, lastReadable), messages);
    const index = await writeCompressed(folder, `streams/${name}.index.zst`, lines);
    if (!(await endsWithinBatch(folder, index, acceptedLoss))) return { ...entry, index };
    if (attempt === TRIES) throw new Error(`${name} was caught within an atomic batch ${TRIES} times`);
  }
};

/** True when the server was looked at while it wrote the messages of an atomic batch one by one: the rest of that batch is missing, and was not lost before. */
const endsWithinBatch = async (folder: string, index: FileEntry, lost: readonly Gap[]): Promise<boolean> => {
  let last: IndexedMessage | undefined;
  for await (const message of readIndex(folder, index)) last = message;
  const next = (last?.position ?? 0) + 1;
  return last?.batch?.isLast === false && !lost.some(({ from, to }) => from <= next && to >= next);
};

/** Accounts whose key of personal data has been destroyed: their numbers. */
export const deletedAccounts = async ({ nats, manager }: StreamSource): Promise<number[]> => {
  if (!(await streamExists(manager, streamOfBucket(BUCKETS.keys)))) return [];
  const bucket = await new Kvm(jetstream(nats)).open(BUCKETS.keys);
  const gone: number[] = [];
  for await (const { key, operation } of await bucket.history()) if (operation !== 'PUT') gone.push(Number(key));
  return gone.toSorted((a, b) => a - b);
};
