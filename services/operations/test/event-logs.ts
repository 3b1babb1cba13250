import { eventSubject, type Context } from '@continuo/contracts';
import { headers, type NatsConnection } from '@nats-io/transport-node';

/** Envelope of an event without a body. */
export interface TestEvent {
  readonly context: Context;
  readonly aggregate: string;
  readonly id: string;
  readonly type: string;
  readonly actor: string;
  readonly at: number;
}

/** Writes events into the logs as they are, in order. */
export const writeTestEvents = async (nats: NatsConnection, events: readonly TestEvent[]): Promise<void> => {
  for (const [index, { context, aggregate, id, type, actor, at }] of events.entries()) {
    const envelope = headers();
    envelope.set('Continuo-Type', type);
    envelope.set('Continuo-At', String(at));
    envelope.set('Continuo-Actor', actor);
    envelope.set('Continuo-Correlation', `c${index}`);
    nats.publish(eventSubject(context, aggregate, id), '{}', { headers: envelope });
    if (index % 1000 === 999) await nats.flush();
  }
};
