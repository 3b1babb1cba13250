import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../auth/index.js';
import { servicesFor } from '../http/changing-nothing.js';
import { asRejection, API_METHODS, type Surface } from '../http/server.js';
import { requestContext, type RequestContext } from '../http/request-context.js';
import type { PreferenceSnapshot } from '../preferences/index.js';
import { PageMarks } from '../reads/page-marks.js';
import { viewerOf } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';
import { authenticate } from './authentication.js';
import { errorDocument } from './documents.js';
import { CompatError, toCompatError } from './errors.js';
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
}

const sendDocument = (reply: FastifyReply, form: ResponseForm, text: string): FastifyReply => {
  reply.code(200).header('cache-control', 'no-store');
  if (form.callback !== undefined) return reply.type('text/javascript; charset=UTF-8').send(`${form.callback}(${text});`);
  return reply.type(form.format === 'json' ? 'application/json; charset=UTF-8' : 'text/xml; charset=UTF-8').send(text);
};

const unknownOperation = (): CompatError => new CompatError(0, 'There is no such operation');

/** True for an operation that the legacy form does not have; it answers as if nobody had heard of it. */
const isUnknownToLegacy = (row: EndpointRow, policy: CompatPolicy): boolean => row.kind === 'absent' && row.open && !policy.profile.open;

/** The account's own choice, or a client that stumbles over anything else. */
const wantsLegacy = ({ account, client }: Caller, preferences: PreferenceSnapshot, { config }: CompatServices): boolean =>
  preferences.isOn(account.id, 'subsonic_legacy') || config.COMPAT_LEGACY_CLIENTS.has(client.toLowerCase());

const answer = async (row: EndpointRow, exchange: Exchange, services: CompatServices): Promise<FastifyReply> => {
  const { request, reply, context, form } = exchange;
  const base = { bag: bagOf(context.params), services, format: form.format };
  if (row.kind === 'public') return sendDocument(reply, form, row.run({ ...base, policy: exchange.policy }));
  checkClient(context.params);
  const caller = await authenticate(services.auth, context.auth);
  const preferences = await services.preferences.current();
  exchange.policy = wantsLegacy(caller, preferences, services) ? legacy : extended;
  const known = { context: { ...context, caller }, viewer: viewerOf(caller.account), preferences };
  const call: UserCallBase = { ...base, policy: exchange.policy, ...known };
  if (isUnknownToLegacy(row, exchange.policy)) throw unknownOperation();
  checkAccess(row.access, call);
  if (row.kind === 'absent') throw new CompatError(row.code, row.reason);
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
  'content-security-policy',
];

const fail = (error: unknown, { reply, form, policy }: Pick<Exchange, 'reply' | 'form' | 'policy'>): FastifyReply => {
  for (const name of HEADERS_OF_BYTES) reply.removeHeader(name);
  return sendDocument(reply, form, errorDocument(toCompatError(error), form.format, policy));
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
    return await answer(endpointOf(operation), exchange, servicesFor(request, services));
  } catch (error) {
    // Once bytes of a file are under way there is no envelope to put an error into.
    if (reply.sent) throw error;
    return fail(known(error, context), exchange);
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
        return fail(known(error, { log: services.log.child({ correlationId: request.id }) }), { reply, form, policy: extended });
      });
      scope.route<{ Params: { operation: string } }>({
        method: [...API_METHODS],
        url: '/rest/:operation',
        handler: (request, reply) => handle(request, reply, services),
      });
    });
  };
