import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../auth/index.js';
import { seenByServers } from '../catalog-place/visiting-server.js';
import { servicesFor } from '../http/changing-nothing.js';
import { observeAs, observeFailure } from '../http/observed-request.js';
import { documentHeads } from '../http/heads.js';
import { asRejection, API_METHODS, type Surface } from '../http/server.js';
import { requestContext, type RequestContext } from '../http/request-context.js';
import type { PreferenceSnapshot } from '../preferences/index.js';
import { PageMarks } from '../reads/page-marks.js';
import { retryAfterSeconds } from '../media/send-media.js';
import type { GatewayServices } from '../services.js';
import { listenerOf } from '../transcode/decision/listener.js';
import { authenticate } from './authentication.js';
import { errorDocument } from './documents.js';
import { CompatError, toCompatError, type CompatErrorCode } from './errors.js';
import { extended, legacy, type CompatPolicy } from './policy.js';
import { checkAccess, type CompatServices, type EndpointRow, type UserCallBase } from './registry/endpoint.js';
import { operationOf } from './registry/names.js';
import { endpointOf } from './registry/registry.js';
import { bagOf, checkCallback, checkClient, responseFormOf, type ResponseForm } from './request.js';

/** One request on its way: what it asks for, and how its answer is to be written. The policy is known once the caller is. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly context: RequestContext;
  readonly form: ResponseForm;
  policy: CompatPolicy;
  /** True where a failure has an HTTP status of its own. */
  tellsStatus?: boolean;
}

const sendDocument = (reply: FastifyReply, form: ResponseForm, text: string, status = 200): FastifyReply => {
  reply.code(status).header('cache-control', 'no-store');
  if (form.callback !== undefined) return reply.type('text/javascript; charset=UTF-8').send(`${form.callback}(${text});`);
  return reply.type(form.format === 'json' ? 'application/json; charset=UTF-8' : 'text/xml; charset=UTF-8').send(text);
};

const unknownOperation = (): CompatError => new CompatError(0, 'There is no such operation');

/** True for an operation that the legacy form does not have; it answers as if nobody had heard of it. */
const isUnknownToLegacy = (row: EndpointRow, policy: CompatPolicy): boolean => 'open' in row && row.open === true && !policy.profile.open;

/** The account's own choice, or a client that stumbles over anything else. */
const wantsLegacy = ({ account, client }: Caller, preferences: PreferenceSnapshot, { config }: CompatServices): boolean =>
  preferences.isOn(account.id, 'subsonic_legacy') || config.COMPAT_LEGACY_CLIENTS.has(client.toLowerCase());

const answer = async (row: EndpointRow, exchange: Exchange, services: CompatServices): Promise<FastifyReply> => {
  const { request, reply, context, form } = exchange;
  const base = { bag: bagOf(context.params), services, format: form.format };
  if (row.kind === 'public') return sendDocument(reply, form, await row.run({ ...base, policy: exchange.policy }));
  checkClient(context.params);
  const caller = await authenticate(services.auth, context.auth);
  const preferences = await services.preferences.current();
  exchange.policy = wantsLegacy(caller, preferences, services) ? legacy : extended;
  const viewer = await seenByServers(request, services, listenerOf(caller.account, preferences));
  const known = { context: { ...context, caller }, viewer, preferences };
  const call: UserCallBase = { ...base, policy: exchange.policy, ...known };
  if (isUnknownToLegacy(row, exchange.policy)) {
    // What nobody has heard of has no statuses of its own either.
    exchange.tellsStatus = false;
    throw unknownOperation();
  }
  checkAccess(row.access, call);
  if (row.kind === 'binary') return row.send(call, { request, reply });
  return sendDocument(reply, form, await row.run(call));
};

/** What a sender of bytes may have said before it failed; none of it is true of an envelope. */
const HEADERS_OF_BYTES = [
  'etag',
  'accept-ranges',
  'last-modified',
  'content-length',
  'content-range',
  'content-disposition',
  'x-content-duration',
];

/** Status of failures where they have one: 400, 401, 404 and 500 (compat facts, section 3). */
const statusOf = (code: CompatErrorCode): number => {
  if (code === 70) return 404;
  if (code === 0) return 500;
  return code >= 40 ? 401 : 400;
};

const fail = (
  error: unknown,
  { reply, form, policy, tellsStatus }: Pick<Exchange, 'reply' | 'form' | 'policy' | 'tellsStatus'>,
): FastifyReply => {
  for (const name of HEADERS_OF_BYTES) reply.removeHeader(name);
  documentHeads(reply);
  const told = toCompatError(error);
  const document = errorDocument(told, form.format, policy);
  const seconds = retryAfterSeconds(error);
  if (seconds === undefined) return sendDocument(reply, form, document, tellsStatus ? statusOf(told.code) : 200);
  return sendDocument(reply.header('retry-after', seconds), form, document, 429);
};

const known = (error: unknown, context: Pick<RequestContext, 'log'>): unknown =>
  error instanceof CompatError ? error : asRejection(error, context.log);

const handle = async (
  request: FastifyRequest<{ Params: { operation: string } }>,
  reply: FastifyReply,
  services: CompatServices,
): Promise<FastifyReply> => {
  const context = requestContext(request, {
    log: services.log,
    ...(services.config.PUBLIC_URL && { publicUrl: services.config.PUBLIC_URL }),
  });
  const exchange: Exchange = { request, reply, context, form: responseFormOf(context.params), policy: extended };
  try {
    checkCallback(context.params, exchange.form);
    const operation = operationOf(request.params.operation);
    if (!operation) throw unknownOperation();
    observeAs(request, { operation });
    const row = endpointOf(operation);
    exchange.tellsStatus = row.kind === 'binary' && row.tellsStatus === true;
    return await answer(row, exchange, servicesFor(request, services));
  } catch (error) {
    // Once bytes of a file are under way there is no envelope to put an error into.
    if (reply.sent) throw error;
    const told = known(error, context);
    observeFailure(request, told);
    return fail(told, exchange);
  }
};

/** The compatibility API: `/rest/<operation>`, with or without `.view`, in any letter case, by GET, HEAD or POST. */
export const compatSurface =
  (gateway: GatewayServices): Surface =>
  async (app: FastifyInstance) => {
    const services: CompatServices = { ...gateway, marks: new PageMarks() };
    await app.register(async (scope) => {
      scope.setErrorHandler((error, request, reply) => {
        const form: ResponseForm = { format: /[?&]f=jsonp?(?:&|$)/i.test(request.url) ? 'json' : 'xml' };
        const told = known(error, { log: services.log.child({ correlationId: request.id }) });
        observeFailure(request, told);
        return fail(told, { reply, form, policy: extended });
      });
      scope.route<{ Params: { operation: string } }>({
        method: [...API_METHODS],
        url: '/rest/:operation',
        handler: (request, reply) => handle(request, reply, services),
      });
    });
  };
