import { requireActionRole, requireLevelOrRole, roleOfAction } from './action-roles.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Rejection } from '@continuo/contracts';
import type { RequestParams } from '../../auth/index.js';
import { seenByServers } from '../../features/catalogs/visiting-server.js';
import { readOnlyOnHead } from '../read-only-services.js';
import { textParam } from '../../server/requests/parameters.js';
import { observeAs, observeFailure, UNKNOWN } from '../../server/requests/observed-request.js';
import { requestContext, type CallerContext, type RequestContext } from '../../server/requests/request-context.js';
import { asRejection } from '../../server/server.js';
import { retryAfterSeconds } from '../../features/media/send-media.js';
import { listenerOf } from '../../transcode/decision/listener.js';
import { documentOf, sendDocument, sendFault } from './answer.js';
import { bytesStatusOf } from './errors/native-errors.js';
import { faultOf, featureOff, NativeRefusal, noVersion, unknownAction, withdrawnAction } from './errors/native-fault.js';
import { type NativeFault } from './errors/fault.js';
import type { CallerRow, MethodRow, PublicCall } from './method.js';
import { linkHolder, Links } from './objects/context.js';
import { paramsOfVersion } from './paging.js';
import { rawParams } from './params.js';
import { actionNamed, methodNamed, type MethodServices } from './registry/index.js';
import type { NativeResult } from './result.js';
import { requestedRestVersion, isNumericVersion, ownPolicyFor, policyFor } from './versions/choose.js';
import { apiVersions, type ApiVersion, type Format, type VersionPolicy } from './versions/policy.js';
import { v8 } from './versions/v8.js';
import type { HasListSlots } from '../../server/needs.js';

type Services = MethodServices & HasListSlots;
type Row = MethodRow<Services>;

/** A call as its route found it. */
export interface NativeEntry {
  readonly format: Format;
  /** Version of a REST path, which overrides that of the session. */
  readonly pathVersion?: string;
  /** Parameters of a REST path. */
  readonly pathParams?: RequestParams;
  /** Error of the path itself, sent in the envelope of the path's version. */
  readonly refusal?: NativeRefusal;
  /** Oldest version that has the path, if newer than the action. */
  readonly pathSince?: ApiVersion;
}

/** A call in progress. The policy is that of version 8 until the version is chosen, so that every error has an envelope. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly services: Services;
  readonly entry: NativeEntry;
  readonly context: RequestContext;
  readonly action: string;
  policy: VersionPolicy;
}

const BASE_ONLY = { userId: 0, mediaToken: '', artToken: '' };

/** Requested version. Undefined when the session's version decides and there is no session. */
const versionText = ({ entry, context, services }: Exchange, row: Row | undefined): string | undefined => {
  if (entry.pathVersion !== undefined) return entry.pathVersion;
  const named = textParam(context.params, 'version') ?? '';
  if (row?.kind === 'public' && !row.inSession) return named;
  const { version, viaHeader } = services.auth.peekNative(context.auth);
  return viaHeader && named !== '' ? named : version;
};

/** Policy before authentication. An unknown session is rejected in the version that the call requests. */
const firstPolicy = (exchange: Exchange, row: Row | undefined): VersionPolicy | undefined => {
  const { entry, context, services } = exchange;
  const policyOf = (text: string): VersionPolicy | undefined => policyFor(text, entry.format, services.config.NATIVE_API_VERSIONS);
  const text = versionText(exchange, row);
  return text === undefined ? (policyOf(textParam(context.params, 'version') ?? '') ?? policyOf('')) : policyOf(text);
};

/** Client's own version text, which decides how versions are spelled in the answer. */
const clientVersion = (exchange: Exchange): string => textParam(exchange.context.params, 'version') ?? '';

const apiOf = (exchange: Exchange): string =>
  isNumericVersion(clientVersion(exchange)) ? exchange.policy.api.numeric : exchange.policy.api.dotted;

/** Switches to the version that the account must get. @throws NativeRefusal 4700 when it has none */
const switchVersion = async (userId: number, exchange: Exchange, row: Row | undefined): Promise<void> => {
  const { services, entry } = exchange;
  const preferences = await services.preferences.current();
  const policy = ownPolicyFor(versionText(exchange, row) ?? '', entry.format, services.config.NATIVE_API_VERSIONS, {
    isOn: (version) => preferences.isOn(userId, `api_enable_${version}`),
    forced: apiVersions.find((version) => version === preferences.numberOf(userId, 'api_force_version')),
  });
  if (!policy) throw noVersion();
  exchange.policy = policy;
};

const baseCall = (exchange: Exchange, row?: Row): Omit<PublicCall<never, Services>, 'params'> => ({
  context: exchange.context,
  services: exchange.services,
  policy: exchange.policy,
  format: exchange.entry.format,
  api: apiOf(exchange),
  switchVersion: async (userId) => {
    await switchVersion(userId, exchange, row);
    return apiOf(exchange);
  },
  requestedVersion:
    exchange.entry.pathVersion === undefined
      ? clientVersion(exchange)
      : requestedRestVersion(clientVersion(exchange), exchange.entry.pathVersion),
  headersOnly: exchange.request.method === 'HEAD',
});

/** Row of an action in the version. @throws NativeRefusal 4705 or 4706 */
const servedRow = (row: Row | undefined, { action, policy, entry }: Exchange): Row => {
  if (policy.withdrawn.includes(action)) throw withdrawnAction();
  if (!row?.versions.includes(policy.version) || policy.version < (entry.pathSince ?? 0)) throw unknownAction();
  return row;
};

