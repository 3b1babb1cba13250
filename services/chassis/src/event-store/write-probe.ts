import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { isFullLog, LOG_HAS_NO_ROOM } from '../persistence/full-storage.js';

/** Stream that the write probe writes to; it holds one message. */
export const LOG_PROBE_STREAM = 'LOG_PROBE';
const WRITE_SUBJECT = 'log-probe.write';
/** JetStream repeats each stored probe here, so that one probe serves all processes. */
const STORED_SUBJECT = 'log-probe.stored';
const NEWS_PREFIX = 'log-probe.';
const PATIENCE_MS = 2500;
/** More than a block of a file system: less may find room in the last block of a file on a disk that is full. */
const PROBE = new Uint8Array(8192);
/** The stream exists already. */
const NAME_IN_USE = 10_058;
/** The folder of a new stream could not be made: "error creating store for stream". */
const NO_STORE = 10_049;

interface StoreAnswer {
  readonly error?: { readonly err_code?: number; readonly description?: string };
}

/** State of the log as one process sends it to the others. */
export interface LogStateMessage {
  readonly outcome: 'stored' | 'failed' | 'recovered';
  /** Stream whose appends are meant; empty or absent: all of them. */
  readonly stream?: string;
}

const configOf = (replicas: number): Partial<StreamConfig> & { name: string } => ({
  name: LOG_PROBE_STREAM,
  subjects: [WRITE_SUBJECT],
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
  max_msgs: 1,
  num_replicas: replicas,
  republish: { src: WRITE_SUBJECT, dest: STORED_SUBJECT, headers_only: true },
});

/** Describes the fault that keeps the log from being written. */
const faultOf = (error: unknown): string => {
  if (error instanceof errors.TimeoutError) return 'the event log cannot be written: NATS does not acknowledge writes';
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof JetStreamApiError ? error.code : undefined;
  return code === NO_STORE || isFullLog(code, reason) ? LOG_HAS_NO_ROOM : `the event log cannot be written: ${reason}`;
};

/**
 * Writes one message to a stream of its own to learn whether NATS can write. nats-server gives up a stream for good when one write fails (2.14 and newer: it answers no write to it
 * any more), so a stream that does not acknowledge is made anew, which shows at once whether there is room by now.
 */
export class WriteProbe {
  readonly #nats: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #replicas: number;
  #hasStream = false;

  /** @param replicas copies of the stream */
  constructor(nats: NatsConnection, manager: JetStreamManager, replicas: number) {
    this.#nats = nats;
    this.#manager = manager;
    this.#replicas = replicas;
  }

  /** Writes; answers undefined when it was stored, else the reason as a sentence. Never rejects. */
  async run(): Promise<string | undefined> {
    try {
      if (this.#hasStream && (await this.#isStored())) return undefined;
      await this.#makeStream();
      await this.#write();
      return undefined;
    } catch (error) {
      return faultOf(error);
    }
  }

  /** Calls back whenever a probe of any process was stored, or a process has reported its appends. */
  follow(notify: (news: LogStateMessage) => void): void {
    this.#nats.subscribe(STORED_SUBJECT, { callback: (error) => (error ? undefined : notify({ outcome: 'stored' })) });
    for (const outcome of ['failed', 'recovered'] as const)
      this.#nats.subscribe(`${NEWS_PREFIX}${outcome}`, {
        callback: (error, message) => (error ? undefined : notify({ outcome, stream: message.string() })),
      });
  }

  /** Tells the other processes how appends fare; the stream is empty for all of them. */
  tell(outcome: 'failed' | 'recovered', stream = ''): void {
    if (!this.#nats.isClosed()) this.#nats.publish(`${NEWS_PREFIX}${outcome}`, stream);
  }

  /** False when the stream has to be made anew. */
  async #isStored(): Promise<boolean> {
    try {
      await this.#write();
      return true;
    } catch (error) {
      const isGone = error instanceof errors.RequestError && error.isNoResponders();
      if (!isGone && !(error instanceof errors.TimeoutError)) throw error;
      this.#hasStream = false;
      if (!isGone) await this.#deleteStream();
      return false;
    }
  }

  async #write(): Promise<void> {
    const reply = await this.#nats.request(WRITE_SUBJECT, PROBE, { timeout: PATIENCE_MS });
    const { error } = reply.json<StoreAnswer>();
    if (!error) return;
    throw new Error(isFullLog(error.err_code, error.description ?? '') ? LOG_HAS_NO_ROOM : (error.description ?? 'NATS refuses writes'));
  }

  async #deleteStream(): Promise<void> {
    try {
      await this.#manager.streams.delete(LOG_PROBE_STREAM);
    } catch (error) {
      if (!(error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)) throw error;
    }
  }

  async #makeStream(): Promise<void> {
    try {
      await this.#manager.streams.add(configOf(this.#replicas));
    } catch (error) {
      if (!(error instanceof JetStreamApiError && error.code === NAME_IN_USE)) throw error;
    }
    this.#hasStream = true;
  }
}
