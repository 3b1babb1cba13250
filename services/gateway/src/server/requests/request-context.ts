import { randomUUID } from 'node:crypto';
import { operatorActor, type MessageContext, type Precondition } from '@continuo/contracts';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { AuthRequest, Caller, RequestParams } from '../../auth/index.js';
import { observedOf } from './observed-request.js';
import { checkParams, mergeParams, parseForm } from './parameters.js';
import type { HasConfig, HasLog } from '../needs.js';
import { sentFile, type SentFile } from '../sent-file.js';
import type { Viewer } from '../../reads/visibility/viewer.js';

/** Header under which the correlation id comes and goes. */
export const CORRELATION_HEADER = 'x-correlation-id';

/** Context of a request before authentication. */
export interface RequestContext {
  /** The same through everything that this request causes; answered in a header and put into messages. */
  readonly correlationId: string;
  /** Query and body merged, the body winning. */
  readonly params: RequestParams;
  /** Input of authentication. */
  readonly auth: AuthRequest;
  /** `scheme://host[:port]` under which the client reached the server, for the links in answers; without a trailing slash. */
  readonly baseUrl: string;
  readonly log: Logger;
  /** The file that the request brings, where it may bring one. */
  readonly file?: SentFile;
  /** W3C trace context of this request, passed on with every command. */
  readonly traceparent?: string;
}

/** A request whose caller is proven. */
export interface CallerContext extends RequestContext {
  readonly caller: Caller;
  /** Ids of its commands, where a repetition of the request must have the same ones. */
  readonly nextCommandId?: () => string;
  /** Answers the precondition of its next command, which has this id; absent without `If-Match`. */
  readonly preconditionOf?: (commandId: string) => Precondition;
}

/** A proven caller, what it may see, and the services that its call needs. */
export interface CallerWith<S> {
  readonly services: S;
  readonly context: CallerContext;
  readonly viewer: Viewer;
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
/** True for a header in the form of the W3C trace context. */
export const isTraceparent = (header: unknown): header is string => typeof header === 'string' && TRACEPARENT.test(header);

const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** Headers in which a client, or a proxy, may name its request; the first one that is harmless counts. */
const ID_HEADERS = [CORRELATION_HEADER, 'x-request-id'] as const;

/** The correlation id of a request: the client's own when it is harmless, else a new one. */
export const correlationIdFrom = (headers: Readonly<Record<string, string | readonly string[] | undefined>>): string => {
  for (const name of ID_HEADERS) {
    const header = headers[name];
    if (typeof header === 'string' && ACCEPTABLE_ID.test(header)) return header;
  }
  return randomUUID();
};

/** The query string of a request, without the question mark. */
export const queryText = (url: string): string => {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
};

type Needed = HasLog & Partial<HasConfig>;

const baseUrlOf = (request: FastifyRequest, { config }: Needed): string =>
  config?.PUBLIC_URL?.replace(/\/+$/, '') ?? `${request.protocol}://${safeHost(request.host)}`;

// The host header is the client's; only what can be a host goes into links.
const safeHost = (host: string): string => (/^[A-Za-z0-9.:[\]_-]{1,255}$/.test(host) ? host : 'localhost');

/**
 * Reads what a surface needs of a request. `extra` are parameters that beat query and body (those of a REST path).
 * @throws Rejection see {@link checkParams}
 */
export const requestContext = (request: FastifyRequest, services: Needed, extra?: RequestParams): RequestContext => {
  const body = request.method === 'GET' || request.method === 'HEAD' ? undefined : (request.body as RequestParams | undefined);
  const query = parseForm(queryText(request.url));
  const params = checkParams(body || extra ? mergeParams(query, body, extra) : query);
  const { traceparent } = observedOf(request) ?? {};
  const file = sentFile(request);
  return {
    ...(traceparent ? { traceparent } : {}),
    ...(file ? { file } : {}),
    correlationId: request.id,
    params,
    auth: { headers: request.headers, params, peerAddress: request.socket.remoteAddress ?? '' },
    baseUrl: baseUrlOf(request, services),
    // Lines of a request have its correlation id from the work at hand; a logger for each call would cost more than most calls.
    log: services.log,
  };
};

const actorOf = (caller: Caller | undefined): string => {
  if (!caller) return 'anonymous';
  return caller.by === 'operator' ? operatorActor : `user:${caller.account.id}`;
};

/** Builds the message context of a command sent for this request; without an actor before authentication. */
export const messageContext = (context: RequestContext & { readonly caller?: Caller }): MessageContext => ({
  actor: actorOf(context.caller),
  correlationId: context.correlationId,
  causationId: context.correlationId,
  ...(context.traceparent ? { traceparent: context.traceparent } : {}),
});
