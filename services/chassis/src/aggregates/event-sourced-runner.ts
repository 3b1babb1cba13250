import { eventStreams, eventSubject, Rejection, type DomainEvent, type RecordedEvent } from '@continuo/contracts';
import type { Counter } from 'prom-client';
import { ConcurrencyConflict, type EventStore } from '../event-store/event-store.js';
import { countEvents } from '../event-store/integrity/event-numbers.js';
import { LogDamaged } from '../event-store/integrity/log-damaged.js';
import { randomPauses, retry } from '../retry.js';
import type { Aggregate, Decision } from './aggregate.js';
import { KeyedMutex } from './keyed-mutex.js';
import type { AggregateRunner, DecisionMeta, DecisionOutcome } from './runner.js';
import type { SnapshotStore } from './snapshots.js';
import { WarmStates, type TailEvent, type WarmState } from './warm-states.js';

/** So many that a handful of replicas which write the same aggregate at once all get through: each loses about every third try to another. */
const TRIES = 8;
/** Folding this many events is cheaper than keeping a snapshot fresh. */
const SNAPSHOT_AFTER_EVENTS = 64;
/** Events that are remembered beside those of the last command: a caller that lost an answer comes again soon. */
const REMEMBERED_EVENTS = 16;
/** Limit of remembered events for a state kept in memory; beyond it they would take more memory than the state. */
const MOST_REMEMBERED_EVENTS = REMEMBERED_EVENTS + 64;

/** Approximate memory of a remembered event. */
const EVENT_BYTES = 500;

type AnyAggregate = Aggregate<unknown, unknown, DomainEvent>;

/**
 * Runs decisions against the event log: optimistic, idempotent per command id, never holding a lock. States of aggregates that ask for it stay in memory: a decision on
 * one of these costs no read, and the append refuses when the state was not the latest.
 */
export class EventSourcedRunner implements AggregateRunner {
  readonly #store: EventStore;
  readonly #snapshots: SnapshotStore;
  readonly #conflicts: Counter<'aggregate'> | undefined;
  readonly #warm = new Map<string, WarmStates>();
  readonly #mutex = new KeyedMutex();

  constructor(store: EventStore, snapshots: SnapshotStore, conflicts?: Counter<'aggregate'>) {
    this.#store = store;
    this.#snapshots = snapshots;
    this.#conflicts = conflicts;
  }

  run(decisions: readonly Decision[], meta: DecisionMeta): Promise<DecisionOutcome> {
    const [only] = decisions;
    if (!only?.aggregate.keepWarm || decisions.length > 1) return this.#insist(decisions, meta);
    // One after the other: this process at least does not get in its own way.
    return this.#mutex.run(
      `${only.aggregate.kind}/${only.id}`,
      async () => (await this.#fromMemory(only, meta)) ?? this.#insist(decisions, meta),
    );
  }

  async load<S, C, E extends DomainEvent>(aggregate: Aggregate<S, C, E>, id: string | number): Promise<{ state: S; position: number }> {
    const { state, position } = await this.#load(aggregate as unknown as AnyAggregate, id);
    return { state: state as S, position };
  }

