import type { CommandDefinition, LogPosition, MessageContext, Precondition } from '@continuo/contracts';
import type { z } from 'zod';

/** Result of a command, and the log positions to wait for before reading it back. */
export interface CommandOutcome<R> {
  readonly result: R;
  readonly positions: readonly LogPosition[];
}

/** Options of one command. */
export interface SendOptions {
  /** Total time, retries included, ms. */
  readonly timeoutMs?: number;
  readonly commandId?: string;
  /** Versions of aggregates that it rests on. */
  readonly precondition?: Precondition;
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
    options?: SendOptions,
  ): Promise<CommandOutcome<z.output<R>>>;
}

/** Lets a reader wait until the projections have passed its own writes. */
export interface ProjectionWatch {
  /**
   * Resolves true when every read-model projection of the positions' streams has passed them, false after `timeoutMs` (default 1000). Projections hurry for who waits, unless `isPatient`: then they
   * go on gathering events while many come.
   */
  waitFor(positions: readonly LogPosition[], timeoutMs?: number, options?: { readonly isPatient?: boolean }): Promise<boolean>;
}
