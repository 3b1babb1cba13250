import { setTimeout as delay } from 'node:timers/promises';
import { ConcurrencyConflict, type AggregateRunner, type Decision, type DecisionMeta, type DecisionOutcome } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';

const CONTENDED_TRIES = 12;
const CONTENDED_WAIT_MS = 20;

/**
 * Takes decisions about folders that many want to change at once: files that leave one folder for many others contend for it. Giving up would be taken for "the
 * file is not there any more", and cost it its id.
 * @throws Rejection `unavailable` when too many change the folder
 */
export const decideContended = async (
  aggregates: AggregateRunner,
  decisions: readonly Decision[],
  meta: DecisionMeta,
): Promise<DecisionOutcome> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await aggregates.run(decisions, meta);
    } catch (error) {
      if (!(error instanceof Rejection && error.cause instanceof ConcurrencyConflict)) throw error;
      if (attempt === CONTENDED_TRIES)
        throw new Rejection('unavailable', 'too many change this folder at once', undefined, { cause: error });
      await delay(Math.random() * CONTENDED_WAIT_MS * attempt);
    }
  }
};
