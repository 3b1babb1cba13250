import { setTimeout as delay } from 'node:timers/promises';
import {
  AckPolicy,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  type Consumer,
  type ConsumerMessages,
  type JetStreamClient,
  type JsMsg,
} from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { nanos } from '@nats-io/transport-node';
import type { EndpointDependencies } from '../transport/command-endpoint.js';
import { onStatus } from '../transport/on-status.js';
import { pullTerms } from '../transport/pull-terms.js';
import { deadLetterMessage } from './dead-letters.js';
import { DeliveryRun, type WorkHandler } from './delivery-run.js';
import { HANDBACK_BUCKET, HANDBACK_TTL_MS, Handbacks } from './handbacks.js';
import type { Reading, WorkLimits, WorkSource } from './work-source.js';

/** Dependencies shared by the workers of one service. */
export interface WorkerDependencies extends EndpointDependencies {
  /** Copies of the bookkeeping bucket. */
  readonly replicas: number;
  /** Time that a draining worker waits for its work before it hands it back, ms. */
  readonly drainTimeoutMs: number;
}

const AFTER_FAULT_MS = 1000;
/** A message that has to wait comes again so soon. */
const HELD_MS = 3000;
const HEARTBEATS_PER_WAIT = 3;
/** The server's code for a consumer of this name with other settings. */
const CONSUMER_EXISTS = 10_148;

/**
 * Works on the messages of one source. All replicas share one durable consumer. Each of the `concurrency` slots takes one message at a time, so that a message never waits behind
 * another one in a buffer while its acknowledgement time runs. One slot asks, and the next one when that has its message: an idle worker has one request open at the server.
 */
export class DeliveryWorker {
  readonly #tools: WorkerDependencies;
  readonly #source: WorkSource;
  readonly #handler: WorkHandler;
  readonly #limits: WorkLimits;
  readonly #runs = new Set<DeliveryRun>();
  readonly #pulls = new Set<ConsumerMessages>();
  readonly #client: JetStreamClient;
  /** Ends when the slot that asks for a message has got one, or has failed. */
  #asking: Promise<void> = Promise.resolve();
  #slots: readonly Promise<void>[] = [];
  readonly #drained = Promise.withResolvers<void>();
  #draining = false;
  #isHeld = false;
  #unwatch: (() => void) | undefined;

  constructor(tools: WorkerDependencies, source: WorkSource, handler: WorkHandler, limits: WorkLimits) {
    this.#tools = tools;
    this.#source = source;
    this.#handler = handler;
    this.#limits = limits;
    this.#client = jetstream(tools.nats);
  }