  #insist(decisions: readonly Decision[], meta: DecisionMeta): Promise<DecisionOutcome> {
    const isTransient = (error: unknown): boolean => error instanceof ConcurrencyConflict;
    const attempt = (tries: number): Promise<DecisionOutcome> =>
      this.#attempt(decisions, meta, tries).catch((error: unknown) => {
        for (const { aggregate, id } of isTransient(error) ? decisions : []) {
          this.#conflicts?.inc({ aggregate: aggregate.kind });
          this.#forget(aggregate, id);
        }
        throw error;
      });
    return retry(attempt, { pauseMs: randomPauses(10), tries: TRIES, isTransient }).catch((cause: unknown) => {
      throw isTransient(cause) ? new Rejection('conflict', undefined, undefined, { cause }) : cause;
    });
  }

  /**
   * Decides on a state in memory. Undefined when the log has to be asked: there is no state, somebody else was faster, or the state leads to nothing, which only
   * the latest one may.
   */
  async #fromMemory(one: Decision, meta: DecisionMeta): Promise<DecisionOutcome | undefined> {
    const warm = this.#warm.get(one.aggregate.kind)?.get(String(one.id));
    if (!warm || meta.precondition) return undefined;
    const done = meta.commandId ? doneBefore([warm], meta.commandId) : undefined;
    if (done) return done;
    const known = await this.#snapshotted(one.aggregate, one.id, warm);
    const events = decidedOn(known, one);
    if (events.length === 0) return undefined;
    try {
      return await this.#append([one], [events], [known], meta);
    } catch (error) {
      if (error instanceof ConcurrencyConflict) return undefined;
      throw error;
    }
  }

  async #attempt(decisions: readonly Decision[], meta: DecisionMeta, attempt: number): Promise<DecisionOutcome> {
    const assumeNew = attempt === 1 && meta.assumeNew === true;
    const loaded = await Promise.all(
      decisions.map((d) => (assumeNew ? Promise.resolve(unwritten(d.aggregate)) : this.#load(d.aggregate, d.id))),
    );
    const done = meta.commandId ? doneBefore(loaded, meta.commandId) : undefined;
    if (done) return done;
    for (const [index, before] of loaded.entries()) requireVersion(decisions[index], before, meta);
    const events = await this.#decideOnLatest(decisions, loaded);
    return this.#append(decisions, events, loaded, meta);
  }

  /** A decision that leads to events is checked by the append; one that leads to none, or is refused, must not rest on a copy of the log that is behind. */
  async #decideOnLatest(decisions: readonly Decision[], loaded: readonly WarmState[]): Promise<readonly (readonly DomainEvent[])[]> {
    try {
      const events = decisions.map((d, index) => d.aggregate.decide(loaded[index]?.state, d.command));
      const checks = events.flatMap((decided, n) => (decided.length > 0 ? [] : [this.#insistOnLatest(decisions[n], loaded[n])]));
      await Promise.all(checks);
      return events;
    } catch (error) {
      if (error instanceof Rejection) await Promise.all(decisions.map((d, n) => this.#insistOnLatest(d, loaded[n])));
      throw error;
    }
  }

  /** @throws ConcurrencyConflict when the log has more of the aggregate than was read */
  async #insistOnLatest(one: Decision | undefined, known: WarmState | undefined): Promise<void> {
    if (!one || !known || !this.#store.lastOf) return;
    const { context, kind } = one.aggregate;
    const last = await this.#store.lastOf(context, kind, one.id);
    if (last > known.position)
      throw new ConcurrencyConflict(`${kind} ${one.id} is at ${last}, a copy that is behind gave ${known.position}`);
  }

  async #append(
    decisions: readonly Decision[],
    events: readonly (readonly DomainEvent[])[],
    loaded: readonly WarmState[],
    meta: DecisionMeta,
  ): Promise<DecisionOutcome> {
    const parts = decisions.flatMap(({ aggregate: { context, kind }, id }, index) => {
      const decided = events[index] ?? [];
      const before = loaded[index];
      return decided.length === 0 || !before
        ? []
        : [{ context, aggregate: kind, id, expectedPosition: before.position, expectedNumber: before.number, events: decided }];
    });
    if (parts.length === 0) return { events, ...restsOn(decisions, loaded) };
    const { stream, position, isRepeat } = await this.#store.append(parts, meta);
    const [[only], [before], [decided]] = [decisions, loaded, events];
    if (only && before && decided && decisions.length === 1) {
      // What was written by an earlier try may lie before events that are not in this state.
      const isMuch = decided.length > MOST_REMEMBERED_EVENTS - REMEMBERED_EVENTS;
      if (isRepeat || isMuch) this.#forget(only.aggregate, only.id);
      else this.#remember(only.aggregate, only.id, after(only.aggregate, before, { events: decided, stream, position, meta }));
    }
    return { events, position: { stream, position } };
  }

  async #load(aggregate: AnyAggregate, id: string | number): Promise<WarmState> {
    const base = this.#warm.get(aggregate.kind)?.get(String(id)) ?? (await this.#snapshotOf(aggregate, id));
    const fresh = await this.#store.read(aggregate.context, aggregate.kind, id, base.position);
    const number = await this.#counted(aggregate, id, base, fresh);
    const loaded: WarmState = {
      state: fresh.reduce((folded, event) => aggregate.evolve(folded, event), base.state),
      position: fresh.at(-1)?.position ?? base.position,
      number,
      tail: [...base.tail, ...fresh],
      sinceSnapshot: base.sinceSnapshot + fresh.length,
    };
    const kept = await this.#snapshotted(aggregate, id, loaded);
    this.#remember(aggregate, id, kept);
    return kept;
  }

  /**
   * Number of events of the aggregate.
   * @throws LogDamaged when one of them is missing, unless that loss was accepted
   */
  async #counted({ context, kind }: AnyAggregate, id: string | number, base: WarmState, fresh: readonly RecordedEvent[]): Promise<number> {
    const { number, holes } = countEvents(base, fresh);
    if (holes.length === 0) return number;
    const accepted = (await this.#store.acceptedLoss?.(context)) ?? [];
    const hole = holes.find((one) => !accepted.some((gap) => gap.from < one.before && gap.to > one.after));
    if (!hole) return number;
    const { after, before, number: wanted, nextNumber } = hole;
    throw new LogDamaged(
      eventStreams[context],
      `between positions ${after} and ${before}, ${kind} ${id} has no event ${wanted}, the next one is ${nextNumber}`,
    );
  }

  async #snapshotOf(aggregate: AnyAggregate, id: string | number): Promise<WarmState> {
    const snapshot = await this.#snapshots.load(aggregate.kind, String(id), aggregate.snapshotVersion ?? 1);
    return snapshot ? { ...snapshot, tail: [], sinceSnapshot: 0 } : unwritten(aggregate);
  }

  /** The same, with a snapshot when enough events have gathered. */
  async #snapshotted(aggregate: AnyAggregate, id: string | number, known: WarmState): Promise<WarmState> {
    if (known.sinceSnapshot < (aggregate.snapshotAfterEvents ?? SNAPSHOT_AFTER_EVENTS)) return known;
    const { position, number, state } = known;
    await this.#snapshots.save(aggregate.kind, String(id), aggregate.snapshotVersion ?? 1, { position, number, state });
    return { ...known, sinceSnapshot: 0 };
  }

  #remember({ kind, keepWarm, warmBytes }: AnyAggregate, id: string | number, state: WarmState): void {
    if (!keepWarm) return;
    const tail = state.tail.slice(-MOST_REMEMBERED_EVENTS);
    const bytes = warmBytes ? warmBytes.of(state.state) + tail.length * EVENT_BYTES : 0;
    const states = this.#warm.get(kind) ?? new WarmStates();
    this.#warm.set(kind, states);
    states.set(String(id), { ...state, tail }, bytes, { most: keepWarm, ...(warmBytes && { mostBytes: warmBytes.most }) });
  }

  #forget({ kind }: AnyAggregate, id: string | number): void {
    this.#warm.get(kind)?.delete(String(id));
  }
}

