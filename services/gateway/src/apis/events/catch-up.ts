import type { RecordedEvent } from '@continuo/contracts';
import { type NotifiedContext, notifiedContexts } from '@continuo/public-events';
import type { Listener } from './event-client.js';
import { resolveRecipients, type ResolvedEvent, type RecipientReads } from './event-recipients.js';
import type { EventLogs } from './event-logs.js';
import { eventText } from './event-stream.js';
import type { LogPositions } from './log-positions.js';

/** A client that reconnects, and the range of events that it missed. */
export interface CatchUp {
  readonly logs: EventLogs;
  readonly reads: RecipientReads;
  readonly listener: Listener;
  readonly idOf: (positions: LogPositions) => string;
  /** Position of the last event sent. */
  readonly from: LogPositions;
  /** Position up to which missed events are sent. */
  readonly target: LogPositions;
}

interface Missed {
  readonly context: NotifiedContext;
  readonly recorded: RecordedEvent;
}

/** Time limit for reading the missed events, ms. */
const WITHIN_MS = 10_000;

/** Sends missed events in their order, with the client's present permissions. @throws Error when the logs cannot be read in time */
export const catchUp = async ({ logs, reads, listener, idOf, from, target }: CatchUp): Promise<void> => {
  const late = AbortSignal.timeout(WITHIN_MS);
  const missed = (await Promise.all(notifiedContexts.map((context) => missedOf(logs, context, { from, target, signal: late })))).flat();
  let told = from;
  for (const { context, recorded } of inLogOrder(missed)) {
    const resolved = await resolveRecipients(reads, recorded, [listener]);
    if (!(await listener.stream.hasRoom(WITHIN_MS))) return;
    tell(listener, resolved, (isLast) => idOf({ ...told, [context]: isLast ? recorded.position : recorded.position - 1 }));
    told = { ...told, [context]: recorded.position };
  }
};

const tell = (listener: Listener, resolved: readonly ResolvedEvent[], idOf: (isLast: boolean) => string): void => {
  for (const [index, { event, isFor }] of resolved.entries()) {
    if (isFor(listener)) listener.stream.offer(eventText({ id: idOf(index === resolved.length - 1), name: event.type, data: event }));
  }
};

const missedOf = async (
  logs: EventLogs,
  context: NotifiedContext,
  { from, target, signal }: Pick<CatchUp, 'from' | 'target'> & { readonly signal: AbortSignal },
): Promise<Missed[]> => {
  const missed: Missed[] = [];
  if (from[context] >= target[context]) return missed;
  for await (const events of logs.follow(context, from[context], signal)) {
    missed.push(...events.filter(({ position }) => position <= target[context]).map((recorded) => ({ context, recorded })));
    if ((events.at(-1)?.position ?? 0) >= target[context]) return missed;
  }
  throw new Error(`${context} could not be read up to ${target[context]} in time`);
};

/** Merges by time without reordering events of one log. */
const inLogOrder = (missed: readonly Missed[]): Missed[] => {
  const queues = notifiedContexts.map((context) =>
    missed.filter((one) => one.context === context).toSorted((a, b) => a.recorded.position - b.recorded.position),
  );
  const merged: Missed[] = [];
  for (;;) {
    const [next] = queues.filter((queue) => queue.length > 0).toSorted((a, b) => (a[0]?.recorded.at ?? 0) - (b[0]?.recorded.at ?? 0));
    const first = next?.shift();
    if (!first) return merged;
    merged.push(first);
  }
};
