import { randomUUID } from 'node:crypto';
import { Rejection, SYSTEM_ACTOR, type CommandMessage, type MessageContext } from '@continuo/contracts';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { z } from 'zod';
import { TRACEPARENT } from '../telemetry/traceparent.js';

/** Ids become message ids and headers: printable, without blanks. */
const id = z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable characters without blanks');

const envelope = z.object({
  id,
  at: z.number().int().nonnegative(),
  actor: z.string().min(1).max(255),
  correlationId: id,
  causationId: id,
  traceparent: z.string().max(255).optional(),
  data: z.unknown(),
  precondition: z.object({ positions: z.record(z.string(), z.int().nonnegative()), ownCommandIds: z.array(id) }).optional(),
});

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Headers of a message: the trace context, when there is one. */
export const traceHeaders = (traceparent: string | undefined): MsgHdrs | undefined => {
  if (!traceparent) return undefined;
  const h = headers();
  h.set(TRACEPARENT, traceparent);
  return h;
};

/** Writes a command or job with its envelope in the body. The trace context travels in the header alone. */
export const encodeMessage = (message: CommandMessage): string => JSON.stringify({ ...message, traceparent: undefined });

/**
 * Reads the body of a command or job and parses its data.
 * @throws Rejection `input.invalid` that names the field at fault.
 */
export const decodeMessage = <S extends z.ZodType>(payload: Uint8Array, h: MsgHdrs | undefined, schema: S): CommandMessage<z.output<S>> => {
  const raw = parsed(envelope, parseJson(payload), 'message');
  const data = parsed(schema, raw.data, 'data');
  const traceparent = h?.get(TRACEPARENT) || raw.traceparent;
  const { precondition, ...rest } = raw;
  return { ...rest, data, ...(precondition ? { precondition } : {}), ...(traceparent ? { traceparent } : {}) };
};

/**
 * Reads a body that has no envelope.
 * @throws Rejection `input.invalid` that names the field at fault.
 */
export const decodeData = <S extends z.ZodType>(payload: Uint8Array, schema: S): z.output<S> =>
  parsed(schema, parseJson(payload), 'message');

/** Context of what the system does by itself: nobody has asked for it. */
export const systemContext = (cause: string = randomUUID()): MessageContext => ({
  actor: SYSTEM_ACTOR,
  correlationId: cause,
  causationId: cause,
});

/** The part of a message that goes on into what it causes. */
export const contextOf = (message: CommandMessage): MessageContext => ({
  actor: message.actor,
  correlationId: message.correlationId,
  causationId: message.id,
  ...(message.traceparent ? { traceparent: message.traceparent } : {}),
});

const parseJson = (payload: Uint8Array): unknown => {
  try {
    return JSON.parse(decoder.decode(payload));
  } catch (cause) {
    throw new Rejection('input.invalid', 'the message is not JSON', 'message', { cause });
  }
};

/** @throws Rejection `input.invalid` with the path of the first field at fault as its subject. */
const parsed = <S extends z.ZodType>(schema: S, value: unknown, whole: string): z.output<S> => {
  const outcome = schema.safeParse(value);
  if (outcome.success) return outcome.data;
  const [first, ...others] = outcome.error.issues.map((issue) => ({ field: issue.path.join('.') || whole, text: issue.message }));
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  throw new Rejection('input.invalid', `${first?.field}: ${first?.text}${more}`, first?.field);
};
