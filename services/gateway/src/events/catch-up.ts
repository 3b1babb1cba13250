import { toldContexts, type ToldContext } from '@continuo/chassis';
import type { RecordedEvent } from '@continuo/contracts';
import type { Listener } from './event-client.js';
import { judge, type Judged, type JudgeTools } from './event-judge.js';
import type { EventLogs } from './event-logs.js';
import { eventText } from './event-stream.js';
import type { LogPositions } from './log-positions.js';

/** What somebody missed, and how it is found out. */
export interface CatchUp {
  readonly logs: EventLogs;
  readonly tools: JudgeTools;
  readonly listener: Listener;
  readonly idOf: (positions: LogPositions) => string;
  /** How far they were told. */
  readonly from: LogPositions;
  /** How far they are to be told. */
  readonly target: LogPositions;
}

interface Missed {
  readonly context: ToldContext;
  readonly recorded: RecordedEvent;
}

/** All of it has to be there by then. */
const WITHIN_MS = 10_000;

/** Tells somebody what they missed, in the order in which it happened, as far as they may be told it by now. @throws Error when the logs cannot be read in time */
export const catchUp = async ({ logs, tools, listener, idOf, from, target }: CatchUp): Promise<void> => {
  const late = AbortSignal.timeout(WITHIN_MS);
  const missed = (await Promise.all(toldContexts.map((context) => missedOf(logs, context, { from, target, signal: late })))).flat();
  let told = from;
  for (const { context, recorded } of inLogOrder(missed)) {
    const judged = await judge(tools, recorded, [listener]);
    if (!(await listener.stream.hasRoom(WITHIN_MS))) return;
    tell(listener, judged, (isLast) => idOf({ ...told, [context]: isLast ? recorded.position : recorded.position - 1 }));
    told = { ...told, [context]: recorded.position };
  }
};

const tell = (listener: Listener, judged: readonly Judged[], idOf: (isLast: boolean) => string): void => {
  for (const [index, { event, isFor }] of judged.entries()) {
    if (isFor(listener)) listener.stream.offer(eventText({ id: idOf(index === judged.length - 1), name: event.type, data: event }));
  }
};

const missedOf = async (
  logs: EventLogs,
  context: ToldContext,
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

/** Merges by time, and never lets an event of a log overtake one before it. */
const inLogOrder = (missed: readonly Missed[]): Missed[] => {
  const queues = toldContexts.map((context) =>
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
