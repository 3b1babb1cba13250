import { setTimeout as delay } from 'node:timers/promises';
import { jetstream, type JsMsg } from '@nats-io/jetstream';
import { SpanKind } from '@opentelemetry/api';
import { inWork } from '../telemetry/current-work.js';
import { inSpan, noTelemetry } from '../telemetry/tracing.js';
import { NewerEvent } from '../event-store/catalogue.js';
import type { EndpointDependencies } from '../transport/command-endpoint.js';
import { deadLetterMessage } from './dead-letters.js';
import type { Handbacks } from './handbacks.js';
import { AttemptFailed, RetryLater, type JobDelivery } from './job-queue.js';
import type { Work, WorkLimits, WorkSource } from './work-source.js';

/** Works on the content of one message. */
export type WorkHandler = (payload: unknown, delivery: JobDelivery) => Promise<void>;

/** One delivery of one message. */
export interface DeliverySpec {
  readonly source: WorkSource;
  readonly message: JsMsg;
  readonly work: Work;
  /** 1 for the first attempt; hand-backs do not count. */
  readonly attempt: number;
  readonly handbacks: Handbacks;
  readonly limits: WorkLimits;
}

const HEARTBEATS_PER_WAIT = 3;
const FIRST_RETRY_MS = 1000;
const NEWER_RELEASE_MS = 3000;
const MAX_RETRY_MS = 5 * 60_000;
const WORKING = '+WPI';
const DONE = '+ACK';
const CONFIRM_TRIES = 4;
const CONFIRM_MS = 1500;
const CONFIRM_PAUSE_MS = 250;

type Ending = 'done' | 'later' | 'failed' | 'dead' | 'handed-back';

/** Sees one delivery through: heartbeats while it is worked on, then exactly one of acknowledge, try again, hand back or dead letter. */
export class DeliveryRun {
  readonly #tools: EndpointDependencies;
  readonly #spec: DeliverySpec;
  readonly #abort = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #settled = false;
  #claimLost = false;

  constructor(tools: EndpointDependencies, spec: DeliverySpec) {
    this.#tools = tools;
    this.#spec = spec;
  }

  /** Asks the handler to stop; what it does not finish is handed back. */
  abort(reason: string): void {
    this.#abort.abort(new Error(reason));
  }

