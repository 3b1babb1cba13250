import { hasScope, publicEventPattern, Rejection, type ErrorCode } from '@continuo/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PLAYER_LEVEL, tooManyLogins, type AuthRequest, type Caller, type CompatFailure } from '../../auth/index.js';
import { textParam } from '../../server/requests/parameters.js';
import { requestContext, type RequestContext } from '../../server/requests/request-context.js';
import { asRejection, type Surface } from '../../server/server.js';
import type { EventHub } from './event-hub.js';
import { EventStream } from './event-stream.js';
import type { HasAuth } from '../../auth/auth.js';
import type { HasConfig, HasLog } from '../../server/needs.js';

const ADMINISTRATOR = 100;

type Services = HasAuth & HasConfig & HasLog;

/** HTTP statuses of refusals; an `EventSource` reconnects only after 200. */
const statusOf: Partial<Record<ErrorCode, number>> = {
  'auth.failed': 401,
  'auth.expired': 401,
  'auth.throttled': 429,
  'access.address': 403,
  'access.scope': 403,
  'access.denied': 403,
  'feature.disabled': 403,
  unavailable: 503,
  internal: 500,
};

const compatCodes: Readonly<Record<CompatFailure['reason'], ErrorCode>> = {
  'missing-parameter': 'auth.expired',
  'wrong-credentials': 'auth.failed',
  'token-unsupported': 'auth.failed',
  'mechanism-unsupported': 'auth.failed',
  'conflicting-mechanisms': 'auth.failed',
  'invalid-key': 'auth.failed',
  'address-denied': 'access.address',
  'scope-denied': 'access.scope',
  throttled: 'auth.throttled',
};

/** True for a request with a login of the Subsonic API, without header or session. */
const isCompat = ({ headers, params }: AuthRequest): boolean =>
  headers['authorization'] === undefined &&
  headers['auth'] === undefined &&
  params['auth'] === undefined &&
  (params['apiKey'] !== undefined || params['u'] !== undefined);

/** Operators follow their long work with keys that open no player. */
const listenerOrOperator = (auth: Services['auth'], request: AuthRequest): Promise<Caller> =>
  auth.authenticateNative(request).catch((error: unknown) => {
    if (error instanceof Rejection && error.code === 'access.scope') return auth.authenticateNative(request, 'manage:read');
    throw error;
  });

const callerOf = async ({ auth }: Services, request: AuthRequest): Promise<Caller> => {
  if (!isCompat(request)) return listenerOrOperator(auth, request);
  const result = await auth.authenticateCompat(request);
  if (result.ok) return result.caller;
  const { failure } = result;
  throw failure.reason === 'throttled' ? tooManyLogins(failure.retryAfterMs) : new Rejection(compatCodes[failure.reason]);
};

/** A key that listens only hears what a user may hear; one that reads for operators, what its account may. */
const mostLevelOf = ({ scopes }: Caller): number => (hasScope(scopes, 'manage:read') ? ADMINISTRATOR : PLAYER_LEVEL);

const MAX_PATTERNS = 100;

/** @throws Rejection `input.invalid` */
const patternsOf = (types: string | undefined): readonly string[] => {
  if (types === undefined || types === '') return ['*'];
  const patterns = types.split(',').map((part) => part.trim());
  const bad = patterns.find((pattern) => !publicEventPattern.safeParse(pattern).success);
  if (bad !== undefined || patterns.length > MAX_PATTERNS)
    throw new Rejection('input.invalid', `types: "${bad ?? 'so many'}" names no event`, 'types');
  return patterns;
};

const lastEventIdOf = (request: FastifyRequest, { params }: RequestContext): string | undefined => {
  const header = request.headers['last-event-id'];
  const text = typeof header === 'string' ? header : textParam(params, 'last_event_id');
  return text === '' ? undefined : text;
};

/** Time after which a browser reconnects, ms. */
const RETRY_MS = 3000;

const listen = async (request: FastifyRequest, reply: FastifyReply, services: Services, hub: EventHub): Promise<FastifyReply> => {
  const { config, log, auth } = services;
  // A stream goes on when the work of its request is over.
  const context = requestContext(request, { log: log.child({ correlationId: request.id }) });
  const caller = await callerOf(services, context.auth);
  const patterns = patternsOf(textParam(context.params, 'types'));
  const isAuthorized = await auth.authorizationCheckOf(caller);
  const giveBack = hub.takeSlot(caller.account.id);
  if (!giveBack) {
    return reply.code(429).header('retry-after', '30').type('text/plain; charset=utf-8').send('Too many event streams are open.\n');
  }
  const stream = new EventStream(config.EVENT_STREAM_BUFFER_BYTES);
  // A client that was too slow is disconnected, which is no error of this server.
  stream.on('error', (err) => context.log.debug({ err }, 'Event stream closed by an error'));
  stream.once('close', giveBack);
  try {
    stream.offer(`retry: ${RETRY_MS}\n\n`);
    // Not awaited: missed events may exceed the buffer and are sent while the client reads.
    hub
      .join({ userId: caller.account.id, mostLevel: mostLevelOf(caller), patterns, stream, isAuthorized }, lastEventIdOf(request, context))
      .catch((err: unknown) => {
        context.log.warn({ err }, 'Failed to open an event stream');
        stream.destroy();
      });
    return await reply
      .code(200)
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store')
      // Asks proxies not to buffer.
      .header('x-accel-buffering', 'no')
      .send(stream);
  } catch (error) {
    giveBack();
    throw error;
  }
};

/** `GET /events`: server-sent events that the caller may see. Errors are plain text with a status. */
export const eventsSurface =
  (services: Services, hub: EventHub): Surface =>
  async (app: FastifyInstance) => {
    app.addHook('preClose', async () => hub.close());
    await app.register(async (scope) => {
      scope.setErrorHandler((error, request, reply) => {
        const refused = asRejection(error, services.log.child({ correlationId: request.id }));
        return reply
          .code(statusOf[refused.code] ?? 400)
          .type('text/plain; charset=utf-8')
          .send(`${refused.message}\n`);
      });
      scope.get('/events', (request, reply) => listen(request, reply, services, hub));
    });
  };
