import { JetStreamApiError, JetStreamError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';

/** What JetStream answers while it has no leader, is switched off, or has no room: HTTP's "service unavailable", and "no room left". */
const UNAVAILABLE = 503;
const NO_ROOM = new Set([10_047, 10_077]);
/** A cluster that is changing who leads: not assigned to this server, not its leader, stream offline. https://github.com/nats-io/nats-server/blob/main/server/errors.json */
const BETWEEN_LEADERS = new Set([10_007, 10_009, 10_118]);
/** The same message id is on its way already, and nobody knows yet what becomes of it; whoever asks later finds it, or writes it. */
const IN_PROCESS = 10_158;

/** True for an error that says that NATS does not answer, or cannot take or give anything at the moment; the same request may succeed later. */
export const isLogAway = (error: unknown): boolean =>
  error instanceof errors.TimeoutError ||
  error instanceof errors.RequestError ||
  error instanceof errors.NoRespondersError ||
  error instanceof errors.ConnectionError ||
  error instanceof errors.ClosedConnectionError ||
  // Messages are read from whichever server has them; the last one that had may have gone.
  (error instanceof JetStreamError && 'code' in error && error.code === UNAVAILABLE) ||
  (error instanceof JetStreamApiError && isLogRefusing(error.status, error.code));

/** The same of the numbers in an answer to an append. */
export const isLogRefusing = (status: number | undefined, code: number | undefined): boolean =>
  status === UNAVAILABLE || code === IN_PROCESS || NO_ROOM.has(code ?? 0) || BETWEEN_LEADERS.has(code ?? 0);
