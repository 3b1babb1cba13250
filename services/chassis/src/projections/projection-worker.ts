import { projectedSubject, type EventStreamName, type ProjectedNotice } from '@continuo/contracts';
import { SpanKind, type Tracer } from '@opentelemetry/api';
import { sql, type CompiledQuery, type Kysely } from 'kysely';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Metrics } from '../metrics.js';
import type { EventEnvelope } from '../event-store/headers.js';
import { spanForEach } from '../telemetry/tracing.js';
import { eventBatches, type EventBatch } from './batch-source.js';
import { advancing, insistOnOwnership, type Checkpoint } from './checkpoints.js';
import { FillingThread } from './filling-thread.js';
import { enteringSchema, takeStatistics } from './generations.js';
import { lagStateOf } from './projection-lag.js';
import { PassedPositions, type Passer } from './passed-positions.js';
import type { Filling, Projection } from './projection.js';
import { readAhead } from './read-ahead.js';
import { storedBatches } from './stored-batches.js';
import { WaitingReaders } from './waiting-readers.js';

/** Rest after a commit while much is coming, in which events gather: those of a scan then come in few large batches. */
const REST_MS = 250;
/** Much is coming when so many commits lie within this time; single writes are shown at once. */
const MANY_COMMITS = 5;
const BUSY_WITHIN_MS = 2000;

/** So many events are worth the start of a thread. */
const WORTH_A_THREAD = 2000;

/** Events after which tables are looked at for statistics. */
const STATISTICS_EVERY = 1000;

/** Dependencies of a projection worker. */
export interface WorkerContext {
  readonly db: Kysely<unknown>;
  readonly nats: NatsConnection;
  readonly metrics: Metrics;
  /** Absent while tracing is off. */
  readonly tracer?: Tracer | undefined;
}

/** A batch of events, and the statements that they lead to. */
interface PreparedBatch extends Omit<EventBatch, 'events'> {
  readonly events: readonly EventEnvelope[];
  readonly queries: readonly CompiledQuery[];
}

/** Reads on from the checkpoint until `ending` fires. */
type Source = (ending: AbortSignal) => AsyncGenerator<PreparedBatch>;

/** Applies the events of one stream to one generation of a projection, batch by batch, each in one transaction with the checkpoint. */
export class ProjectionWorker implements Passer {
  readonly #context: WorkerContext;
  readonly #projection: Projection;
  readonly #passed: PassedPositions;
  #checkpoint: Checkpoint;
  #pending = Number.POSITIVE_INFINITY;
  /** Times of the latest commits, `performance.now()`. */
  #commits: readonly number[] = [];
  #isCommitting = false;
  /** Events since statistics were thought of. */
  #uncounted = 0;
  /** Ends when nobody else moves the checkpoint. */
  #moving: Promise<void> = Promise.resolve();
  /** Fires with the reason when the checkpoint cannot be moved. */
  #refusal = new AbortController();

  constructor(context: WorkerContext, projection: Projection, checkpoint: Checkpoint) {
    this.#context = context;
    this.#projection = projection;
    this.#checkpoint = checkpoint;
    this.#passed = PassedPositions.of(context.db);
  }

  get checkpoint(): Checkpoint {
    return this.#checkpoint;
  }

  /** Events of the stream that are not projected yet, as of the last batch. */
  get pendingEvents(): number {
    return this.#pending;
  }

  get isCommitting(): boolean {
    return this.#isCommitting;
  }

  moving(until: Promise<void>): void {
    this.#moving = until;
  }

