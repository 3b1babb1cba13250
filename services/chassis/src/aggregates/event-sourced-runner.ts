import { setTimeout as delay } from 'node:timers/promises';
import { Rejection, type DomainEvent, type RecordedEvent } from '@continuo/contracts';
import type { Counter } from 'prom-client';
import { ConcurrencyConflict, type EventStore } from '../event-store/event-store.js';
import type { Aggregate, Decision } from './aggregate.js';
import type { AggregateRunner, DecisionMeta, DecisionOutcome } from './runner.js';
import type { SnapshotStore } from './snapshots.js';

/** So many that a handful of replicas which write the same aggregate at once all get through: each loses about every third try to another. */
const TRIES = 8;
/** Folding this many events is cheaper than keeping a snapshot fresh. */
const SNAPSHOT_AFTER_EVENTS = 64;

interface Loaded {
  readonly state: unknown;
  readonly position: number;
  /** Events read after the snapshot, for the check whether this very command was done before. */
  readonly tail: readonly RecordedEvent[];
}

/** Runs decisions against the event log: optimistic, idempotent per command id, never holding a lock. */
export class EventSourcedRunner implements AggregateRunner {
  readonly #store: EventStore;
  readonly #snapshots: SnapshotStore;
  readonly #conflicts: Counter<'aggregate'> | undefined;

  constructor(store: EventStore, snapshots: SnapshotStore, conflicts?: Counter<'aggregate'>) {
    this.#store = store;
    this.#snapshots = snapshots;
    this.#conflicts = conflicts;
  }

  async run(decisions: readonly Decision[], meta: DecisionMeta): Promise<DecisionOutcome> {
    let conflict: ConcurrencyConflict | undefined;
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      try {
        return await this.#attempt(decisions, meta, attempt);
      } catch (error) {
        if (!(error instanceof ConcurrencyConflict)) throw error;
        conflict = error;
        for (const decision of decisions) this.#conflicts?.inc({ aggregate: decision.aggregate.kind });
        await delay(Math.random() * 10 * attempt);
      }
    }
    throw new Rejection('conflict', undefined, undefined, { cause: conflict });
  }

  async load<S, C, E extends DomainEvent>(aggregate: Aggregate<S, C, E>, id: string | number): Promise<{ state: S; position: number }> {
    const { state, position } = await this.#load(aggregate as unknown as Aggregate<unknown, unknown, DomainEvent>, id);
    return { state: state as S, position };
  }

  async #attempt(decisions: readonly Decision[], meta: DecisionMeta, attempt: number): Promise<DecisionOutcome> {
    const assumeNew = attempt === 1 && meta.assumeNew === true;
    const loaded = await Promise.all(
      decisions.map((d) => (assumeNew ? Promise.resolve(unwritten(d.aggregate)) : this.#load(d.aggregate, d.id))),
    );
    const done = meta.commandId ? doneBefore(loaded, meta.commandId) : undefined;
    if (done) return done;
    const events = decisions.map((d, index) => d.aggregate.decide(loaded[index]?.state, d.command));
    const parts = decisions.flatMap((d, index) => {
      const decided = events[index] ?? [];
      if (decided.length === 0) return [];
      return [
        {
          context: d.aggregate.context,
          aggregate: d.aggregate.kind,
          id: d.id,
          expectedPosition: loaded[index]?.position ?? 0,
          events: decided,
        },
      ];
    });
    if (parts.length === 0) return { events };
    const appended = await this.#store.append(parts, meta);
    return { events, position: { stream: appended.stream, position: appended.position } };
  }

  async #load(aggregate: Aggregate<unknown, unknown, DomainEvent>, id: string | number): Promise<Loaded> {
    const version = aggregate.snapshotVersion ?? 1;
    const snapshot = await this.#snapshots.load(aggregate.kind, String(id), version);
    const tail = await this.#store.read(aggregate.context, aggregate.kind, id, snapshot?.position ?? 0);
    const state = tail.reduce((folded, event) => aggregate.evolve(folded, event), snapshot ? snapshot.state : aggregate.initialState);
    const position = tail.at(-1)?.position ?? snapshot?.position ?? 0;
    if (tail.length >= SNAPSHOT_AFTER_EVENTS) await this.#snapshots.save(aggregate.kind, String(id), version, { position, state });
    return { state, position, tail };
  }
}

const unwritten = (aggregate: Aggregate<unknown, unknown, DomainEvent>): Loaded => ({
  state: aggregate.initialState,
  position: 0,
  tail: [],
});

/** The outcome of an earlier delivery of the same command, recognised by the ids of its events. */
const doneBefore = (loaded: readonly Loaded[], commandId: string): DecisionOutcome | undefined => {
  const prefix = `${commandId}:`;
  const own = loaded.map((aggregate) => aggregate.tail.filter((event) => event.id.startsWith(prefix)));
  const last = own.flat().toSorted((a, b) => b.position - a.position)[0];
  return last ? { events: own, position: { stream: last.stream, position: last.position } } : undefined;
};
