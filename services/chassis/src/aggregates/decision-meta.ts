import type { CommandMessage } from '@continuo/contracts';
import type { DecisionMeta } from './runner.js';

/** Metadata that a command passes on to its events. */
export const decisionMeta = ({ id, at, actor, correlationId, traceparent, precondition }: CommandMessage): DecisionMeta => ({
  commandId: id,
  causationId: id,
  at,
  actor,
  correlationId,
  ...(traceparent === undefined ? {} : { traceparent }),
  ...(precondition === undefined ? {} : { precondition }),
});
