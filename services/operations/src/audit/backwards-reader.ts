import { storedEnvelopeOf } from '@continuo/chassis';
import type { EventStreamName } from '@continuo/contracts';
import { AckPolicy, DeliverPolicy, jetstream, type Consumer } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Session } from '../connect/session.js';

/** One act: who did what when, as the log has it. */
export interface AuditEntry {
  readonly stream: EventStreamName;
  readonly position: number;
  readonly atMs: number;
  /** `user:<number>`, `system`, `anonymous`, or the name of a program. */
  readonly actor: string;
  /** Name of the event. */
  readonly type: string;
  readonly correlationId: string;
  /** Kind of what it was done to, and its id. */
  readonly aggregate: string;
  readonly objectId: string;
}

interface Part {
  readonly subject: string;
  readonly from: number;
  /** Position behind the part. */
  readonly before: number;
}

const PATIENCE_MS = 5000;
const FORGOTTEN_AFTER_MS = 30_000;
const BATCH = 1000;

/**
 * Reads the envelopes of the events of one part of a log that a subject matches, the earliest first. Their bodies, which may hold what people keep to
 * themselves, are not sent.
 */
export const readBackwards = async (
  { manager, nats }: Pick<Session, 'manager' | 'nats'>,
  stream: EventStreamName,
  { subject, from, before }: Part,
): Promise<AuditEntry[]> => {
  const consumer = await manager.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: from,
    filter_subject: subject,
    headers_only: true,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: nanos(FORGOTTEN_AFTER_MS),
  });
  const part = { stream, from, before, pending: consumer.num_pending };
  // After a failure the server deletes the consumer by itself.
  const entries = await envelopesOf(jetstream(nats).consumers.getConsumerFromInfo(consumer), part);
  await manager.consumers.delete(stream, consumer.name);
  return entries;
};

interface Stored {
  readonly stream: EventStreamName;
  readonly from: number;
  readonly before: number;
  /** Matching messages from the beginning of the part to the end of the log. */
  readonly pending: number;
}

const envelopesOf = async (consumer: Consumer, { stream, from, before, pending }: Stored): Promise<AuditEntry[]> => {
  const entries: AuditEntry[] = [];
  for (let left = Math.min(pending, before - from); left > 0;) {
    const messages = await consumer.fetch({ max_messages: Math.min(left, BATCH), expires: PATIENCE_MS });
    let came = 0;
    for await (const message of messages) {
      came += 1;
      if (message.seq >= before) return entries;
      const { at, ...envelope } = storedEnvelopeOf(message.headers);
      const [, , , aggregate = '', ...id] = message.subject.split('.');
      entries.push({ stream, position: message.seq, atMs: at, aggregate, objectId: id.join('.'), ...envelope });
    }
    if (came === 0) return entries;
    left -= came;
  }
  return entries;
};
