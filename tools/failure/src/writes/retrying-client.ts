import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandClient } from '@continuo/chassis';
import { errorTable, Rejection, type CommandDefinition } from '@continuo/contracts';
import type { z } from 'zod';

const GIVE_UP_MS = 300_000;
const PAUSE_MS = 100;
/** Every so many commands one is sent again after its answer, as if the answer had been lost. */
const REPEAT_EVERY = 4;

/** Sends each command under one id until it is acknowledged, as a careful caller does, and counts what that took. */
export class RetryingClient {
  readonly #commands: CommandClient;
  readonly #refusals = new Map<string, number>();
  #acknowledged = 0;
  #lastAt: number | undefined;
  #longestGapMs = 0;

  constructor(commands: CommandClient) {
    this.#commands = commands;
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Longest time in which nothing was acknowledged to anybody, ms. */
  get longestGapMs(): number {
    return Math.round(this.#longestGapMs);
  }

  /** Answers that asked to come again, by code. */
  get refusals(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#refusals);
  }

  /** Like `send`, and now and then sends a command that was acknowledged once more: that must be acknowledged too, and change nothing. */
  async sendForgetfully<S extends z.ZodType, R extends z.ZodType>(command: CommandDefinition<S, R>, data: z.input<S>): Promise<void> {
    const commandId = randomUUID();
    await this.send(command, data, commandId);
    if (this.#acknowledged % REPEAT_EVERY === 0) await this.send(command, data, commandId);
  }

  /** @throws Rejection when the command is refused for good, or is not acknowledged within five minutes */
  async send<S extends z.ZodType, R extends z.ZodType>(
    command: CommandDefinition<S, R>,
    data: z.input<S>,
    commandId: string = randomUUID(),
  ): Promise<z.output<R>> {
    const context = { actor: 'system', correlationId: commandId, causationId: 'failure-suite' };
    for (const end = Date.now() + GIVE_UP_MS; ; await delay(PAUSE_MS)) {
      try {
        const { result } = await this.#commands.send(command, data, context, { commandId });
        this.#noteAcknowledged();
        return result;
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        const kind = `${error.code}: ${error.message.replace(/ \(.*\)$/, '')}`;
        this.#refusals.set(kind, (this.#refusals.get(kind) ?? 0) + 1);
        if (errorTable[error.code].retry === 'never' || Date.now() > end) throw error;
      }
    }
  }

  #noteAcknowledged(): void {
    this.#acknowledged += 1;
    const now = performance.now();
    if (this.#lastAt !== undefined) this.#longestGapMs = Math.max(this.#longestGapMs, now - this.#lastAt);
    this.#lastAt = now;
  }
}