  /** Resolves when the delivery is settled; after the given time the work is handed back even though its handler still runs. */
  async finishWithin(timeoutMs: number): Promise<void> {
    const timer = new AbortController();
    const late = delay(timeoutMs, true, { signal: timer.signal, ref: false }).catch(() => false);
    const isLate = await Promise.race([late, this.#ended.promise.then(() => false)]);
    timer.abort();
    if (isLate) await this.#handBack('the handler did not stop in time');
  }

  /** Runs the handler. Resolves when the delivery is settled and never rejects for a fault of the handler. */
  execute(handler: WorkHandler): Promise<void> {
    const { actor, correlationId, traceparent } = this.#spec.work.context;
    const { tracer, metrics } = this.#tools;
    const endTimer = metrics.jobSeconds.startTimer({ subject: this.#spec.source.label });
    const work = { actor, correlationId, traceparent, ...(tracer === noTelemetry.tracer ? {} : { tracer }) };
    return inWork(work, () => this.#execute(handler)).finally(endTimer);
  }

  async #execute(handler: WorkHandler): Promise<void> {
    const { source, work, attempt } = this.#spec;
    const { context, payload } = work;
    const stopHeartbeats = this.#startHeartbeats();
    const attributes = { 'continuo.work': work.id, 'continuo.attempt': attempt };
    try {
      await Promise.race([
        inSpan(
          this.#tools.tracer,
          { name: source.label, kind: SpanKind.CONSUMER, traceparent: context.traceparent, attributes },
          (traceparent) => handler(payload, { ...context, ...(traceparent ? { traceparent } : {}), attempt, signal: this.#abort.signal }),
        ),
        this.#ended.promise,
      ]);
      await this.#done();
    } catch (error) {
      await this.#settleAfter(error);
    } finally {
      stopHeartbeats();
      this.#ended.resolve();
    }
  }

  async #done(): Promise<void> {
    if (!this.#settle()) return;
    await this.#acknowledge();
    if (this.#spec.message.redelivered) await this.#forget();
    this.#count('done');
  }

  /** Confirmed and repeated, because a lost acknowledgement would have long work done twice. The heartbeats go on meanwhile. */
  async #acknowledge(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#tools.nats.request(this.#reply, DONE, { timeout: CONFIRM_MS });
        return;
      } catch (error) {
        this.#tools.log.warn({ ...this.#facts, err: error, tries }, `a finished ${this.#noun} could not be acknowledged`);
        if (tries === CONFIRM_TRIES || this.#tools.nats.isClosed()) return;
        await delay(CONFIRM_PAUSE_MS);
      }
    }
  }

  async #settleAfter(error: unknown): Promise<void> {
    if (error instanceof RetryLater) return this.#retryLater(error);
    // Not this worker's fault: a replica of the newer release takes it.
    if (error instanceof NewerEvent) return this.#retryLater(new RetryLater(NEWER_RELEASE_MS, error.message));
    if (this.#abort.signal.aborted) return this.#handBack('the handler stopped when it was asked to');
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const { attempt, limits, message } = this.#spec;
    if (attempt >= limits.maxAttempts) return this.#bury(`attempt ${attempt} failed: ${reason}`, error);
    if (!this.#settle()) return;
    // Whole numbers only: the server ignores a delay that is not a whole number of nanoseconds.
    const isForeseen = error instanceof AttemptFailed;
    const delayMs = Math.round(
      isForeseen ? error.delayMs : Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2),
    );
    message.nak(delayMs);
    this.#count('failed');
    const facts = { ...this.#facts, delayMs };
    if (isForeseen) this.#tools.log.warn({ ...facts, reason }, `${this.#noun} failed, will be tried again`);
    else this.#tools.log.error({ ...facts, err: error }, `${this.#noun} failed, will be tried again`);
  }

  async #retryLater(error: RetryLater): Promise<void> {
    if (!this.#settle()) return;
    await this.#book();
    this.#spec.message.nak(Math.round(error.delayMs));
    this.#count('later');
    this.#tools.log.info({ ...this.#facts, delayMs: error.delayMs, reason: error.message }, `${this.#noun} put off`);
  }

  async #handBack(reason: string): Promise<void> {
    if (!this.#settle()) return;
    if (!this.#claimLost) {
      await this.#book();
      this.#spec.message.nak();
    }
    this.#count('handed-back');
    this.#tools.log.warn({ ...this.#facts, reason }, `${this.#noun} handed back`);
    this.#ended.resolve();
  }

  async #bury(reason: string, error: unknown): Promise<void> {
    if (!this.#settle()) return;
    try {
      const { source, message } = this.#spec;
      await deadLetterMessage(jetstream(this.#tools.nats), message, reason, source.addressOf?.(message));
    } catch (cause) {
      // Without its copy the message must not go: it comes again after the acknowledgement time.
      this.#tools.log.error({ ...this.#facts, err: cause }, 'failed to store a dead letter');
      return;
    }
    this.#spec.message.term(reason);
    if (this.#spec.message.redelivered) await this.#forget();
    this.#count('dead');
    this.#tools.log.error({ ...this.#facts, err: error, reason }, `${this.#noun} put aside as a dead letter`);
  }

  /** True for the one who may settle the delivery. */
  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    return true;
  }

  /** Reports the work alive; when the server has not heard for a whole acknowledgement time, somebody else may have it. */
  #startHeartbeats(): () => void {
    const { limits } = this.#spec;
    const everyMs = limits.ackWaitMs / HEARTBEATS_PER_WAIT;
    let heardAt = performance.now();
    const beat = async (): Promise<void> => {
      const sentAt = performance.now();
      try {
        await this.#tools.nats.request(this.#reply, WORKING, { timeout: everyMs });
        heardAt = sentAt;
      } catch (error) {
        if (this.#settled || performance.now() - heardAt < limits.ackWaitMs) return;
        this.#claimLost = true;
        this.#tools.log.warn({ ...this.#facts, err: error }, `the claim on this ${this.#noun} is lost`);
        this.abort(`the claim on the ${this.#noun} is lost`);
      }
    };
    const timer = setInterval(() => void beat(), everyMs);
    return () => clearInterval(timer);
  }

  async #book(): Promise<void> {
    await this.#spec.handbacks
      .add(this.#spec.work.key)
      .catch((error: unknown) => this.#tools.log.warn({ ...this.#facts, err: error }, 'failed to record a handed-back delivery'));
  }

  async #forget(): Promise<void> {
    await this.#spec.handbacks
      .forget(this.#spec.work.key)
      .catch((error: unknown) => this.#tools.log.warn({ ...this.#facts, err: error }, 'failed to delete a hand-back count'));
  }

  #count(outcome: Ending): void {
    this.#tools.metrics.jobs.inc({ subject: this.#spec.source.label, outcome });
  }

  /** The subject that takes acknowledgements; the client leaves it out of the type of a message. */
  get #reply(): string {
    return (this.#spec.message as JsMsg & { readonly reply: string }).reply;
  }

  get #noun(): string {
    return this.#spec.source.noun;
  }

  get #facts() {
    const { source, work, message, attempt } = this.#spec;
    const { correlationId, actor } = work.context;
    return { kind: source.label, subject: message.subject, id: work.id, correlationId, actor, attempt };
  }
}
