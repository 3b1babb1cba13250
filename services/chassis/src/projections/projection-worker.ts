import { projectedSubject, type EventStreamName, type ProjectedNotice, type RecordedEvent } from '@continuo/contracts';
import { SpanKind, type Tracer } from '@opentelemetry/api';
import { sql, type Kysely } from 'kysely';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Metrics } from '../metrics.js';
import { spanForEach } from '../telemetry/tracing.js';
import { eventBatches } from './batch-source.js';
import { advance, type Checkpoint } from './checkpoints.js';
import { enterSchema } from './generations.js';
import { lagStateOf } from './projection-lag.js';
import type { Projection } from './projection.js';

/** What a worker needs from its surroundings. */
export interface WorkerContext {
  readonly db: Kysely<unknown>;
  readonly nats: NatsConnection;
  readonly metrics: Metrics;
  /** Absent while tracing is off. */
  readonly tracer?: Tracer | undefined;
}

/** Applies the events of one stream to one generation of a projection, batch by batch, each in one transaction with the checkpoint. */
export class ProjectionWorker {
  readonly #context: WorkerContext;
  readonly #projection: Projection;
  #checkpoint: Checkpoint;
  #pending = Number.POSITIVE_INFINITY;

  constructor(context: WorkerContext, projection: Projection, checkpoint: Checkpoint) {
    this.#context = context;
    this.#projection = projection;
    this.#checkpoint = checkpoint;
  }

  get checkpoint(): Checkpoint {
    return this.#checkpoint;
  }

  /** Events of the stream that are not projected yet, as of the last batch. */
  get pendingEvents(): number {
    return this.#pending;
  }

  /**
   * Projects until the signal fires or, with `until`, exactly up to that position.
   * @throws FencedOut when another owner took over; anything else is a fault of the surroundings, after which `run` may be called anew.
   */
  async run(signal: AbortSignal, until = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#checkpoint.position >= until) return;
    this.#context.metrics.projectionLag.begin(this.#projection.name, lagStateOf(this.#checkpoint));
    const stream = this.#checkpoint.stream as EventStreamName;
    for await (const batch of eventBatches(this.#context.nats, stream, this.#checkpoint.position, { signal })) {
      const events = batch.events.filter((event) => event.position <= until);
      // Before the commit, which may be refused again and again: that is when somebody has to know.
      this.#noteLag(events.length + batch.pending, events[0]?.at);
      const startTime = Date.now();
      await this.#commit(events);
      this.#trace(events, startTime);
      this.#report(events.length, batch.pending);
      // What follows is not older than the last one of these.
      this.#noteLag(batch.pending, batch.pending > 0 ? events.at(-1)?.at : undefined);
      if (this.#checkpoint.position >= until) return;
    }
  }

  async #commit(recorded: readonly RecordedEvent[]): Promise<void> {
    const position = recorded.at(-1)?.position;
    if (position === undefined) return;
    const events = this.#projection.prepare ? await this.#projection.prepare(recorded) : recorded;
    await this.#context.db.transaction().execute(async (tx) => {
      await advance(tx, this.#checkpoint, position);
      await enterSchema(tx, this.#checkpoint);
      for (const query of this.#projection.project(events, tx)) await tx.executeQuery(query.compile());
    });
    this.#checkpoint = { ...this.#checkpoint, position };
  }

  #noteLag(events: number, oldestAtMs: number | undefined): void {
    this.#context.metrics.projectionLag.note(this.#projection.name, lagStateOf(this.#checkpoint), { events, oldestAtMs });
  }

  /** What is built anew was projected before: only the tables that readers see are a part of what somebody waited for. */
  #trace(events: readonly RecordedEvent[], startTime: number): void {
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
