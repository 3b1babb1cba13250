import type { Worker } from 'node:worker_threads';
import type { Context, DomainEvent, RecordedEvent } from '@continuo/contracts';
import type { Compilable, Kysely, RawBuilder } from 'kysely';

// The database type of a projection is its own private tables; the runner passes an untyped handle that each projection narrows.
/** A query that a projection wants to have run; it never runs one itself. */
export type ProjectedQuery = Compilable<unknown>;

/** Makes a query of hand-written SQL. */
export const rawQuery = (statement: RawBuilder<unknown>, db: Kysely<never>): ProjectedQuery => ({ compile: () => statement.compile(db) });

/**
 * Turns events into rows. The runner executes the queries of a batch, in order, in one transaction with the checkpoint, inside a schema that
 * belongs to this version of the projection alone; table names are therefore unqualified. When the version is raised, a new schema is filled
 * beside the old one and the published views are switched over once it has caught up.
 */
export interface Projection<DB = unknown> {
  /** `<service>-<name>`, also in metrics and notices. */
  readonly name: string;
  readonly version: number;
  readonly context: Context;
  /** Schema in which the tables are published as views. */
  readonly publishedSchema: string;
  /** Tables that become views of the same name in the published schema. */
  readonly publishes: readonly string[];
  /** Statements that create the tables, indexes and triggers in the projection's own (empty) schema. */
  readonly ddl: readonly string[];
  /**
   * Statements that create indexes which only readers need, each `if not exists`. Tables that are filled beside live ones get them at the end: to sort all rows once costs less
   * than to keep an index in order while they come.
   */
  readonly readerIndexes?: readonly string[];
  /** How tables that nobody reads yet are filled with less work; like live ones when absent. */
  readonly filling?: Filling<DB>;
  /** Types of events that change its tables; it gets no others. All of the stream when absent. */
  readonly handles?: readonly string[];
  /** Queries for a batch of events of the stream, in log order. Must give the same rows however the log is cut into batches. */
  project(events: readonly RecordedEvent[], db: Kysely<DB>): readonly ProjectedQuery[];
  /** Runs before `project` on each event; opens sealed personal data for instance. */
  prepare?(events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]>;
}

/** Fills tables with rows alone, and sums them up once they are all there: what each batch would have done for what it touches. */
export interface Filling<DB = unknown> {
  /** Like `project` of the projection, without what can be derived from the rows of the tables. */
  project(events: readonly RecordedEvent[], db: Kysely<DB>): readonly ProjectedQuery[];
  /** Queries, in order, that derive it, and create what keeps it right in later batches: triggers, indexes. Run in one transaction; for tables that are live from the start, while they are empty. */
  derive(db: Kysely<DB>): readonly ProjectedQuery[];
  /** Starts a thread that calls `answerFilling` with this very object, for many events; they are not prepared there. */
  startThread?(): Worker;
}

/** One function per event type; types that are missing here are ignored. */
export type EventHandlers<E extends DomainEvent, DB> = {
  readonly [T in E['type']]: (event: RecordedEvent<Extract<E, { type: T }>>, db: Kysely<DB>) => readonly ProjectedQuery[];
};

/** The parts of a projection that {@link projectEach} makes. */
export type EachProjected<DB> = Required<Pick<Projection<DB>, 'handles'>> & {
  readonly project: (events: readonly RecordedEvent[], db: Kysely<DB>) => ProjectedQuery[];
};

type AnyHandler<DB> = (event: RecordedEvent, db: Kysely<DB>) => readonly ProjectedQuery[];

/** Builds `project` and `handles` out of a function per event type; the map must cover the declared events. */
export const projectEach = <E extends DomainEvent, DB>(handlers: EventHandlers<E, DB>): EachProjected<DB> => ({
  handles: Object.keys(handlers),
  project: (events, db) =>
    events.flatMap((event) => {
      const handler = (handlers as unknown as Record<string, AnyHandler<DB> | undefined>)[event.type];
      return handler ? [...handler(event, db)] : [];
    }),
});
