import { requireLevel } from '../auth/index.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Rejection } from '@continuo/contracts';
import type { RequestParams } from '../auth/index.js';
import { seenByServers } from '../catalog-place/visiting-server.js';
import { servicesFor } from '../http/changing-nothing.js';
import { textParam } from '../http/parameters.js';
import { observeAs, observeFailure, UNKNOWN } from '../http/observed-request.js';
import { requestContext, type CallerContext, type RequestContext } from '../http/request-context.js';
import { asRejection } from '../http/server.js';
import { retryAfterSeconds } from '../media/send-media.js';
import type { GatewayServices } from '../services.js';
import { listenerOf } from '../transcode/decision/listener.js';
import { documentOf, sendDocument, sendFault } from './answer.js';
import { bytesStatusOf } from './errors/native-errors.js';
import { faultOf, featureOff, NativeRefusal, noVersion, unknownAction, withdrawnAction, type NativeFault } from './errors/native-fault.js';
import type { CallerRow, MethodRow, PublicCall } from './method.js';
import { linkHolder, Links } from './objects/context.js';
import { knownParams } from './paging.js';
import { rawParams } from './params.js';
import { actionNamed, methodNamed } from './registry/index.js';
import type { NativeResult } from './result.js';
import { askedOverRest, isNumericVersion, ownPolicyFor, policyFor } from './versions/choose.js';
import { apiVersions, type ApiVersion, type Format, type VersionPolicy } from './versions/policy.js';
import { v8 } from './versions/v8.js';

/** What a route knows of a call before it is looked at. */
export interface NativeEntry {
  readonly format: Format;
  /** Version of a REST path, which beats whatever the session was opened with (choices.md row 5). */
  readonly pathVersion?: string;
  /** Parameters of a REST path. */
  readonly pathParams?: RequestParams;
  /** What is wrong with the path itself: told in the envelope of the path's version. */
  readonly refusal?: NativeRefusal;
  /** Oldest version that has the path, when that is not the action's own. */
  readonly pathSince?: ApiVersion;
}

/** A call on its way. The policy is version 8's until the version is chosen, so that every error has an envelope. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly services: GatewayServices;
  readonly entry: NativeEntry;
  readonly context: RequestContext;
  readonly action: string;
  policy: VersionPolicy;
}

const BASE_ONLY = { userId: 0, mediaToken: '' };

/** The version text that decides the dialect (native README section 3). */
const versionText = ({ entry, context, services }: Exchange, row: MethodRow | undefined): string => {
  if (entry.pathVersion !== undefined) return entry.pathVersion;
  const named = textParam(context.params, 'version') ?? '';
  if (row?.kind === 'public' && !row.inSession) return named;
  const { version = '', viaHeader } = services.auth.peekNative(context.auth);
  return viaHeader && named !== '' ? named : version;
};

/** What the client itself says of its version, which decides how versions are spelled to it. */
const clientVersion = (exchange: Exchange): string => textParam(exchange.context.params, 'version') ?? '';

const apiOf = (exchange: Exchange): string =>
  isNumericVersion(clientVersion(exchange)) ? exchange.policy.api.numeric : exchange.policy.api.dotted;

/** Goes on in the version that an account is to be answered in. @throws NativeRefusal 4700 when it has none */
const speakTo = async (userId: number, exchange: Exchange, row: MethodRow | undefined): Promise<void> => {
  const { services, entry } = exchange;
  const preferences = await services.preferences.current();
  const policy = ownPolicyFor(versionText(exchange, row), entry.format, services.config.NATIVE_API_VERSIONS, {
    isOn: (version) => preferences.isOn(userId, `api_enable_${version}`),
    forced: apiVersions.find((version) => version === preferences.numberOf(userId, 'api_force_version')),
  });
  if (!policy) throw noVersion();
  exchange.policy = policy;
};

const baseCall = (exchange: Exchange, row?: MethodRow): Omit<PublicCall<never>, 'params'> => ({
  request: exchange.context,
  services: exchange.services,
  policy: exchange.policy,
  format: exchange.entry.format,
  api: apiOf(exchange),
  speakTo: async (userId) => {
    await speakTo(userId, exchange, row);
    return apiOf(exchange);
  },
  asked:
    exchange.entry.pathVersion === undefined ? clientVersion(exchange) : askedOverRest(clientVersion(exchange), exchange.entry.pathVersion),
  headersOnly: exchange.request.method === 'HEAD',
});

/** The row of an action that the version has. @throws NativeRefusal 4705 or 4706 */
const servedRow = (row: MethodRow | undefined, { action, policy, entry }: Exchange): MethodRow => {
  if (policy.withdrawn.includes(action)) throw withdrawnAction();
  if (!row?.versions.includes(policy.version) || policy.version < (entry.pathSince ?? 0)) throw unknownAction();
  return row;
};

