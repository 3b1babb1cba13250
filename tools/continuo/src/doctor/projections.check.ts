import type { Session } from '../connect/session.js';
import { projectionStates, type ProjectionState } from '../projections/status.js';
import { fault, ok, reasonOf, warning, type Finding } from './finding.js';

/** Events that a projection may be behind on a busy server without anybody noticing. */
const LAG_SHOWN_EVENTS = 5000;

/** What one projection's state means for the operator. */
export const judgeProjection = (state: ProjectionState): Finding => {
  const subject = `Projection ${state.name}`;
  const rebuild = `restore the matching log, or run "continuo projections rebuild ${state.name}"`;
  if (state.fault !== null) return fault(subject, state.fault, rebuild);
  const where = `version ${state.version}, position ${state.position}`;
  const lag = state.lagEvents ?? 0;
  if (state.state === 'building') return ok(subject, `${where}, being rebuilt, ${lag} events to go`);
  if (lag > LAG_SHOWN_EVENTS)
    return warning(subject, `${where}, ${lag} events behind`, 'wait; if the number does not fall, look at the log of the service');
  return ok(subject, `${where}, ${lag} events behind`);
};

/** Checkpoints belong to the logs that are there, and are near their ends. */
export const checkProjections = async (session: Pick<Session, 'db' | 'manager'>): Promise<Finding[]> => {
  try {
    const states = await projectionStates(session);
    if (states.length === 0) return [fault('Projections', 'there are none', 'start the services; they create their tables')];
    return states.map(judgeProjection);
  } catch (error) {
    return [fault('Projections', `cannot be read: ${reasonOf(error)}`, 'start the services; they create their tables')];
  }
};
