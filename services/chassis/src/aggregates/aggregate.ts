import type { Context, DomainEvent } from '@continuo/contracts';

/**
 * The pure core of one kind of aggregate. `decide` turns state and command into facts (none means already true) and throws `Rejection`
 * for a broken rule; `evolve` folds a fact into the state and skips events that it does not know. No clock, no random, no I/O.
 */
export interface Aggregate<S, C, E extends DomainEvent> {
  readonly context: Context;
  /** Kind as it stands in subjects. */
  readonly kind: string;
  readonly initialState: S;
  readonly decide: (state: S, command: C) => readonly E[];
  readonly evolve: (state: S, event: E) => S;
  /** Raised when the state's shape changes: older snapshots are then ignored. */
  readonly snapshotVersion?: number;
  /** So many events gather before a snapshot is kept; 64 when absent. Fewer suit events that are large beside the state. */
  readonly snapshotAfterEvents?: number;
  /**
   * Number of states kept in memory, for aggregates that are written often: a decision then needs neither snapshot nor log, since the append refuses a
   * state that is not the latest. Absent: none.
   */
  readonly keepWarm?: number;
  /** Bounds what these states take in memory, too: `of` says about how many bytes one takes, in constant time. */
  readonly warmBytes?: { readonly most: number; readonly of: (state: S) => number };
}

/** One decision to take within a transaction over several aggregates. */
export interface Decision<S = unknown, C = unknown, E extends DomainEvent = DomainEvent> {
  readonly aggregate: Aggregate<S, C, E>;
  readonly id: string | number;
  readonly command: C;
}

/** Ties a decision's state, command and event types together for the heterogeneous lists that the runner takes. */
export const decision = <S, C, E extends DomainEvent>(aggregate: Aggregate<S, C, E>, id: string | number, command: C): Decision =>
  ({ aggregate, id, command }) as unknown as Decision;
