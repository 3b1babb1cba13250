import type { DomainEvent, EventStreamName, RecordedEvent } from '@continuo/contracts';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import type { AppendMeta } from './event-store.js';

/** Header names of the envelope. Type and schema version stand here, never in the subject, so that a subject is one aggregate for good. */
const names = {
  id: 'Continuo-Id',
  type: 'Continuo-Type',
  v: 'Continuo-V',
  number: 'Continuo-Number',
  at: 'Continuo-At',
  actor: 'Continuo-Actor',
  correlationId: 'Continuo-Correlation',
  causationId: 'Continuo-Causation',
  traceparent: 'traceparent',
} as const;

/** A stored message as both the direct reads and the consumers give it. */
export interface StoredMessage {
  readonly subject: string;
  readonly seq: number;
  readonly data: Uint8Array;
  readonly header?: MsgHdrs | undefined;
}

/**
 * Writes the envelope of one event.
 * @param number which event of its aggregate it is
 */
export const encodeEnvelope = (event: DomainEvent, id: string, meta: AppendMeta, number?: number): MsgHdrs => {
  const h = headers();
  h.set(names.id, id);
  h.set(names.type, event.type);
  h.set(names.v, String(event.v));
  if (number !== undefined) h.set(names.number, String(number));
  h.set(names.at, String(meta.at));
  h.set(names.actor, meta.actor);
  h.set(names.correlationId, meta.correlationId);
  h.set(names.causationId, meta.causationId);
  if (meta.traceparent) h.set(names.traceparent, meta.traceparent);
  return h;
};

/** Brings the data of an event to its newest schema version; identity where no upcaster is needed. */
export type Upcaster = (type: string, v: number, data: unknown) => { v: number; data: unknown };

/** Type and schema version of a stored message, without a look at its body; undefined when it is no event. */
export const storedTypeOf = (header: MsgHdrs | undefined): { readonly type: string; readonly v: number } | undefined => {
  const type = header?.get(names.type);
  return header && type ? { type, v: Number(header.get(names.v)) } : undefined;
};

/** Type, time and author of a stored event, without a look at its body. */
export const storedEnvelopeOf = (
  header: MsgHdrs | undefined,
): { readonly type: string; readonly at: number; readonly actor: string; readonly correlationId: string } => ({
  type: header?.get(names.type) ?? '',
  at: Number(header?.get(names.at) ?? 0),
  actor: header?.get(names.actor) ?? '',
  correlationId: header?.get(names.correlationId) ?? '',
});

const decoder = new TextDecoder();

/** An event without its data, whose `v` is the version that was stored. */
export type EventEnvelope = Omit<RecordedEvent, 'data'>;

/**
 * Reads what stands around the body of a stored message.
 * @throws Error when the message was not written by an event store: the log holds nothing else, so this is damage and must not be skipped.
 */
export const decodeEnvelope = (stream: EventStreamName, { subject, seq, header: h }: Omit<StoredMessage, 'data'>): EventEnvelope => {
  const type = h?.get(names.type);
  if (!h || !type) throw new Error(`${stream} holds a message without an event type at position ${seq}`);
  const traceparent = h.get(names.traceparent);
  const number = Number(h.get(names.number));
  return {
    id: h.get(names.id),
    type,
    v: Number(h.get(names.v)),
    at: Number(h.get(names.at)),
    actor: h.get(names.actor),
    correlationId: h.get(names.correlationId),
    causationId: h.get(names.causationId),
    ...(traceparent ? { traceparent } : {}),
    stream,
    subject,
    position: seq,
    ...(number > 0 ? { number } : {}),
  };
};

/** The event of an envelope and the body that was stored with it. */
export const withBody = (envelope: EventEnvelope, body: Uint8Array, upcast: Upcaster): RecordedEvent => ({
  ...envelope,
  ...upcast(envelope.type, envelope.v, JSON.parse(decoder.decode(body))),
});

/**
 * Reads one stored message back as an event.
 * @throws Error when the message was not written by an event store
 */
export const decodeEvent = (stream: EventStreamName, message: StoredMessage, upcast: Upcaster): RecordedEvent =>
  withBody(decodeEnvelope(stream, message), message.data, upcast);
