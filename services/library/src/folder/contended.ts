import {
  isOvertaken,
  randomPauses,
  retry,
  type AggregateRunner,
  type Decision,
  type DecisionMeta,
  type DecisionOutcome,
} from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';

const CONTENDED_TRIES = 12;
const CONTENDED_WAIT_MS = 20;

/**
 * Takes decisions about folders that many want to change at once: files that leave one folder for many others contend for it. Giving up would be taken for "the
 * file is not there any more", and cost it its id.
 * @throws Rejection `unavailable` when too many change the folder
 */
export const decideContended = (
  aggregates: AggregateRunner,
  decisions: readonly Decision[],
  meta: DecisionMeta,
): Promise<DecisionOutcome> => {
  const limits = { pauseMs: randomPauses(CONTENDED_WAIT_MS), tries: CONTENDED_TRIES, isTransient: isOvertaken };
  return retry(() => aggregates.run(decisions, meta), limits).catch((cause: unknown) => {
    throw isOvertaken(cause) ? new Rejection('unavailable', 'too many change this folder at once', undefined, { cause }) : cause;
  });
};
