import type { CommandDefinition, LogPosition, MessageContext } from '@continuo/contracts';
import type { z } from 'zod';

/** Result of a command, and the log positions to wait for before reading it back. */
export interface CommandOutcome<R> {
  readonly result: R;
  readonly positions: readonly LogPosition[];
}

/** Sends commands to whichever service answers them. */
export interface CommandClient {
  /**
   * Sends a command and waits for its answer. Retries with the same command id while nobody answers in time.
   * @throws Rejection with the service's code, or `unavailable` when no service answered within the time-out.
   */
  send<S extends z.ZodType, R extends z.ZodType>(
    command: CommandDefinition<S, R>,
    data: z.input<S>,
    context: MessageContext,
    options?: { timeoutMs?: number; commandId?: string },
  ): Promise<CommandOutcome<z.output<R>>>;
}

/** Lets a reader wait until the projections have passed its own writes. */
export interface ProjectionWatch {
  /** Resolves true when every read-model projection of the positions' streams has passed them, false after `timeoutMs` (default 1000). */
  waitFor(positions: readonly LogPosition[], timeoutMs?: number): Promise<boolean>;
}
