import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, RequestParams } from '../../auth/index.js';
import { seenByServers } from '../../features/catalogs/visiting-server.js';
import { readOnlyOnHead } from '../read-only-services.js';
import { observeAs, observeFailure } from '../../server/requests/observed-request.js';
import { setDocumentHeaders } from '../../server/response-headers.js';
import { streamDocument, type DocumentStreams } from '../../server/stream-document.js';
import { asRejection, API_METHODS, type Surface } from '../../server/server.js';
import { queryText, requestContext, type RequestContext } from '../../server/requests/request-context.js';
import { peekParam, textParam } from '../../server/requests/parameters.js';
import { wantsOriginalYear, type PreferenceSnapshot } from '../../preferences/index.js';
import { PageCursors, type HasPageCursors } from '../../reads/lists/page-cursors.js';
import { retryAfterSeconds } from '../../features/media/send-media.js';
import { gatherParts, isLong, type KeepWhole, type Part } from '../../render/index.js';
import { listenerOf } from '../../transcode/decision/listener.js';
import { AnswerCache } from './answer-cache.js';
import { authenticate } from './authentication.js';
import { errorDocument } from './documents.js';
import { CompatError, toCompatError, type CompatErrorCode } from './errors.js';
import { extended, legacy, type CompatPolicy } from './policy.js';
import { checkAccess, type EndpointRow, type UserCallBase } from './registry/endpoint.js';
import { operationOf } from './registry/names.js';
import { endpointOf, type EndpointServices } from './registry/registry.js';
import { bagOf, checkCallback, checkClient, responseFormOf, type ResponseForm } from './request.js';
import type { HasListSlots } from '../../server/needs.js';

type Services = EndpointServices & HasListSlots & { readonly answers: AnswerCache };
type Row = EndpointRow<Services>;

/** A request, the form of its answer, and the caller's policy once it is authenticated. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly context: RequestContext;
  readonly form: ResponseForm;
  /** The operation, once its name is known. */
  operation?: string;
  policy: CompatPolicy;
  /** True when failures also have an HTTP status. */
  tellsStatus?: boolean;
}

const typeOf = (form: ResponseForm): string => {
  if (form.callback !== undefined) return 'text/javascript; charset=UTF-8';
  return form.format === 'json' ? 'application/json; charset=UTF-8' : 'text/xml; charset=UTF-8';
};

const sendBody = (reply: FastifyReply, form: ResponseForm, body: unknown): FastifyReply =>
  reply.header('cache-control', 'no-store').type(typeOf(form)).send(body);

const sendDocument = (reply: FastifyReply, form: ResponseForm, text: string, status = 200): FastifyReply =>
  sendBody(reply.code(status), form, form.callback === undefined ? text : `${form.callback}(${text});`);

/** Sends a document with lists that are read while it is written; a long one uses a slot for long answers. */
const sendParts = async (
  { request, reply, form }: Exchange,
  document: readonly Part[],
  { long, whole }: { readonly long: DocumentStreams; readonly whole?: KeepWhole | undefined },
): Promise<FastifyReply> => {
  const parts = form.callback === undefined ? document : [`${form.callback}(`, ...document, ');'];
  if (isLong(parts))
    // The length is unknown before a long list is written.
    return sendBody(reply, form, request.method === 'HEAD' ? undefined : await streamDocument(parts, long, whole));
  const body = await gatherParts(parts);
  whole?.keep(body);
  return sendBody(reply, form, body);
};

const unknownOperation = (): CompatError => new CompatError(0, 'There is no such operation');

/** True for an operation that the legacy form does not have; it answers as an unknown one. */
const isUnknownToLegacy = (row: Row, policy: CompatPolicy): boolean => 'open' in row && row.open === true && !policy.profile.open;

/** True when the account's preference or the client's known faults ask for the legacy form. */
const wantsLegacy = ({ account, client }: Caller, preferences: PreferenceSnapshot, { config }: Services): boolean =>
  preferences.isOn(account.id, 'subsonic_legacy') || config.COMPAT_LEGACY_CLIENTS.has(client.toLowerCase());

const answer = async (row: Row, exchange: Exchange, services: Services): Promise<FastifyReply> => {
  const { request, reply, context, form } = exchange;
  const base = { bag: bagOf(context.params), services, format: form.format };
  if (row.kind === 'public') return sendDocument(reply, form, await row.run({ ...base, policy: exchange.policy }));
  checkClient(context.params);
  const caller = await authenticate(services.auth, context.auth);
  const preferences = await services.preferences.current();
  exchange.policy = wantsLegacy(caller, preferences, services) ? legacy : extended;
  const viewer = await seenByServers(request, services, listenerOf(caller.account, preferences));
  const known = { context: { ...context, caller }, viewer, preferences };
  const call: UserCallBase<Services> = { ...base, policy: exchange.policy, ...known };
  if (isUnknownToLegacy(row, exchange.policy)) {
    // Unknown operations have no status of their own either.
    exchange.tellsStatus = false;
    throw unknownOperation();
  }
  checkAccess(row.access, call);
  if (row.kind === 'binary') return row.send(call, { request, reply });
  return sendAnswer(row, exchange, call);
};

