import type { RecordedEvent } from '@continuo/contracts';

/** A place in an aggregate at which events are missing. */
export interface EventGap {
  /** Positions of the events around it; `after` is 0 at the beginning. */
  readonly after: number;
  readonly before: number;
  /** Numbers of the first event that is missing, and of the first one that is there again. */
  readonly number: number;
  readonly nextNumber: number;
}

/**
 * Counts an aggregate's events on from those that are known. One that carries no number counts as the one after the last; one that carries another than the count says
 * shows a hole, and the count goes on from it.
 */
export const countEvents = (
  known: { readonly number: number; readonly position: number },
  events: readonly Pick<RecordedEvent, 'number' | 'position'>[],
): { readonly number: number; readonly holes: readonly EventGap[] } => {
  const holes: EventGap[] = [];
  let { number, position: after } = known;
  for (const event of events) {
    const expected = number + 1;
    if (event.number !== undefined && event.number !== expected)
      holes.push({ after, before: event.position, number: expected, nextNumber: event.number });
    number = event.number ?? expected;
    after = event.position;
  }
  return { number, holes };
};
