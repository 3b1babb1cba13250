import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from '../connect/session.js';
import { projectionStates, type ProjectionState } from '../projections/status.js';
import { fault, ok, reasonOf, warning, type Finding } from './finding.js';

/** Events that a projection may be behind on a busy server without anybody noticing. */
const LAG_SHOWN_EVENTS = 5000;
/** A projection that is behind takes its next batch well within this time. */
const WATCHED_MS = 5000;
const LOOK_EVERY_MS = 500;

/**
 * Judges the state of one projection. `before` is the same one a while ago: one that has pending events and has processed none since is stuck, however
 * few they are.
 */
export const judgeProjection = (state: ProjectionState, before?: ProjectionState): Finding => {
  const subject = `Projection ${state.name}`;
  const rebuild = `restore the matching log, or run "continuo projections rebuild ${state.name} --accept-loss"`;
  if (state.fault !== null) return fault(subject, state.fault, rebuild);
  const where = `version ${state.version}, position ${state.position}`;
  const lag = state.lagEvents ?? 0;
  if (isStill(state, before))
    return fault(
      subject,
      `${where}, ${lag} events behind, stands still`,
      'is the service that owns it running? If so, its log says which event it cannot get past',
    );
  if (state.state === 'building') return ok(subject, `${where}, being rebuilt, ${lag} events to go`);
  if (lag <= LAG_SHOWN_EVENTS) return ok(subject, `${where}, ${lag} events behind`);
  const earlier = before?.lagEvents ?? 0;
  return before && lag >= earlier
    ? warning(
        subject,
        `${where}, ${lag} events behind, and ${earlier} a moment ago: it does not catch up`,
        'look at the load of the database',
      )
    : warning(subject, `${where}, ${lag} events behind`, 'wait; if the number does not fall, look at the log of the service');
};

const keyOf = ({ name, version, generation }: ProjectionState): string => `${name} ${version} ${generation}`;

/** True for one that was behind a while ago, is so still, and has not moved. */
const isStill = (state: ProjectionState, before: ProjectionState | undefined): boolean =>
  before !== undefined && (before.lagEvents ?? 0) > 0 && (state.lagEvents ?? 0) > 0 && state.position === before.position;

/** Checkpoints belong to the logs that are there, are near their ends, and move on when they are not. Looks again for a few seconds at what is behind. */
export const checkProjections = async (session: Pick<Session, 'db' | 'manager'>, watchedMs = WATCHED_MS): Promise<Finding[]> => {
  try {
    const first = await projectionStates(session);
    if (first.length === 0) return [fault('Projections', 'there are none', 'start the services; they create their tables')];
    const before = new Map(first.map((state) => [keyOf(state), state]));
    const stands = (state: ProjectionState): boolean => isStill(state, before.get(keyOf(state)));
    let states = first;
    for (let waitedMs = 0; waitedMs < watchedMs && states.some(stands); waitedMs += LOOK_EVERY_MS) {
      await delay(LOOK_EVERY_MS);
      states = await projectionStates(session);
    }
    return states.map((state) => judgeProjection(state, states === first ? undefined : before.get(keyOf(state))));
  } catch (error) {
    return [fault('Projections', `cannot be read: ${reasonOf(error)}`, 'start the services; they create their tables')];
  }
};