const invokeAs = async (row: CallerRow, exchange: Exchange, context: CallerContext): Promise<NativeResult> => {
  if (!row.checksLevel) requireLevel(context.caller, row.access);
  const { services, request } = exchange;
  const viewer = await seenByServers(request, services, listenerOf(context.caller.account, await services.preferences.current()));
  const call = { ...baseCall(exchange), request: context, viewer };
  return row.invoke(knownParams(rawParams(context.params), exchange.action, exchange.policy.version), call);
};

interface Answered {
  readonly result: NativeResult;
  readonly links: Links;
}

/** Checks a call in the order of native README section 5 and answers it. */
const answer = async (row: MethodRow | undefined, exchange: Exchange): Promise<Answered> => {
  const { services, context, entry } = exchange;
  const policy = policyFor(versionText(exchange, row), entry.format, services.config.NATIVE_API_VERSIONS);
  if (!policy) throw noVersion();
  exchange.policy = policy;
  if (entry.refusal) throw entry.refusal;
  if (!services.auth.accessControl) throw new NativeRefusal(4700, 'system', 'Access Denied');
  if (row?.kind === 'public') {
    servedRow(row, exchange);
    return { result: await row.invoke(rawParams(context.params), baseCall(exchange, row)), links: new Links(context.baseUrl, BASE_ONLY) };
  }
  const caller = await services.auth.authenticateNative(context.auth);
  await speakTo(caller.account.id, exchange, row);
  const served = servedRow(row, exchange);
  if (served.kind !== 'caller') throw featureOff(served.kind === 'missing' ? served.feature : exchange.action);
  const links = new Links(context.baseUrl, linkHolder(caller));
  return { result: await invokeAs(served, exchange, { ...context, caller }), links };
};

const send = async ({ result, links }: Answered, { request, reply, entry, policy, services }: Exchange): Promise<FastifyReply> => {
  if (result.kind === 'bytes') {
    await result.send({ request, reply });
    return reply;
  }
  // Where the status tells, it also tells that a list is empty (native README section 6).
  if (result.kind === 'list' && result.items.isEmpty && policy.version === 8 && services.config.NATIVE_HTTP_STATUS === 'mapped')
    reply.code(404);
  const rendering = { format: entry.format, profile: policy.profile, context: { links } };
  const isLong = (result.kind === 'list' && result.items.isLong) || (result.kind === 'fields' && result.isLong === true);
  return sendDocument({ request, reply }, documentOf(result, rendering, policy), { format: entry.format, isLong });
};

/** Refusals of a call as such, which come before the method has its say. */
const OF_THE_CALL: readonly number[] = [4700, 4701, 4702, 4705, 4706];

/** Whether the version tells an error by HTTP status, too, where these are mapped: 8 always, 6 for the call as such, older ones never (native README section 6). */
const isMapped = ({ code, message }: NativeFault, { version }: VersionPolicy): boolean =>
  version === 8 || (version === 6 && (OF_THE_CALL.includes(code) || (code === 4742 && message.endsWith('ACL Error'))));

const fail = (error: unknown, row: MethodRow | undefined, exchange: Exchange): Promise<FastifyReply> | FastifyReply => {
  const refused = error instanceof NativeRefusal ? error : asRejection(error, exchange.context.log);
  observeFailure(exchange.request, refused);
  const binary = row?.kind === 'caller' && row.binary;
  // A picture that is not there has no body at all (native README section 12).
  if (binary && refused instanceof Rejection && refused.code === 'art.not-found') return exchange.reply.code(404).send();
  const fault = faultOf(refused, exchange.policy);
  const told = { ...exchange, format: exchange.entry.format };
  const seconds = retryAfterSeconds(refused);
  if (seconds !== undefined) exchange.reply.header('retry-after', seconds);
  const busy = seconds === undefined ? {} : { status: 429 };
  if (binary) return sendFault(fault, { ...told, withStatus: true, status: bytesStatusOf(fault.code), ...busy });
  const withStatus = exchange.services.config.NATIVE_HTTP_STATUS === 'mapped' && isMapped(fault, exchange.policy);
  return sendFault(fault, { ...told, withStatus, ...busy });
};

/** Answers one call of the native API, whichever way it came. */
export const handleNative = async (
  request: FastifyRequest,
  reply: FastifyReply,
  services: GatewayServices,
  entry: NativeEntry,
): Promise<FastifyReply> => {
  const { PUBLIC_URL: publicUrl } = services.config;
  const context = requestContext(request, { log: services.log, ...(publicUrl && { publicUrl }) }, entry.pathParams);
  const action = textParam(context.params, 'action') || 'ping';
  const row = methodNamed(action);
  observeAs(request, { operation: actionNamed(action) ?? UNKNOWN });
  const exchange: Exchange = { request, reply, services: servicesFor(request, services), entry, context, action, policy: v8 };
  try {
    const answered = await answer(row, exchange);
    observeAs(request, { dialect: { version: String(exchange.policy.version), format: entry.format } });
    return await send(answered, exchange);
  } catch (error) {
    // Once bytes are under way there is no envelope to put an error into.
    if (reply.sent) throw error;
    return await fail(error, row, exchange);
  }
};