  /** Creates the durable consumer if need be and starts to take messages. */
  async start(): Promise<void> {
    const handbacks = new Handbacks(await this.#openBucket());
    await this.#ensureConsumer();
    // The server has forgotten the requests of a lost connection.
    this.#unwatch = onStatus(this.#tools.nats, 'reconnect', () => this.#stopPulls());
    this.#slots = Array.from({ length: this.#limits.concurrency }, () => this.#slot(handbacks));
  }

  /** Takes no more messages, aborts those at work, and hands back what is not done in time. */
  async drain(): Promise<void> {
    this.#draining = true;
    this.#drained.resolve();
    this.#unwatch?.();
    this.#stopPulls();
    const runs = [...this.#runs];
    for (const run of runs) run.abort('the worker is draining');
    await Promise.all(runs.map((run) => run.finishWithin(this.#tools.drainTimeoutMs)));
    await Promise.all(this.#slots);
  }

  #stopPulls(): void {
    for (const pull of this.#pulls) pull.stop();
  }

  #openBucket() {
    return new Kvm(this.#client).create(HANDBACK_BUCKET, { ttl: HANDBACK_TTL_MS, replicas: this.#tools.replicas, history: 1 });
  }

  /** Creates the consumer, or gives an existing one the settings of this release. */
  async #ensureConsumer(): Promise<void> {
    const { consumers } = await jetstreamManager(this.#tools.nats);
    const { stream, durable, start } = this.#source;
    const settings = {
      ...this.#source.settings,
      ack_wait: nanos(this.#limits.ackWaitMs),
      // Deliveries are counted here: the server's own limit would leave the message in the queue, out of everybody's reach.
      max_deliver: -1,
    };
    try {
      await consumers.add(stream, { durable_name: durable, ack_policy: AckPolicy.Explicit, ...start, ...settings });
    } catch (error) {
      if (!(error instanceof JetStreamApiError && error.code === CONSUMER_EXISTS)) throw error;
      await consumers.update(stream, durable, settings);
    }
  }

  /** One slot: asks for a message, works on it, asks again. A fault of NATS delays it, nothing but draining ends it. */
  async #slot(handbacks: Handbacks): Promise<void> {
    const { stream, durable, label } = this.#source;
    let consumer: Consumer | undefined;
    while (!this.#draining && !this.#tools.nats.isClosed()) {
      try {
        consumer ??= await this.#client.consumers.get(stream, durable);
        await this.#takeOne(consumer, handbacks);
      } catch (error) {
        if (this.#draining || this.#tools.nats.isClosed()) return;
        this.#tools.log.warn({ err: error, kind: label }, 'failed to pull work, trying again');
        consumer = undefined;
        await delay(AFTER_FAULT_MS);
        await this.#ensureConsumer().catch((cause: unknown) =>
          this.#tools.log.warn({ err: cause, kind: label }, 'failed to check the consumer'),
        );
      }
    }
  }

  async #takeOne(consumer: Consumer, handbacks: Handbacks): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const before = this.#asking;
    this.#asking = turn.promise;
    await before;
    try {
      const message = this.#draining ? undefined : await this.#ask(consumer);
      turn.resolve();
      if (message) await this.#take(message, handbacks);
    } finally {
      turn.resolve();
    }
  }

  /** Waits for a message. Undefined when none came as long as the request was open. */
  async #ask(consumer: Consumer): Promise<JsMsg | undefined> {
    const pull = await consumer.fetch({ max_messages: 1, ...pullTerms(this.#tools.nats) });
    this.#pulls.add(pull);
    try {
      if (this.#draining) pull.stop();
      for await (const message of pull) return message;
      return undefined;
    } finally {
      this.#pulls.delete(pull);
    }
  }

  async #take(message: JsMsg, handbacks: Handbacks): Promise<void> {
    if (this.#draining) return message.nak();
    const reading = this.#source.read(message);
    if (!(await this.#mayPass(message))) return this.#hold(message, reading, handbacks);
    if (reading === 'skip') {
      // Not confirmed: should it get lost, the message is skipped once more.
      message.ack();
      return this.#count('skipped');
    }
    if ('undecodable' in reading) return this.#bury(message, `undecodable: ${reading.undecodable}`);
    const { work } = reading;
    const attempt = message.info.deliveryCount - (message.redelivered ? await handbacks.count(work.key) : 0);
    // The worker may have died of the work each time, without a word.
    if (attempt > this.#limits.maxAttempts) return this.#bury(message, `given up after ${attempt - 1} attempts that did not end`);
    const run = new DeliveryRun(this.#tools, { source: this.#source, message, work, attempt, handbacks, limits: this.#limits });
    this.#runs.add(run);
    try {
      await run.execute(this.#handler);
    } finally {
      this.#runs.delete(run);
    }
  }

  /** Asks the source, and keeps the message alive meanwhile. */
  async #mayPass(message: JsMsg): Promise<boolean> {
    const { insist, label, noun } = this.#source;
    if (!insist) return true;
    const heartbeats = setInterval(() => message.working(), this.#limits.ackWaitMs / HEARTBEATS_PER_WAIT);
    try {
      await Promise.race([insist(message), this.#drained.promise]);
      if (this.#isHeld) this.#tools.log.info({ kind: label }, `${noun}s are taken again`);
      this.#isHeld = false;
      return !this.#draining;
    } catch (error) {
      const facts = { kind: label, subject: message.subject, sequence: message.info.streamSequence };
      if (!this.#isHeld) this.#tools.log.error({ ...facts, err: error }, `${noun}s are held back`);
      this.#isHeld = true;
      return false;
    } finally {
      clearInterval(heartbeats);
    }
  }

  /** Gives a message back, which loses no attempt by it, and rests: those after it have to wait as well. */
  async #hold(message: JsMsg, reading: Reading, handbacks: Handbacks): Promise<void> {
    if (reading !== 'skip' && 'work' in reading) await handbacks.add(reading.work.key);
    if (this.#draining) return message.nak();
    message.nak(HELD_MS);
    this.#count('held');
    await Promise.race([delay(HELD_MS, undefined, { ref: false }), this.#drained.promise]);
  }

  async #bury(message: JsMsg, reason: string): Promise<void> {
    const { addressOf, label, noun } = this.#source;
    await deadLetterMessage(this.#client, message, reason, addressOf?.(message));
    message.term(reason);
    this.#count('dead');
    const facts = { kind: label, subject: message.subject, sequence: message.info.streamSequence, reason };
    this.#tools.log.error(facts, `${noun} put aside as a dead letter`);
  }

  #count(outcome: 'skipped' | 'dead' | 'held'): void {
    this.#tools.metrics.jobs.inc({ subject: this.#source.label, outcome });
  }
}