  moved(position: number): void {
    this.#checkpoint = { ...this.#checkpoint, position };
    if (this.#checkpoint.state === 'live') this.#context.metrics.projectionPosition.set({ projection: this.#projection.name }, position);
  }

  refused(reason: unknown): void {
    this.#refusal.abort(reason);
  }

  /**
   * Projects until the signal fires or, with `until`, exactly up to that position.
   * @throws FencedOut when another owner took over; anything else is a fault of the surroundings, after which `run` may be called anew.
   */
  async run(signal: AbortSignal, until = Number.POSITIVE_INFINITY): Promise<void> {
    // Up to a given position every step counts, and the last one is written before anybody goes on.
    const onPassed = until === Number.POSITIVE_INFINITY ? (position: number) => this.#notePassed(position) : undefined;
    await this.#apply(signal, until, (ending) => this.#prepared(this.#projection, until, ending, onPassed), !onPassed);
  }

  /**
   * Writes rows alone, exactly up to a position or until the signal fires.
   * @throws like `run`
   */
  async fill(signal: AbortSignal, until: number, filling: Filling): Promise<void> {
    if (!filling.startThread || until - this.#checkpoint.position < WORTH_A_THREAD)
      return this.#apply(signal, until, (ending) => this.#prepared(filling, until, ending), true);
    const thread = new FillingThread(filling.startThread());
    try {
      await this.#apply(signal, until, (ending) => this.#preparedIn(thread, until, ending), true);
    } finally {
      await thread.close();
    }
  }

  /** @param isAhead whether batches are prepared while one is written: only where nobody is told of what was passed over, which is said when nothing is at work */
  async #apply(signal: AbortSignal, until: number, source: Source, isAhead: boolean): Promise<void> {
    if (this.#checkpoint.position >= until) return;
    this.#context.metrics.projectionLag.begin(this.#projection.name, lagStateOf(this.#checkpoint));
    this.#refusal = new AbortController();
    try {
      await this.#follow(AbortSignal.any([signal, this.#refusal.signal]), until, source, isAhead);
    } finally {
      await this.#passed.settle(this);
    }
    this.#refusal.signal.throwIfAborted();
  }

  async #follow(signal: AbortSignal, until: number, source: Source, isAhead: boolean): Promise<void> {
    const { nats } = this.#context;
    const stream = this.#checkpoint.stream as EventStreamName;
    const ending = new AbortController();
    const batches = source(AbortSignal.any([signal, ending.signal]));
    for await (const batch of isAhead ? readAhead(batches, ending, goesOn(until)) : batches) {
      const { events } = batch;
      const startTime = Date.now();
      await this.#commit(batch);
      this.#trace(events, startTime);
      this.#report(events.length, batch.pending);
      await this.#countTowardsStatistics(events.length);
      // What follows is not older than the last one of these.
      this.#noteLag(batch.pending, batch.pending > 0 ? events.at(-1)?.at : undefined);
      if (this.#checkpoint.position >= until) return;
      if (this.#isBusy() && batch.pending === 0 && this.#checkpoint.state === 'live')
        await WaitingReaders.of(nats).restUnlessAwaited(stream, REST_MS, signal);
    }
  }

  /** The batches up to a position, each with its statements. */
  async *#prepared(
    by: Pick<Projection, 'project'>,
    until: number,
    signal: AbortSignal,
    onPassed?: (position: number) => void,
  ): AsyncGenerator<PreparedBatch> {
    const { db, nats } = this.#context;
    const { stream, position } = this.#checkpoint;
    for await (const batch of eventBatches(nats, stream as EventStreamName, position, { handles: this.#handles, signal, onPassed })) {
      const recorded = batch.events.filter((event) => event.position <= until);
      // Before what may fail or be refused again and again: that is when somebody has to know.
      this.#noteLag(recorded.length + batch.pending, recorded[0]?.at);
      const events = this.#projection.prepare ? await this.#projection.prepare(recorded) : recorded;
      const queries = events.length === 0 ? [] : by.project(events, db).map((query) => query.compile());
      yield { events, queries, position: Math.min(batch.position, until), pending: batch.pending };
    }
  }

  /** The same by a thread, which has the next batch to work on when it is done with one. */
  async *#preparedIn(thread: FillingThread, until: number, signal: AbortSignal): AsyncGenerator<PreparedBatch> {
    const { stream, position } = this.#checkpoint;
    const ending = new AbortController();
    const terms = { handles: this.#handles, until, signal: AbortSignal.any([signal, ending.signal]) };
    const batches = storedBatches(this.#context.nats, stream as EventStreamName, position, terms);
    for await (const batch of readAhead(batches, ending, goesOn(until))) {
      this.#noteLag(batch.events.length + batch.pending, batch.events[0]?.at);
      yield { ...batch, queries: await thread.project(batch) };
    }
  }

  async #countTowardsStatistics(events: number): Promise<void> {
    this.#uncounted += events;
    if (this.#uncounted < STATISTICS_EVERY) return;
    this.#uncounted = 0;
    await takeStatistics(this.#context.db, this.#checkpoint);
  }

  /** Notes a commit, and answers whether more are to be expected soon. */
  #isBusy(): boolean {
    const now = performance.now();
    this.#commits = [...this.#commits.filter((at) => at > now - BUSY_WITHIN_MS), now].slice(-MANY_COMMITS);
    return this.#commits.length === MANY_COMMITS;
  }

  /** Nothing up to here is for this projection, and nothing is at work. */
  #notePassed(position: number): void {
    this.#pending = 0;
    this.#noteLag(0, undefined);
    this.#passed.note(this, position, this.#context.nats);
  }

  get #handles(): ReadonlySet<string> | undefined {
    const { handles } = this.#projection;
    return handles && new Set(handles);
  }

  async #commit({ queries, position }: PreparedBatch): Promise<void> {
    this.#isCommitting = true;
    try {
      await this.#moving;
      await this.#context.db.transaction().execute(async (tx) => {
        const entering = [advancing(this.#checkpoint, position), enteringSchema(this.#checkpoint)].map((statement) =>
          statement.compile(tx),
        );
        // All at once: the answers are looked at before the commit.
        const [moved] = await tx
          .getExecutor()
          .provideConnection((connection) => Promise.all([...entering, ...queries].map((query) => connection.executeQuery(query))));
        insistOnOwnership(this.#checkpoint, moved);
      });
      this.#checkpoint = { ...this.#checkpoint, position };
      this.#passed.forget(this);
    } finally {
      this.#isCommitting = false;
    }
  }

  #noteLag(events: number, oldestAtMs: number | undefined): void {
    this.#context.metrics.projectionLag.note(this.#projection.name, lagStateOf(this.#checkpoint), { events, oldestAtMs });
  }

  /** Traces projected events; a rebuild is not traced, because readers only wait for live tables. */
  #trace(events: readonly EventEnvelope[], startTime: number): void {
    const { tracer } = this.#context;
    if (!tracer || this.#checkpoint.state !== 'live') return;
    const { name } = this.#projection;
    const attributes = { 'continuo.projection': name, 'continuo.position': this.#checkpoint.position, 'continuo.events': events.length };
    const causes = events.map(({ traceparent }) => traceparent);
    spanForEach(tracer, { name: `project ${name}`, kind: SpanKind.CONSUMER, startTime, attributes, causes });
  }

  #report(count: number, pending: number): void {
    const { metrics, nats } = this.#context;
    const { name } = this.#projection;
    this.#pending = pending;
    metrics.projectionEvents.inc({ projection: name }, count);
    if (this.#checkpoint.state !== 'live') return;
    metrics.projectionPosition.set({ projection: name }, this.#checkpoint.position);
    const notice: ProjectedNotice = {
      projection: name,
      stream: this.#checkpoint.stream as EventStreamName,
      position: this.#checkpoint.position,
    };
    nats.publish(projectedSubject(name), JSON.stringify(notice));
  }
}

/** Whether more is known to follow a batch. */
const goesOn =
  (until: number) =>
  ({ pending, position }: Pick<EventBatch, 'pending' | 'position'>): boolean =>
    pending > 0 && position < until;

/** Row counts and content digests of a generation's published tables: equal digests mean equal rows. */
export const tableDigests = async (db: Kysely<unknown>, projection: Projection, schema: string): Promise<Record<string, string>> => {
  const digests: Record<string, string> = {};
  for (const table of projection.publishes) {
    // Rows are hashed one by one and the sorted hashes together, so that physical order does not matter and memory stays small per row.
    const found = await sql<{ digest: string }>`
      select count(*) || ':' || coalesce(md5(string_agg(h, '' order by h)), '') as digest
      from (select md5(t::text) as h from ${sql.id(schema)}.${sql.id(table)} as t) as hashed`.execute(db);
    digests[table] = found.rows[0]?.digest ?? '';
  }
  return digests;
};
