import type { RecordedEvent } from '@continuo/contracts';
import type { JetStreamClient } from '@nats-io/jetstream';
import { encodeEnvelope } from '../event-store/headers.js';
import { publishDead } from '../jobs/dead-letters.js';
import { reactionSubject } from '../jobs/job-streams.js';
import { origin } from './event-reader.js';

/** An event that somebody gives up who reads a log without a consumer, and the reactor that a replay brings it back to. */
export interface DeadLetterEvent {
  readonly event: RecordedEvent;
  readonly service: string;
  readonly reactor: string;
  readonly reason: string;
  readonly attempts: number;
  /** The same event under the same turn within two minutes is put aside once. */
  readonly turn: string;
}

/** Copies an event of a log to the dead letters of one reactor, as it would have put it there itself. */
export const deadLetterEvent = async (
  client: JetStreamClient,
  { event, service, reactor, reason, attempts, turn }: DeadLetterEvent,
): Promise<void> => {
  const { id, stream, subject: eventSubject, position } = event;
  const subject = reactionSubject(`${service}-${reactor}`);
  const headers = encodeEnvelope(event, id, event);
  headers.set(origin.stream, stream);
  headers.set(origin.subject, eventSubject);
  headers.set(origin.position, String(position));
  const payload = new TextEncoder().encode(JSON.stringify(event.data));
  const death = { reason, stream, sequence: position, attempts };
  await publishDead(client, subject, { payload, headers, death, msgID: `${subject}:${stream}:${position}:${turn}` });
};
