import type { CommandMessage } from '@continuo/contracts';
import type { DecisionMeta } from './runner.js';

/** What a decision taken for a command carries on into its events. */
export const decisionMeta = ({ id, at, actor, correlationId, traceparent }: CommandMessage): DecisionMeta => ({
  commandId: id,
  causationId: id,
  at,
  actor,
  correlationId,
  ...(traceparent === undefined ? {} : { traceparent }),
});
