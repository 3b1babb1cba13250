import { toldContexts, type ToldContext } from '@continuo/chassis';

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

/** What clients get as the id of an event and send back as `Last-Event-ID`: how far they have been told, of every log. */
export const eventIdOf = (mark: string, positions: LogPositions): string =>
  [mark, ...toldContexts.map((context) => positions[context])].join('.');

const MAX_DIGITS = 15;

/** Reads such an id; undefined for what is none. */
export const parseEventId = (text: string): LogEnds | undefined => {
  const [mark, ...numbers] = text.split('.');
  const isNumber = (part: string): boolean => part.length <= MAX_DIGITS && /^\d+$/.test(part);
  if (!mark || numbers.length !== toldContexts.length || !numbers.every(isNumber)) return undefined;
  return { mark, positions: positionsBy((context) => Number(numbers[toldContexts.indexOf(context)])) };
};
