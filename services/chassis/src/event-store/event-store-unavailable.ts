import { JetStreamApiError, JetStreamError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';

/** Status of JetStream without a leader, switched off or out of room: HTTP's "service unavailable", and "no room left". */
const UNAVAILABLE = 503;
const NO_ROOM = new Set([10_047, 10_077]);
/** A cluster that is changing who leads: not assigned to this server, not its leader, stream offline. https://github.com/nats-io/nats-server/blob/main/server/errors.json */
const BETWEEN_LEADERS = new Set([10_007, 10_009, 10_118]);
/** Error code of a message id that is being written: nobody knows its outcome yet; a later attempt finds the message, or writes it. */
const IN_PROCESS = 10_158;

/** True for an error that says that NATS does not answer, or cannot take or give anything at the moment; the same request may succeed later. */
export const isEventStoreUnavailable = (error: unknown): boolean =>
  error instanceof errors.TimeoutError ||
  error instanceof errors.RequestError ||
  error instanceof errors.NoRespondersError ||
  error instanceof errors.ConnectionError ||
  error instanceof errors.ClosedConnectionError ||
  // Messages are read from whichever server has them; the last one that had may have gone.
  (error instanceof JetStreamError && 'code' in error && error.code === UNAVAILABLE) ||
  (error instanceof JetStreamApiError && isAppendRefused(error.status, error.code));

/** The same of the numbers in an answer to an append. */
export const isAppendRefused = (status: number | undefined, code: number | undefined): boolean =>
  status === UNAVAILABLE || code === IN_PROCESS || NO_ROOM.has(code ?? 0) || BETWEEN_LEADERS.has(code ?? 0);
