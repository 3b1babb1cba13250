import type { DecisionMeta } from '@continuo/chassis';
import type { CommandMessage } from '@continuo/contracts';

/** What a decision taken for a command carries on into its events. */
export const decisionMeta = ({ id, at, actor, correlationId, traceparent }: CommandMessage): DecisionMeta => ({
  commandId: id,
  causationId: id,
  at,
  actor,
  correlationId,
  ...(traceparent === undefined ? {} : { traceparent }),
});
