import { setTimeout as delay } from 'node:timers/promises';
import { jobStreams, Rejection, type CommandMessage, type JobDefinition } from '@continuo/contracts';
import {
  AckPolicy,
  DeliverPolicy,
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
import type { EndpointTools } from '../transport/command-endpoint.js';
import type { JobOptions } from '../transport/handlers.js';
import { decodeMessage } from '../transport/message.js';
import { buryMessage } from './dead-letters.js';
import { HANDBACK_BUCKET, HANDBACK_TTL_MS, Handbacks } from './handbacks.js';
import type { JobDelivery } from './job-queue.js';
import { JobRun } from './job-run.js';

/** What the workers of one service share. */
export interface JobWorkerTools extends EndpointTools {
  /** Copies of the bookkeeping bucket. */
  readonly replicas: number;
  /** How long a draining worker waits for its jobs before it hands them back, ms. */
  readonly drainTimeoutMs: number;
}

/** Works on the data of one job. */
export type JobHandler = (data: unknown, delivery: JobDelivery) => Promise<void>;

const defaults = { concurrency: 1, ackWaitMs: 30_000, maxAttempts: 5 } as const satisfies Required<JobOptions>;
/** How long one request for work stays open at the server. */
const PULL_EXPIRES_MS = 30_000;
const AFTER_FAULT_MS = 1000;
/** The server's code for a consumer of this name with other settings. */
const CONSUMER_EXISTS = 10_148;

/**
 * Works on one kind of job. All replicas share one durable consumer. Each of the `concurrency` slots asks for one job at a time, so that a job
 * never waits behind another one in a buffer while its acknowledgement time runs.
 */
export class JobWorker {
  readonly #tools: JobWorkerTools;
  readonly #definition: JobDefinition;
  readonly #handler: JobHandler;
  readonly #options: Required<JobOptions>;
  readonly #runs = new Set<JobRun>();
  readonly #pulls = new Set<ConsumerMessages>();
  readonly #client: JetStreamClient;
  #slots: readonly Promise<void>[] = [];
  #draining = false;

  constructor(tools: JobWorkerTools, definition: JobDefinition, handler: JobHandler, options: JobOptions = {}) {
    this.#tools = tools;
    this.#definition = definition;
    this.#handler = handler;
    this.#options = { ...defaults, ...options };
    this.#client = jetstream(tools.nats);
  }

  /** Creates the durable consumer if need be and starts to take jobs. */
  async start(): Promise<void> {
    const handbacks = new Handbacks(await this.#openBucket());
    await this.#ensureConsumer();
    this.#slots = Array.from({ length: this.#options.concurrency }, () => this.#slot(handbacks));
  }

  /** Takes no more jobs, tells those at work to stop, and hands back what is not done in time. */
  async drain(): Promise<void> {
    this.#draining = true;
    for (const pull of this.#pulls) pull.stop();
    const runs = [...this.#runs];
    for (const run of runs) run.abort('the worker is draining');
    await Promise.all(runs.map((run) => run.finishWithin(this.#tools.drainTimeoutMs)));
    await Promise.all(this.#slots);
  }

  get #durable(): string {
    return `${this.#definition.context}-${this.#definition.kind}`;
  }

  #openBucket() {
    return new Kvm(this.#client).create(HANDBACK_BUCKET, { ttl: HANDBACK_TTL_MS, replicas: this.#tools.replicas, history: 1 });
  }

  /** Creates the consumer, or gives an existing one the settings of this release. */
  async #ensureConsumer(): Promise<void> {
    const { consumers } = await jetstreamManager(this.#tools.nats);
    const stream = jobStreams[this.#definition.context];
    const settings = {
      filter_subject: this.#definition.subject,
      ack_wait: nanos(this.#options.ackWaitMs),
      // Deliveries are counted here: the server's own limit would leave the job in the queue, out of everybody's reach.
      max_deliver: -1,
    };
    const fixed = { durable_name: this.#durable, ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All };
    try {
      await consumers.add(stream, { ...fixed, ...settings });
    } catch (error) {
      if (!(error instanceof JetStreamApiError && error.code === CONSUMER_EXISTS)) throw error;
      await consumers.update(stream, this.#durable, settings);
    }
  }

  /** One slot: asks for a job, works on it, asks again. A fault of NATS delays it, nothing but draining ends it. */
  async #slot(handbacks: Handbacks): Promise<void> {
    let consumer: Consumer | undefined;
    while (!this.#draining && !this.#tools.nats.isClosed()) {
      try {
        consumer ??= await this.#client.consumers.get(jobStreams[this.#definition.context], this.#durable);
        await this.#takeOne(consumer, handbacks);
      } catch (error) {
        if (this.#draining || this.#tools.nats.isClosed()) return;
        this.#tools.log.warn({ err: error, subject: this.#definition.subject }, 'asking for jobs failed, trying again');
        consumer = undefined;
        await delay(AFTER_FAULT_MS);
        await this.#ensureConsumer().catch((cause: unknown) =>
          this.#tools.log.warn({ err: cause }, 'the consumer of jobs cannot be checked'),
        );
      }
    }
  }

  async #takeOne(consumer: Consumer, handbacks: Handbacks): Promise<void> {
    const pull = await consumer.fetch({ max_messages: 1, expires: PULL_EXPIRES_MS });
    this.#pulls.add(pull);
    try {
      if (this.#draining) pull.stop();
      for await (const message of pull) await this.#work(message, handbacks);
    } finally {
      this.#pulls.delete(pull);
    }
  }

  async #work(message: JsMsg, handbacks: Handbacks): Promise<void> {
    if (this.#draining) return message.nak();
    const job = `${message.info.stream}.${message.info.streamSequence}`;
    const attempt = message.info.deliveryCount - (message.redelivered ? await handbacks.count(job) : 0);
    const command = this.#decode(message);
    if (command instanceof Rejection) return this.#bury(message, `undecodable: ${command.message}`);
    // The worker may have died of the job each time, without a word.
    if (attempt > this.#options.maxAttempts) return this.#bury(message, `given up after ${attempt - 1} attempts that did not end`);
    const run = new JobRun(this.#tools, { message, command, job, attempt, handbacks, options: this.#options });
    this.#runs.add(run);
    try {
      await run.execute(this.#handler);
    } finally {
      this.#runs.delete(run);
    }
  }

  #decode(message: JsMsg): CommandMessage | Rejection {
    try {
      return decodeMessage(message.data, message.headers, this.#definition.schema);
    } catch (error) {
      if (error instanceof Rejection) return error;
      throw error;
    }
  }

  async #bury(message: JsMsg, reason: string): Promise<void> {
    await buryMessage(this.#client, message, reason);
    message.term(reason);
    this.#tools.metrics.jobs.inc({ subject: message.subject, outcome: 'dead' });
    this.#tools.log.error({ subject: message.subject, sequence: message.info.streamSequence, reason }, 'job put aside as a dead letter');
  }
}
