import { secretSealer, type Sealer, type ServerSecret } from '@continuo/chassis';
import { type NotifiedContext, notifiedContexts } from '@continuo/public-events';

/** Position in each log. */
export type LogPositions = Readonly<Record<NotifiedContext, number>>;

/** Last positions of the logs, and their incarnation. */
export interface LogEnds {
  readonly positions: LogPositions;
  /** Short text without dots that changes when a log is created anew. */
  readonly incarnation: string;
}

/** Positions by a function of the context. */
export const positionsBy = (of: (context: NotifiedContext) => number): LogPositions =>
  Object.fromEntries(notifiedContexts.map((context) => [context, of(context)])) as LogPositions;

const MAX_DIGITS = 15;

/**
 * Event ids, sent back as `Last-Event-ID`: the position in every log. They are sealed with a fresh nonce, since the growth of the logs would
 * reveal hidden activity.
 */
export class EventIds {
  readonly #sealer: Sealer;

  constructor(secret: ServerSecret) {
    this.#sealer = secretSealer(secret, 'event-stream-ids/v1');
  }

  of(incarnation: string, positions: LogPositions): string {
    return this.#sealer.seal(
      [incarnation, ...notifiedContexts.map((context) => String(positions[context]).padStart(MAX_DIGITS, '0'))].join('.'),
    );
  }

  /** Undefined for an invalid id. */
  read(text: string): LogEnds | undefined {
    const [incarnation, ...numbers] = this.#open(text).split('.');
    if (!incarnation || numbers.length !== notifiedContexts.length || !numbers.every((part) => /^\d+$/.test(part))) return undefined;
    return { incarnation, positions: positionsBy((context) => Number(numbers[notifiedContexts.indexOf(context)])) };
  }

  #open(text: string): string {
    try {
      return this.#sealer.open(text);
    } catch {
      // Sealed under another secret, or forged.
      return '';
    }
  }
}
