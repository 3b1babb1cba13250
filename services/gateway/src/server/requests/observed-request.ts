import { Rejection } from '@continuo/contracts';
import type { Span } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';

/** The parts of the server, as metrics tell them apart. */
export type SurfaceName = 'native' | 'rest' | 'compat' | 'manage' | 'media' | 'hls' | 'share' | 'events' | 'page' | 'status' | 'none';

/**
 * Outcome of a request: `refused` is a client error (wrong password, no such thing, an unusable parameter), `failed` is a server error,
 * `aborted` is a client that went away.
 */
export type Outcome = 'ok' | 'refused' | 'failed' | 'aborted';

/** Labels of a request for metrics and traces. All of it comes from tables of this program, none of it from the client. */
export interface ObservedRequest {
  surface: SurfaceName;
  operation: string;
  /** API version and format of a native call. */
  dialect?: { readonly version: string; readonly format: string };
  /** Set where the status of the answer does not tell. */
  outcome?: Outcome;
  readonly startedMs: number;
  /** When the first byte of the body went out. */
  firstByteMs?: number;
  /** Bytes of the body that went out. */
  sentBytes?: number;
  /** The span of the request, while tracing is on. */
  span?: Span;
  /** Trace context for what the request causes. */
  traceparent?: string;
}

/** Label of everything unknown, whatever the client calls it. */
export const UNKNOWN = 'unknown';

const observed = new WeakMap<FastifyRequest, ObservedRequest>();

/** Begins to observe a request. */
export const observe = (request: FastifyRequest, first: ObservedRequest): void => void observed.set(request, first);

/** Returns the labels of a request; undefined while nothing is measured. */
export const observedOf = (request: FastifyRequest): ObservedRequest | undefined => observed.get(request);

/** Says which operation a request is: a name from a table of this program. */
export const observeAs = (request: FastifyRequest, known: Partial<Pick<ObservedRequest, 'surface' | 'operation' | 'dialect'>>): void => {
  const about = observed.get(request);
  if (about) Object.assign(about, known);
};

/** Refusals that no client can do anything about. A server that is busy is one of them. */
const OWN_FAULTS: ReadonlySet<string> = new Set([
  'internal',
  'unavailable',
  'conflict',
  'transcode.busy',
  'transcode.failed',
  'media.failed',
  'storage.full',
]);

/** Classifies an error as client or server error. An error that is no {@link Rejection} is a refusal in the surface's own form. */
export const outcomeOf = (error: unknown): Extract<Outcome, 'refused' | 'failed'> =>
  error instanceof Rejection && OWN_FAULTS.has(error.code) ? 'failed' : 'refused';

/** Notes that a request came to nothing, for answers whose status does not tell. */
export const observeFailure = (request: FastifyRequest, error: unknown): void => {
  const about = observed.get(request);
  if (!about) return;
  about.outcome = outcomeOf(error);
  if (error instanceof Rejection) about.span?.setAttribute('continuo.refused', error.code);
};
