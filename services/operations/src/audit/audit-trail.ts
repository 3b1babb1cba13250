import { eventStreams, type Context, type EventStreamName } from '@continuo/contracts';
import type { Session } from '../connect/session.js';
import { readBackwards, type AuditEntry } from './backwards-reader.js';

/** Filter of the audit trail; absent fields match everything. */
export interface AuditFilter {
  readonly context?: Context | undefined;
  /** Kind of thing, as in subjects: `catalog`, `user`. */
  readonly aggregate?: string | undefined;
  /** Id of that thing. */
  readonly objectId?: string | undefined;
  /** Actor of the events: `user:1`, `system`, `continuo-cli`. */
  readonly actor?: string | undefined;
}

/** Positions of the logs that the next page begins before; a log that is not named has been read to its beginning. */
export type AuditMark = Readonly<Partial<Record<EventStreamName, number>>>;

/** Page of the audit trail. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** Undefined when the logs are read to their beginnings. */
  readonly next: AuditMark | undefined;
}

/** Messages that one page looks through at most: a page of a filter that matches little may be short, or empty, and not the last. */
const MOST_READ = 5000;
const WILDCARD = '*';

const subjectOf = (context: Context, { aggregate = WILDCARD, objectId }: AuditFilter): string =>
  objectId === undefined ? `ev.${context}.*.${aggregate}.>` : `ev.${context}.*.${aggregate}.${objectId}`;

/** Events of one log, from the latest back; `head` is the one that is next. */
class LogCursor {
  readonly #session: Pick<Session, 'manager' | 'nats'>;
  readonly #subject: string;
  readonly #filter: AuditFilter;
  readonly stream: EventStreamName;
  #before: number;
  #window = 128;
  #ready: AuditEntry[] = [];
  /** Time of the earliest event that was looked at, whether it matches or not: everything that is left is older. */
  #readToMs = Number.POSITIVE_INFINITY;

  constructor(session: Pick<Session, 'manager' | 'nats'>, filter: AuditFilter, at: { context: Context; before: number }) {
    this.#session = session;
    this.#filter = filter;
    this.stream = eventStreams[at.context];
    this.#subject = subjectOf(at.context, filter);
    this.#before = at.before;
  }

  get head(): AuditEntry | undefined {
    return this.#ready.at(-1);
  }

  /** Position before which the next page begins; undefined at the beginning of the log. */
  get mark(): number | undefined {
    const mark = this.head === undefined ? this.#before : this.head.position + 1;
    return mark > 1 ? mark : undefined;
  }

  /** No later than this is whatever comes next. */
  get latestMs(): number {
    if (this.isEnded) return Number.NEGATIVE_INFINITY;
    return this.head?.atMs ?? this.#readToMs;
  }

  get isEnded(): boolean {
    return this.#before <= 1 && this.#ready.length === 0;
  }

  take(): void {
    this.#ready.pop();
  }

  /** Reads until there is a head, the log has ended, or `most` messages are read; answers how many were. */
  async fill(most: number): Promise<number> {
    let read = 0;
    while (this.head === undefined && this.#before > 1 && read < most) {
      const from = Math.max(1, this.#before - this.#window);
      const found = await readBackwards(this.#session, this.stream, { subject: this.#subject, from, before: this.#before });
      this.#ready = found.filter(({ actor }) => this.#filter.actor === undefined || actor === this.#filter.actor);
      read += found.length;
      this.#readToMs = found[0]?.atMs ?? this.#readToMs;
      this.#before = from;
      // What matches little is looked for in larger and larger parts: the server finds subjects without reading what lies between.
      this.#window = found.length < this.#window / 8 ? this.#window * 8 : 128;
    }
    return read;
  }
}

const lastPositions = async ({ manager }: Pick<Session, 'manager'>, contexts: readonly Context[]): Promise<Map<Context, number>> =>
  new Map(
    await Promise.all(
      contexts.map(async (context): Promise<[Context, number]> => {
        const last = await manager.streams.info(eventStreams[context]).then(
          ({ state }) => state.last_seq,
          // A service that has never started has no log.
          () => 0,
        );
        return [context, last];
      }),
    ),
  );

const latestOf = (cursors: readonly LogCursor[]): LogCursor | undefined => {
  const heads = cursors.filter(({ head }) => head !== undefined);
  return heads.toSorted((a, b) => (b.head?.atMs ?? 0) - (a.head?.atMs ?? 0))[0];
};

/**
 * A page of who did what when, the latest first, out of all logs or those of one context. Reads backwards by position, in parts: what a page costs does not
 * depend on the size of the logs.
 */
export const auditPage = async (
  session: Pick<Session, 'manager' | 'nats'>,
  filter: AuditFilter,
  { before, limit }: { readonly before: AuditMark | undefined; readonly limit: number },
): Promise<AuditPage> => {
  const contexts = (Object.keys(eventStreams) as Context[]).filter((one) => filter.context === undefined || one === filter.context);
  const ends = before === undefined ? await lastPositions(session, contexts) : undefined;
  const cursors = contexts.map(
    (context) =>
      new LogCursor(session, filter, { context, before: before ? (before[eventStreams[context]] ?? 1) : (ends?.get(context) ?? 0) + 1 }),
  );
  const entries: AuditEntry[] = [];
  let left = MOST_READ;
  while (entries.length < limit) {
    const most = left;
    const read = await Promise.all(cursors.map((cursor) => cursor.fill(most)));
    left -= read.reduce((sum, count) => sum + count, 0);
    const latest = latestOf(cursors);
    if (latest?.head === undefined) break;
    // A log that has been read only in part may still hold something later than this.
    const { atMs } = latest.head;
    if (cursors.some((cursor) => cursor.head === undefined && cursor.latestMs > atMs)) break;
    entries.push(latest.head);
    latest.take();
  }
  const marks = cursors.flatMap((cursor) => (cursor.mark === undefined ? [] : [[cursor.stream, cursor.mark] as const]));
  return { entries, next: marks.length === 0 ? undefined : (Object.fromEntries(marks) as AuditMark) };
};
