import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  isErrorCode,
  Rejection,
  type CommandDefinition,
  type CommandMessage,
  type CommandReply,
  type MessageContext,
} from '@continuo/contracts';
import { errors, type Msg, type NatsConnection, type RequestOptions } from '@nats-io/transport-node';
import { SpanKind, type Tracer } from '@opentelemetry/api';
import type { z } from 'zod';
import type { CommandClient, CommandOutcome, SendOptions } from '../commands-client.js';
import { inSpan, noTelemetry } from '../telemetry/tracing.js';
import { ASK_ANOTHER_HEADER } from '../transport/command-endpoint.js';
import { encodeMessage, traceHeaders } from '../transport/message.js';
import { onStatus } from '../transport/on-status.js';

/** Timeouts for the answer of a service and for its absence. */
export interface CommandClientOptions {
  /** Total time for one command, retries included, ms; default 5000. */
  readonly timeoutMs?: number;
  /** Time to retry while no service listens (it may be starting), ms; default 2000. */
  readonly absenceMs?: number;
  readonly tracer?: Tracer;
}

/** A retry is sent when this share of the total time has passed in silence: the replica that had it may have died. A lost connection is noticed at once. */
const SHARE_PER_TRY = 0.4;
const MIN_TRY_MS = 100;
const FIRST_WAIT_MS = 25;
const MAX_WAIT_MS = 400;

/** Sends commands over NATS; whichever replica of the owning service is free answers. */
export class NatsCommandClient implements CommandClient {
  readonly #nats: NatsConnection;
  readonly #timeoutMs: number;
  readonly #absenceMs: number;
  readonly #tracer: Tracer;
  /** Aborts the attempts under way once the connection has come back, because requests sent before are lost. */
  readonly #retries = new Set<() => void>();

  constructor(nats: NatsConnection, { timeoutMs = 5000, absenceMs = 2000, tracer = noTelemetry.tracer }: CommandClientOptions = {}) {
    this.#nats = nats;
    this.#timeoutMs = timeoutMs;
    this.#absenceMs = absenceMs;
    this.#tracer = tracer;
    onStatus(nats, 'reconnect', () => {
      for (const retry of this.#retries) retry();
    });
  }

  send<S extends z.ZodType, R extends z.ZodType>(
    command: CommandDefinition<S, R>,
    data: z.input<S>,
    context: MessageContext,
    { timeoutMs = this.#timeoutMs, commandId: id = randomUUID(), precondition }: SendOptions = {},
  ): Promise<CommandOutcome<z.output<R>>> {
    const spec = { name: command.subject, kind: SpanKind.CLIENT, traceparent: context.traceparent };
    return inSpan(this.#tracer, spec, async (traceparent) => {
      const { actor, correlationId, causationId } = context;
      const more = { ...(precondition ? { precondition } : {}), ...(traceparent ? { traceparent } : {}) };
      const message = { id, at: Date.now(), actor, correlationId, causationId, data, ...more };
      const reply = await this.#exchange(command.subject, message, timeoutMs);
      // A code that only a newer release knows: this gateway is about to be replaced by one that can say it.
      if (!reply.ok) throw new Rejection(isErrorCode(reply.code) ? reply.code : 'unavailable', reply.message, reply.subject);
      return { result: command.result.parse(reply.result), positions: reply.positions };
    });
  }

  /** One command until it is answered; every try carries the same id, so a second delivery changes nothing. */
  async #exchange(subject: string, message: CommandMessage, timeoutMs: number): Promise<CommandReply> {
    const payload = encodeMessage(message);
    const headers = traceHeaders(message.traceparent);
    const startedAt = Date.now();
    const tryMs = Math.max(MIN_TRY_MS, timeoutMs * SHARE_PER_TRY);
    // Services may come back a moment later than this connection, so their absence counts from there.
    let connectedAt = startedAt;
    let refusal: CommandReply | undefined;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
      const leftMs = startedAt + timeoutMs - Date.now();
      if (leftMs <= 0 && refusal) return refusal;
      if (leftMs <= 0) throw new Rejection('unavailable', `no answer to ${subject} within ${timeoutMs} ms`);
      try {
        const answer = await this.#try(subject, payload, { timeout: Math.min(tryMs, leftMs), ...(headers ? { headers } : {}) });
        if (answer?.headers?.has(ASK_ANOTHER_HEADER)) {
          refusal = answer.json<CommandReply>();
          await delay(Math.min(waitMs, leftMs));
          continue;
        }
        if (answer) return answer.json<CommandReply>();
        [connectedAt, waitMs] = [Date.now(), FIRST_WAIT_MS];
      } catch (error) {
        const absent = this.#explain(error, subject, Date.now() - connectedAt);
        if (absent) await delay(Math.min(waitMs * (0.5 + Math.random()), Math.max(0, leftMs)));
      }
    }
  }

  /** One try; undefined when the connection broke and came back meanwhile. */
  async #try(subject: string, payload: string, options: RequestOptions): Promise<Msg | undefined> {
    const lost = Promise.withResolvers<undefined>();
    const retry = (): void => lost.resolve(undefined);
    this.#retries.add(retry);
    try {
      return await Promise.race([this.#nats.request(subject, payload, options), lost.promise]);
    } finally {
      this.#retries.delete(retry);
    }
  }

  /** True when nobody listens yet, false when somebody did not answer in time. @throws Rejection when another try is of no use. */
  #explain(error: unknown, subject: string, elapsedMs: number): boolean {
    if (error instanceof errors.TimeoutError) return false;
    if (error instanceof errors.InvalidArgumentError) throw new Rejection('input.too-large', undefined, undefined, { cause: error });
    const absent = error instanceof errors.RequestError && error.isNoResponders();
    if (absent && elapsedMs < this.#absenceMs) return true;
    if (absent) throw new Rejection('unavailable', `no service answers ${subject}`, undefined, { cause: error });
    if (error instanceof SyntaxError) throw new Rejection('internal', `the answer to ${subject} is not JSON`, undefined, { cause: error });
    throw new Rejection('unavailable', undefined, undefined, { cause: error });
  }
}