/** Everything that a kept answer depends on beside the tables that it is read from. */
const keptKey = ({ fields }: Row, { operation, form }: Exchange, { bag, policy, viewer, preferences }: UserCallBase<Services>): string =>
  JSON.stringify([
    operation,
    form.format,
    policy.name,
    viewer,
    wantsOriginalYear(preferences, viewer),
    Object.keys(fields).map((name) => bag.get(name) ?? null),
  ]);

/** Keeps nothing that was made while preferences changed, because the key tells those of the call. */
const whileUnchanged = ({ maxBytes, keep }: KeepWhole, { services, preferences }: UserCallBase<Services>): KeepWhole => ({
  maxBytes,
  keep: (body) => {
    if (services.preferences.peek() === preferences) keep(body);
  },
});

/** Runs an operation that answers with a document, or takes its answer from the kept ones. */
const sendAnswer = async (
  row: Extract<Row, { kind: 'document' }>,
  exchange: Exchange,
  call: UserCallBase<Services>,
): Promise<FastifyReply> => {
  const { reply, form } = exchange;
  // A JSONP answer is wrapped into the caller's own name.
  const isKept = form.callback === undefined && row.isKept?.(call.bag) === true;
  const lookup = isKept ? await call.services.answers.find(keptKey(row, exchange, call)) : undefined;
  if (lookup && 'body' in lookup) return sendBody(reply, form, lookup.body);
  const text = await row.run(call);
  const whole = lookup && whileUnchanged(lookup, call);
  if (typeof text === 'string' && !whole) return sendDocument(reply, form, text);
  const long = { limiter: call.services.listSlots, holder: call.context.caller.account.id };
  return sendParts(exchange, typeof text === 'string' ? [text] : text, { long, whole });
};

/** Headers that a media sender may have set before it failed; they are removed before an error envelope is sent. */
const HEADERS_OF_BYTES = [
  'etag',
  'accept-ranges',
  'last-modified',
  'content-length',
  'content-range',
  'content-disposition',
  'x-content-duration',
];

/** HTTP status of a failure, for operations that have one: 400, 401, 404 or 500. */
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
  setDocumentHeaders(reply);
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
  services: Services,
): Promise<FastifyReply> => {
  const context = requestContext(request, services);
  const exchange: Exchange = { request, reply, context, form: responseFormOf(context.params), policy: extended };
  try {
    checkCallback(context.params, exchange.form);
    const operation = operationOf(request.params.operation);
    if (!operation) throw unknownOperation();
    observeAs(request, { operation });
    exchange.operation = operation;
    const row = endpointOf(operation);
    exchange.tellsStatus = row.kind === 'binary' && row.tellsStatus === true;
    return await answer(row, exchange, readOnlyOnHead(request, services));
  } catch (error) {
    // After the first byte of a file no error envelope can be sent.
    if (reply.sent) throw error;
    const told = known(error, context);
    observeFailure(request, told);
    return fail(told, exchange);
  }
};

/** The Subsonic API: `/rest/<operation>`, with or without `.view`, in any letter case, by GET, HEAD or POST. */
export const compatSurface =
  (gateway: Omit<Services, keyof HasPageCursors | 'answers'>): Surface =>
  async (app: FastifyInstance) => {
    const services: Services = { ...gateway, marks: new PageCursors(), answers: new AnswerCache(gateway.db) };
    await app.register(async (scope) => {
      const failEarly = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
        const format = textParam((request.body ?? {}) as RequestParams, 'f') ?? peekParam(queryText(request.url), 'f');
        const form: ResponseForm = { format: /^jsonp?$/i.test(format ?? '') ? 'json' : 'xml' };
        const told = known(error, { log: services.log.child({ correlationId: request.id }) });
        observeFailure(request, told);
        return fail(told, { reply, form, policy: extended });
      };
      scope.setErrorHandler(failEarly);
      scope.refuseAddresses(/^\/rest\/[^/?]+(?:\?|$)/, (request, reply) => failEarly(unknownOperation(), request, reply));
      scope.route<{ Params: { operation: string } }>({
        method: [...API_METHODS],
        url: '/rest/:operation',
        handler: (request, reply) => handle(request, reply, services),
      });
    });
  };