const invokeAs = async (row: CallerRow<Services>, exchange: Exchange, context: CallerContext): Promise<NativeResult> => {
  const { services, request } = exchange;
  const preferences = await services.preferences.current();
  const role = roleOfAction(exchange.action);
  if (!row.checksLevel) requireLevelOrRole(preferences, context.caller, { access: row.access, role });
  requireActionRole(preferences, context.caller, role);
  const viewer = await seenByServers(request, services, listenerOf(context.caller.account, preferences));
  const call = { ...baseCall(exchange), context, viewer };
  return row.invoke(paramsOfVersion(rawParams(context.params), exchange.action, exchange.policy.version), call);
};

interface Answered {
  readonly result: NativeResult;
  /** Account of the session. */
  readonly holder?: number;
  readonly links: Links;
}

/** Checks a call in the fixed order of the protocol and answers it. */
const answer = async (row: Row | undefined, exchange: Exchange): Promise<Answered> => {
  const { services, context, entry } = exchange;
  const policy = firstPolicy(exchange, row);
  if (!policy) throw noVersion();
  exchange.policy = policy;
  if (entry.refusal) throw entry.refusal;
  if (!services.auth.accessControl) throw new NativeRefusal(4700, 'system', 'Access Denied');
  if (row?.kind === 'public') {
    servedRow(row, exchange);
    return { result: await row.invoke(rawParams(context.params), baseCall(exchange, row)), links: new Links(context.baseUrl, BASE_ONLY) };
  }
  const caller = await services.auth.authenticateNative(context.auth);
  await switchVersion(caller.account.id, exchange, row);
  const served = servedRow(row, exchange);
  if (served.kind !== 'caller') throw featureOff(exchange.action);
  const { hidesServerPaths } = listenerOf(caller.account, await services.preferences.current());
  const links = new Links(context.baseUrl, { ...linkHolder(caller), hidesServerPaths });
  return { result: await invokeAs(served, exchange, { ...context, caller }), links, holder: caller.account.id };
};

const send = async ({ result, links, holder }: Answered, { request, reply, entry, policy, services }: Exchange): Promise<FastifyReply> => {
  if (result.kind === 'bytes') {
    await result.send({ request, reply });
    return reply;
  }
  // A mapped status also tells an empty list.
  if (result.kind === 'list' && result.items.isEmpty && policy.version === 8 && services.config.NATIVE_HTTP_STATUS === 'mapped')
    reply.code(404);
  const rendering = { format: entry.format, profile: policy.profile, context: { links } };
  const long = { limiter: services.listSlots, holder };
  return sendDocument({ request, reply }, documentOf(result, rendering, policy), { format: entry.format, long });
};

/** Errors of a call that precede those of its method. */
const OF_THE_CALL: readonly number[] = [4700, 4701, 4702, 4705, 4706];

/**
 * True when the version maps the error to an HTTP status, if mapping is on: 8 always, 6 for errors of the call itself, older ones never.
 */
const isMapped = ({ code, message }: NativeFault, { version }: VersionPolicy): boolean =>
  version === 8 || (version === 6 && (OF_THE_CALL.includes(code) || (code === 4742 && message.endsWith('ACL Error'))));

const fail = (error: unknown, row: Row | undefined, exchange: Exchange): Promise<FastifyReply> | FastifyReply => {
  const refused = error instanceof NativeRefusal ? error : asRejection(error, exchange.context.log);
  observeFailure(exchange.request, refused);
  const binary = row?.kind === 'caller' && row.binary;
  // A missing picture has no body.
  if (binary && refused instanceof Rejection && refused.code === 'art.not-found') return exchange.reply.code(404).send();
  const fault = faultOf(refused);
  const told = { ...exchange, format: exchange.entry.format };
  const seconds = retryAfterSeconds(refused);
  if (seconds !== undefined) exchange.reply.header('retry-after', seconds);
  const busy = seconds === undefined ? {} : { status: 429 };
  if (binary) return sendFault(fault, { ...told, withStatus: true, status: bytesStatusOf(fault.code), ...busy });
  const own = refused instanceof NativeRefusal && refused.status !== undefined ? { status: refused.status } : undefined;
  const withStatus = own !== undefined || (exchange.services.config.NATIVE_HTTP_STATUS === 'mapped' && isMapped(fault, exchange.policy));
  return sendFault(fault, { ...told, withStatus, ...own, ...busy });
};

/** Answers a call of the native API, by action or REST path. */
export const handleNative = async (
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  entry: NativeEntry,
): Promise<FastifyReply> => {
  const context = requestContext(request, services, entry.pathParams);
  const action = textParam(context.params, 'action') || 'ping';
  const row = methodNamed(action);
  observeAs(request, { operation: actionNamed(action) ?? UNKNOWN });
  const exchange: Exchange = { request, reply, services: readOnlyOnHead(request, services), entry, context, action, policy: v8 };
  try {
    const answered = await answer(row, exchange);
    observeAs(request, { dialect: { version: String(exchange.policy.version), format: entry.format } });
    return await send(answered, exchange);
  } catch (error) {
    // After the first byte no error envelope can be sent.
    if (reply.sent) throw error;
    return await fail(error, row, exchange);
  }
};
