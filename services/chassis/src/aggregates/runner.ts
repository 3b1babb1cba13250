import type { DomainEvent, LogPosition, MessageContext, Precondition } from '@continuo/contracts';
import type { Aggregate, Decision } from './aggregate.js';

/** Metadata of a decision. */
export interface DecisionMeta extends MessageContext {
  readonly commandId?: string;
  /** Set for bulk work: a command that comes again is recognised by the aggregate's own events alone. */
  readonly withoutMessageIds?: boolean;
  /** Decision time, epoch milliseconds. */
  readonly at: number;
  /**
   * Set for aggregates that were allotted a moment ago and cannot have events yet: skips the load. Should it be wrong, the append refuses
   * and the next try loads.
   */
  readonly assumeNew?: boolean;
  /** Versions of aggregates that the decisions rest on. */
  readonly precondition?: Precondition;
}

/**
 * Outcome of a set of decisions. `position` is where readers see it: that of the last event, and of the last one before when nothing had to change; absent when
 * the aggregates have no events at all.
 */
export interface DecisionOutcome {
  readonly position?: LogPosition;
  /** Events by decision, in the order of the decisions. */
  readonly events: readonly (readonly DomainEvent[])[];
}

/** Loads, decides and appends, with retries on conflict. */
export interface AggregateRunner {
  /**
   * Takes all decisions on freshly loaded states and appends their events as one batch; on conflict reloads and decides again, eight tries.
   * The decisions must concern different aggregates of one context.
   * @throws Rejection of a decider, `conflict` after the last try, or `precondition.failed` for an aggregate that is not at the version of the precondition.
   */
  run(decisions: readonly Decision[], meta: DecisionMeta): Promise<DecisionOutcome>;
  /** The current state of one aggregate and the position of its last event (0 without one). */
  load<S, C, E extends DomainEvent>(aggregate: Aggregate<S, C, E>, id: string | number): Promise<{ state: S; position: number }>;
}
