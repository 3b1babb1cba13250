import { secretSealer, toldContexts, type Sealer, type ServerSecret, type ToldContext } from '@continuo/chassis';

/** How far each log was told. */
export type LogPositions = Readonly<Record<ToldContext, number>>;

/** Where the logs stand: how far they go, and a mark of their present life. */
export interface LogEnds {
  readonly positions: LogPositions;
  /** Short text without dots that changes when a log is made anew. */
  readonly mark: string;
}

/** Positions made by a function of the context. */
export const positionsBy = (of: (context: ToldContext) => number): LogPositions =>
  Object.fromEntries(toldContexts.map((context) => [context, of(context)])) as LogPositions;

const MAX_DIGITS = 15;

/**
 * What clients get as the id of an event and send back as `Last-Event-ID`: how far they have been told, of every log. It is sealed, and another text each time:
 * how fast the logs grow would tell somebody how much goes on that they are not told of.
 */
export class EventIds {
  readonly #sealer: Sealer;

  constructor(secret: ServerSecret) {
    this.#sealer = secretSealer(secret, 'event-stream-ids/v1');
  }

  of(mark: string, positions: LogPositions): string {
    return this.#sealer.seal([mark, ...toldContexts.map((context) => String(positions[context]).padStart(MAX_DIGITS, '0'))].join('.'));
  }

  /** Undefined for what is no such id. */
  read(text: string): LogEnds | undefined {
    const [mark, ...numbers] = this.#open(text).split('.');
    if (!mark || numbers.length !== toldContexts.length || !numbers.every((part) => /^\d+$/.test(part))) return undefined;
    return { mark, positions: positionsBy((context) => Number(numbers[toldContexts.indexOf(context)])) };
  }

  #open(text: string): string {
    try {
      return this.#sealer.open(text);
    } catch {
      // Sealed under another secret, or made up: there is nothing in it.
      return '';
    }
  }
}
