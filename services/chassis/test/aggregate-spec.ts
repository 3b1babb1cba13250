import { Rejection, type DomainEvent, type ErrorCode } from '@continuo/contracts';
import { expect } from 'vitest';
import type { Aggregate } from '../src/aggregates/aggregate.js';

/** Expected outcome of a command. */
export interface Outcome<E extends DomainEvent> {
  /** Exactly these facts, in order; none means "already true". */
  then(expected: readonly E[]): void;
  /** The command is refused with this code. */
  thenRejected(code: ErrorCode): void;
}

/**
 * Given past events, when a command comes, then these facts or this refusal. Each outcome is also replayed: the decided events must fold into
 * the state without error.
 */
export const specFor = <S, C, E extends DomainEvent>(aggregate: Aggregate<S, C, E>) => ({
  given: (past: readonly E[]) => ({
    when: (command: C): Outcome<E> => {
      const state = past.reduce((folded, event) => aggregate.evolve(folded, event), aggregate.initialState);
      return {
        then: (expected) => {
          const decided = aggregate.decide(state, command);
          expect(decided).toEqual(expected);
          decided.reduce((folded, event) => aggregate.evolve(folded, event), state);
        },
        thenRejected: (code) => {
          let refusal: unknown;
          try {
            aggregate.decide(state, command);
          } catch (error) {
            refusal = error;
          }
          expect(refusal).toBeInstanceOf(Rejection);
          expect((refusal as Rejection).code).toBe(code);
        },
      };
    },
  }),
});
