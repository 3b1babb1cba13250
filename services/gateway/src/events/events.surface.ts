import { publicEventPattern, Rejection, type ErrorCode } from '@continuo/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuthRequest, Caller, CompatFailure } from '../auth/index.js';
import { textParam } from '../http/parameters.js';
import { requestContext, type RequestContext } from '../http/request-context.js';
import { asRejection, type Surface } from '../http/server.js';
import type { GatewayServices } from '../services.js';
import type { EventHub } from './event-hub.js';
import { EventStream } from './event-stream.js';

/** Statuses of what is refused; an `EventSource` comes again by itself only after 200. */
const statusOf: Partial<Record<ErrorCode, number>> = {
  'auth.failed': 401,
  'auth.expired': 401,
  'auth.throttled': 429,
  'access.address': 403,
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
  throttled: 'auth.throttled',
};

/** A request that names neither header nor session, but a login of the compatibility API. */
const isCompat = ({ headers, params }: AuthRequest): boolean =>
  headers['authorization'] === undefined &&
  headers['auth'] === undefined &&
  params['auth'] === undefined &&
  (params['apiKey'] !== undefined || params['u'] !== undefined);

const callerOf = async ({ auth }: GatewayServices, request: AuthRequest): Promise<Caller> => {
  if (!isCompat(request)) return auth.authenticateNative(request);
  const result = await auth.authenticateCompat(request);
  if (result.ok) return result.caller;
  throw new Rejection(compatCodes[result.failure.reason]);
};

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

/** How long a browser waits before it comes again, ms. */
const RETRY_MS = 3000;

const listen = async (request: FastifyRequest, reply: FastifyReply, services: GatewayServices, hub: EventHub): Promise<FastifyReply> => {
  const { config, log, auth } = services;
  const context = requestContext(request, { log });
  const caller = await callerOf(services, context.auth);
  const patterns = patternsOf(textParam(context.params, 'types'));
  const stands = await auth.standingOf(caller);
  const giveBack = hub.takePlace(caller.account.id);
  if (!giveBack) {
    return reply.code(429).header('retry-after', '30').type('text/plain; charset=utf-8').send('Too many event streams are open.\n');
  }
  const stream = new EventStream(config.EVENT_STREAM_BUFFER_BYTES);
  // Somebody who was too slow is dropped, which is no fault of this server.
  stream.on('error', (err) => context.log.debug({ err }, 'an event stream was dropped'));
  stream.once('close', giveBack);
  try {
    stream.offer(`retry: ${RETRY_MS}\n\n`);
    // Not waited for: what is missed may be more than fits, and flows while it is read.
    hub.join({ userId: caller.account.id, patterns, stream, stands }, lastEventIdOf(request, context)).catch((err: unknown) => {
      context.log.warn({ err }, 'an event stream cannot be opened');
      stream.destroy();
    });
    return await reply
      .code(200)
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store')
      // Proxies in front are asked to pass on what comes when it comes.
      .header('x-accel-buffering', 'no')
      .send(stream);
  } catch (error) {
    giveBack();
    throw error;
  }
};

/** `GET /events`: what happens, as server-sent events, as far as the caller may be told of it. Errors are plain text with a status. */
export const eventsSurface =
  (services: GatewayServices, hub: EventHub): Surface =>
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
