import { errorTable, Rejection, type CommandDefinition, type CommandMessage, type CommandReply } from '@continuo/contracts';
import { headers, type Msg, type MsgHdrs, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { SpanKind, type Tracer } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { NewerEvent } from '../event-store/catalogue.js';
import { isEventStoreUnavailable } from '../event-store/event-store-unavailable.js';
import { withTimeout } from '../with-timeout.js';
import type { Metrics } from '../metrics.js';
import { areTablesMissing, isDatabaseUnavailable } from '../persistence/database-unavailable.js';
import { fullStorage } from '../persistence/full-storage.js';
import { inWork } from '../telemetry/current-work.js';
import { inSpan, noTelemetry } from '../telemetry/tracing.js';
import type { Handled } from './handlers.js';
import { decodeMessage } from './message.js';
import { NotYetReady } from './not-yet-ready.js';
import { onStatus } from './on-status.js';

/** Dependencies shared by the endpoints of one service. */
export interface EndpointDependencies {
  readonly nats: NatsConnection;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
}

/**
 * Header of a refusal that another replica may not give: this one is older than what the log holds of the aggregate, or it has just started. Who sends the command asks again under the
 * same id, and is answered by a replica that can sooner or later.
 */
export const ASK_ANOTHER_HEADER = 'Continuo-Ask-Another';

/** Answers a parsed command. */
export type CommandHandler = (message: CommandMessage) => Promise<Handled<unknown>>;

/** Commands handled at the same time per subject and replica; beyond it they are refused for the moment. */
const MAX_IN_FLIGHT = 256;

/** Subscribes one replica to the subject of one command; all replicas are in one queue group. */
export class CommandEndpoint {
  readonly #tools: EndpointDependencies;
  readonly #definition: CommandDefinition;
  readonly #handler: CommandHandler;
  readonly #maxInFlight: number;
  readonly #serving = new Set<Promise<void>>();
  /** Commands being answered, by id: a retry that arrives meanwhile gets the same answer instead of a second run. */
  readonly #answers = new Map<string, Promise<Answer>>();
  #subscription: Subscription | undefined;
  #unwatch: (() => void) | undefined;

  constructor(tools: EndpointDependencies, definition: CommandDefinition, handler: CommandHandler, maxInFlight = MAX_IN_FLIGHT) {
    this.#tools = tools;
    this.#definition = definition;
    this.#handler = handler;
    this.#maxInFlight = maxInFlight;
  }

  /** Starts to take commands. */
  start(): void {
    const { context, subject } = this.#definition;
    // What these runs wait for may never be answered. A retry runs anew: the log refuses what the first run has written after all.
    this.#unwatch = onStatus(this.#tools.nats, 'disconnect', () => this.#answers.clear());
    this.#subscription = this.#tools.nats.subscribe(subject, {
      queue: `cmd.${context}`,
      // Must be synchronous: a promise returned from here would be dropped by the client.
      callback: (error, message) => {
        if (error) this.#tools.log.error({ err: error, subject }, 'the subscription of a command failed');
        else this.#accept(message);
      },
    });
  }

  /** Stops taking commands and waits until those that arrived are answered, at most `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    const subscription = this.#subscription;
    this.#subscription = undefined;
    this.#unwatch?.();
    try {
      await withTimeout(timeoutMs, this.#finish(subscription));
    } catch (error) {
      this.#tools.log.warn(
        { err: error, subject: this.#definition.subject, unanswered: this.#serving.size },
        'commands were not finished in time',
      );
    }
  }

  async #finish(subscription: Subscription | undefined): Promise<void> {
    if (subscription && !subscription.isClosed() && !this.#tools.nats.isClosed()) await subscription.drain();
    while (this.#serving.size > 0) await Promise.all(this.#serving);
  }

  #accept(message: Msg): void {
    const serving = this.#serve(message).finally(() => this.#serving.delete(serving));
    this.#serving.add(serving);
  }

  async #serve(message: Msg): Promise<void> {
    const startedMs = performance.now();
    const answer = await this.#replyTo(message);
    const { reply } = answer;
    const outcome = reply.ok ? 'ok' : reply.code;
    this.#tools.metrics.commandSeconds.observe({ subject: this.#definition.subject, outcome }, (performance.now() - startedMs) / 1000);
    this.#respond(message, answer);
  }

  #respond(message: Msg, { reply, askAnother }: Answer): void {
    const { subject } = this.#definition;
    try {
      message.respond(JSON.stringify(reply), askAnother ? { headers: askAnotherHeaders() } : {});
    } catch (error) {
      this.#tools.log.error({ err: error, subject }, 'failed to send the answer to a command');
      // An answer above the server's message size would otherwise leave the caller waiting.
      if (reply.ok && !this.#tools.nats.isClosed())
        message.respond(JSON.stringify(refusal('internal', 'the answer could not be sent').reply));
    }
  }

  async #replyTo(message: Msg): Promise<Answer> {
    if (this.#serving.size >= this.#maxInFlight) {
      this.#tools.log.warn({ subject: this.#definition.subject }, 'too many commands at once, refused one');
      return refusal('unavailable', 'too many commands at once');
    }
    let command: CommandMessage;
    try {
      command = decodeMessage(message.data, message.headers, this.#definition.schema);
    } catch (error) {
      return this.#refuse(error);
    }
    const running = this.#answers.get(command.id);
    if (running) return running;
    const answer = this.#answer(command);
    this.#answers.set(command.id, answer);
    try {
      return await answer;
    } finally {
      if (this.#answers.get(command.id) === answer) this.#answers.delete(command.id);
    }
  }

  #answer(command: CommandMessage): Promise<Answer> {
    const { actor, correlationId, traceparent } = command;
    const { tracer } = this.#tools;
    return inWork({ actor, correlationId, traceparent, ...(tracer === noTelemetry.tracer ? {} : { tracer }) }, () => this.#run(command));
  }

  async #run(command: CommandMessage): Promise<Answer> {
    const { subject } = this.#definition;
    try {
      const { result, positions } = await inSpan(
        this.#tools.tracer,
        { name: subject, kind: SpanKind.SERVER, traceparent: command.traceparent },
        (traceparent) => this.#handler({ ...command, ...(traceparent ? { traceparent } : {}) }),
      );
      return { reply: { ok: true, positions, result } };
    } catch (error) {
      return this.#refuse(error, command);
    }
  }

  #refuse(error: unknown, command?: CommandMessage): Answer {
    const facts = {
      subject: this.#definition.subject,
      commandId: command?.id,
      correlationId: command?.correlationId,
      actor: command?.actor,
    };
    if (error instanceof NotYetReady) {
      this.#tools.log.info({ ...facts, reason: error.message }, 'command left to a replica that is ready');
      return { ...refusal(error.code, error.message), askAnother: true };
    }
    if (error instanceof Rejection) {
      this.#tools.log.warn({ ...facts, code: error.code, reason: error.message, field: error.subject }, 'command refused');
      return refusal(error.code, error.message, error.subject);
    }
    if (error instanceof NewerEvent) {
      this.#tools.log.info({ ...facts, reason: error.message }, 'command left to a replica of a newer release');
      return { ...refusal('unavailable', error.message), askAnother: true };
    }
    if (isDatabaseUnavailable(error) || areTablesMissing(error) || isEventStoreUnavailable(error)) {
      const what = isEventStoreUnavailable(error) ? 'the event log does not answer' : 'the database does not answer';
      this.#tools.log.warn({ ...facts, reason: (error as Error).message }, what);
      return refusal('unavailable', errorTable.unavailable.meaning);
    }
    const full = fullStorage(error);
    if (full !== undefined) {
      this.#tools.log.error({ ...facts, err: error }, full);
      return refusal('storage.full', full);
    }
    this.#tools.log.error({ ...facts, err: error }, 'command failed');
    const reference = command ? ` (${command.correlationId})` : '';
    return refusal('internal', `${errorTable.internal.meaning}${reference}`);
  }
}

interface Answer {
  readonly reply: CommandReply;
  readonly askAnother?: boolean;
}

const askAnotherHeaders = (): MsgHdrs => {
  const h = headers();
  h.set(ASK_ANOTHER_HEADER, '1');
  return h;
};

const refusal = (code: keyof typeof errorTable, message: string, subject?: string): Answer => ({
  reply: { ok: false, code, message, ...(subject === undefined ? {} : { subject }) },
});
