import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestParams } from '../../auth/index.js';
import { observeFailure } from '../../server/requests/observed-request.js';
import { peekParam } from '../../server/requests/parameters.js';
import { queryText } from '../../server/requests/request-context.js';
import { routeFiles } from '../../server/sent-file.js';
import { API_METHODS, asRejection, UNREADABLE_ADDRESS, type Surface } from '../../server/server.js';
import { sendFault } from './answer.js';
import { handleNative, type NativeEntry } from './dispatch.js';
import type { MethodServices } from './registry/index.js';
import { badAddress, faultOf, NativeRefusal } from './errors/native-fault.js';
import { actionNamed } from './registry/index.js';
import { restCallOf, type RestVerb } from './rest/routes.js';
import { dialectOf, policyFor } from './versions/choose.js';
import type { Format } from './versions/policy.js';
import { v8 } from './versions/v8.js';
import type { HasListSlots } from '../../server/needs.js';

const formatOf = (text: string): Format => (text.toLowerCase() === 'xml' ? 'xml' : 'json');

/** Sends an error that precedes the call, in the envelope of the version in the path or query. */
const failEarly = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  services: MethodServices & HasListSlots,
): Promise<FastifyReply> => {
  const refused = error instanceof NativeRefusal ? error : asRejection(error, services.log.child({ correlationId: request.id }));
  observeFailure(request, refused);
  const path = request.url.split('?', 1)[0] ?? '';
  const format = path.includes('/xml') ? 'xml' : 'json';
  const own = refused instanceof NativeRefusal && refused.status !== undefined ? { status: refused.status } : undefined;
  const withStatus = own !== undefined || services.config.NATIVE_HTTP_STATUS === 'mapped';
  const query = queryText(request.url);
  const named = /^\/rest\/(?<version>[^/]+)/.exec(path)?.groups?.['version'] ?? peekParam(query, 'version') ?? '';
  const policy = policyFor(named, format, services.config.NATIVE_API_VERSIONS) ?? v8;
  const action = peekParam(query, 'action') ?? '';
  return sendFault(faultOf(refused), { reply, policy, format, action, withStatus, ...own });
};

interface RestParams {
  readonly version: string;
  readonly format: string;
  readonly '*'?: string;
}

/** The raw path: the router would decode slashes within its segments. */
const restPath = (request: FastifyRequest): string => (request.url.split('?', 1)[0] ?? '').split('/').slice(4).join('/');

const verbOf = (method: string): RestVerb => (method === 'HEAD' ? 'GET' : (method as RestVerb));

/** Parses verb and path. */
const entryOf = (request: FastifyRequest<{ Params: RestParams }>, pathVersion: string, format: Format): NativeEntry => {
  const call = restCallOf(verbOf(request.method), restPath(request), dialectOf(pathVersion, format));
  if (!call || actionNamed(call.action) === undefined) {
    const refusal = badAddress(400, `${request.method} of this path means no action`);
    return { format, pathVersion, refusal, pathParams: { action: call?.action ?? restPath(request) } };
  }
  const refused = call.action === 'register' && request.method !== 'POST';
  const sent = (request.body ?? {}) as RequestParams;
  // `type` in the body overrides the path's; other path parameters win.
  const { type, ...others } = call.params;
  const pathParams = { ...others, ...(type !== undefined && !Object.hasOwn(sent, 'type') ? { type } : {}), action: call.action };
  return {
    format,
    pathVersion,
    pathParams,
    ...(call.since === undefined ? {} : { pathSince: call.since }),
    ...(refused ? { refusal: new NativeRefusal(4700, 'system', 'Access Denied') } : {}),
  };
};

const FORMATS: ReadonlySet<string> = new Set(['json', 'xml']);

const handleRest = (
  request: FastifyRequest<{ Params: RestParams }>,
  reply: FastifyReply,
  services: MethodServices & HasListSlots,
): Promise<FastifyReply> => {
  const { version: pathVersion, format: named } = request.params;
  const format = formatOf(named);
  if (FORMATS.has(named.toLowerCase())) return handleNative(request, reply, services, entryOf(request, pathVersion, format));
  return failEarly(badAddress(404, `the format must be json or xml, was ${named}`), request, reply, services);
};

/** Native API, by action and as REST. */
export const nativeSurface =
  (services: MethodServices & HasListSlots): Surface =>
  async (app: FastifyInstance) => {
    await app.register(async (scope) => {
      scope.setErrorHandler((error, request, reply) => failEarly(error, request, reply, services));
      scope.refuseAddresses(/^\/rest\/[^/?]+\//, (request, reply) =>
        failEarly(badAddress(400, UNREADABLE_ADDRESS), request, reply, services),
      );
      for (const format of ['json', 'xml'] as const) {
        scope.route({
          method: [...API_METHODS],
          url: `/server/${format}.server.php`,
          handler: (request, reply) => handleNative(request, reply, services, { format }),
        });
        routeFiles(scope, {
          url: `/server/${format}.server.php`,
          handler: (request, reply) => handleNative(request, reply, services, { format }),
        });
      }
      for (const url of ['/rest/:version/:format', '/rest/:version/:format/*']) {
        scope.route<{ Params: RestParams }>({
          method: [...API_METHODS],
          url,
          handler: (request, reply) => handleRest(request, reply, services),
        });
      }
      scope.route({
        method: [...API_METHODS],
        url: '/rest/:version(^\\d+$)',
        handler: (request, reply) => failEarly(badAddress(404, 'the format, json or xml, is missing'), request, reply, services),
      });
      routeFiles(scope, {
        url: '/rest/:version/:format/*',
        handler: (request, reply) => handleRest(request as FastifyRequest<{ Params: RestParams }>, reply, services),
      });
    });
  };
