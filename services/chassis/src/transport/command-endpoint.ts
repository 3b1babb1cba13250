import { errorTable, Rejection, type CommandDefinition, type CommandMessage, type CommandReply } from '@continuo/contracts';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { SpanKind, type Tracer } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { within } from '../within.js';
import type { Metrics } from '../metrics.js';
import { isDatabaseAway } from '../persistence/database-away.js';
import { inSpan } from '../telemetry/tracing.js';
import type { Handled } from './handlers.js';
import { decodeMessage } from './message.js';
import { onStatus } from './on-status.js';

/** What the endpoints of one service share. */
export interface EndpointTools {
  readonly nats: NatsConnection;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
}

/** Answers a parsed command. */
export type CommandHandler = (message: CommandMessage) => Promise<Handled<unknown>>;

/** Commands answered at the same time per subject and replica; beyond it the caller is told to come back. */
const MAX_IN_FLIGHT = 256;

/** Subscribes one replica to the subject of one command; all replicas are in one queue group. */
export class CommandEndpoint {
  readonly #tools: EndpointTools;
  readonly #definition: CommandDefinition;
  readonly #handler: CommandHandler;
  readonly #maxInFlight: number;
  readonly #serving = new Set<Promise<void>>();
  /** Commands being answered, by id: a retry that arrives meanwhile gets the same answer instead of a second run. */
  readonly #answers = new Map<string, Promise<CommandReply>>();
  #subscription: Subscription | undefined;
  #unwatch: (() => void) | undefined;

  constructor(tools: EndpointTools, definition: CommandDefinition, handler: CommandHandler, maxInFlight = MAX_IN_FLIGHT) {
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
        if (error) this.#tools.log.error({ err: error, subject }, 'the subscription of a command has failed');
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
      await within(timeoutMs, this.#finish(subscription));
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
    const reply = await this.#replyTo(message);
    const outcome = reply.ok ? 'ok' : reply.code;
    this.#tools.metrics.commandSeconds.observe({ subject: this.#definition.subject, outcome }, (performance.now() - startedMs) / 1000);
    this.#respond(message, reply);
  }

  #respond(message: Msg, reply: CommandReply): void {
    const { subject } = this.#definition;
    try {
      message.respond(JSON.stringify(reply));
    } catch (error) {
      this.#tools.log.error({ err: error, subject }, 'the answer to a command could not be sent');
      // An answer above the server's message size would otherwise leave the caller waiting.
      if (reply.ok && !this.#tools.nats.isClosed()) message.respond(JSON.stringify(refusal('internal', 'the answer could not be sent')));
    }
  }

  async #replyTo(message: Msg): Promise<CommandReply> {
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

  async #answer(command: CommandMessage): Promise<CommandReply> {
    const { subject } = this.#definition;
    try {
      const { result, positions } = await inSpan(
        this.#tools.tracer,
        { name: subject, kind: SpanKind.SERVER, traceparent: command.traceparent },
        (traceparent) => this.#handler({ ...command, ...(traceparent ? { traceparent } : {}) }),
      );
      return { ok: true, positions, result };
    } catch (error) {
      return this.#refuse(error, command);
    }
  }

  #refuse(error: unknown, command?: CommandMessage): CommandReply {
    const facts = {
      subject: this.#definition.subject,
      commandId: command?.id,
      correlationId: command?.correlationId,
      actor: command?.actor,
    };
    if (error instanceof Rejection) {
      this.#tools.log.warn({ ...facts, code: error.code, reason: error.message, field: error.subject }, 'command refused');
      return refusal(error.code, error.message, error.subject);
    }
    if (isDatabaseAway(error)) {
      this.#tools.log.warn({ ...facts, reason: (error as Error).message }, 'the database does not answer');
      return refusal('unavailable', errorTable.unavailable.meaning);
    }
    this.#tools.log.error({ ...facts, err: error }, 'command failed');
    const reference = command ? ` (${command.correlationId})` : '';
    return refusal('internal', `${errorTable.internal.meaning}${reference}`);
  }
}

const refusal = (code: keyof typeof errorTable, message: string, subject?: string): CommandReply => ({
  ok: false,
  code,
  message,
  ...(subject === undefined ? {} : { subject }),
});