/**
 * @throws Rejection `precondition.failed` for an aggregate that others have written since the version of the precondition
 * @throws ConcurrencyConflict when a copy of the log that is behind gave less of it
 */
const requireVersion = (one: Decision | undefined, { position, tail }: WarmState, { precondition, commandId }: DecisionMeta): void => {
  if (!one || !precondition) return;
  const subject = eventSubject(one.aggregate.context, one.aggregate.kind, one.id);
  const wanted = precondition.positions[subject];
  if (wanted === undefined || position === wanted) return;
  if (position < wanted) throw new ConcurrencyConflict(`${subject} is at ${wanted}, a copy that is behind gave ${position}`);
  const own = [...precondition.ownCommandIds, ...(commandId === undefined ? [] : [commandId])];
  const last = tail.at(-1)?.id;
  if (!own.some((id) => last?.startsWith(`${id}:`))) throw new Rejection('precondition.failed');
};

/** Decides on a state; undefined when it rejects the command, because only the latest state may reject. */
const decidedOn = ({ state }: WarmState, { aggregate, command }: Decision): readonly DomainEvent[] => {
  try {
    return aggregate.decide(state, command);
  } catch (error) {
    if (error instanceof Rejection) return [];
    throw error;
  }
};

const unwritten = ({ initialState }: AnyAggregate): WarmState => ({
  state: initialState,
  position: 0,
  number: 0,
  tail: [],
  sinceSnapshot: 0,
});

/** The state after an append. Its events lie one after the other in the log, the last one at `position`. */
const after = (
  { evolve }: AnyAggregate,
  before: WarmState,
  {
    events,
    stream,
    position,
    meta,
  }: Pick<TailEvent, 'stream' | 'position'> & { readonly events: readonly DomainEvent[]; readonly meta: DecisionMeta },
): WarmState => {
  const own = events.map((event, n): TailEvent => ({
    ...event,
    id: `${meta.commandId}:${n}`,
    stream,
    position: position - events.length + 1 + n,
  }));
  return {
    state: events.reduce((folded, event) => evolve(folded, event), before.state),
    position,
    number: before.number + events.length,
    tail: [...before.tail.slice(-REMEMBERED_EVENTS), ...(meta.commandId ? own : [])],
    sinceSnapshot: before.sinceSnapshot + events.length,
  };
};

/** The outcome of an earlier delivery of the same command, recognised by the ids of its events. */
/** The last event that a decision without events rests on: readers may not have seen it yet when somebody else has just written it. */
const restsOn = ([first]: readonly Decision[], loaded: readonly WarmState[]): Pick<DecisionOutcome, 'position'> => {
  const position = Math.max(0, ...loaded.map((known) => known.position));
  return first && position > 0 ? { position: { stream: eventStreams[first.aggregate.context], position } } : {};
};

const doneBefore = (loaded: readonly WarmState[], commandId: string): DecisionOutcome | undefined => {
  const prefix = `${commandId}:`;
  const own = loaded.map(({ tail }) => tail.filter((event) => event.id.startsWith(prefix)));
  const last = own.flat().toSorted((a, b) => b.position - a.position)[0];
  return last ? { events: own, position: { stream: last.stream, position: last.position } } : undefined;
};
