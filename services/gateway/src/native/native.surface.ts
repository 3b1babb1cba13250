import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestParams } from '../auth/index.js';
import { observeFailure } from '../http/observed-request.js';
import { parseForm, textParam } from '../http/parameters.js';
import { queryText } from '../http/request-context.js';
import { routeFiles } from '../http/sent-file.js';
import { API_METHODS, asRejection, type Surface } from '../http/server.js';
import type { GatewayServices } from '../services.js';
import { sendFault } from './answer.js';
import { handleNative } from './dispatch.js';
import { faultOf, NativeRefusal, unknownAction } from './errors/native-fault.js';
import { restCallOf, type RestVerb } from './rest/routes.js';
import { dialectOf, policyFor } from './versions/choose.js';
import type { Format } from './versions/policy.js';
import { v8 } from './versions/v8.js';

const formatOf = (text: string): Format => (text.toLowerCase() === 'xml' ? 'xml' : 'json');

/** An error before a call could be looked at: in the envelope of the version that the path or the query names. */
const failEarly = (error: unknown, request: FastifyRequest, reply: FastifyReply, services: GatewayServices): Promise<FastifyReply> => {
  const refused = error instanceof NativeRefusal ? error : asRejection(error, services.log.child({ correlationId: request.id }));
  observeFailure(request, refused);
  const path = request.url.split('?', 1)[0] ?? '';
  const format = path.includes('/xml') ? 'xml' : 'json';
  const withStatus = services.config.NATIVE_HTTP_STATUS === 'mapped';
  const query = parseForm(queryText(request.url));
  const named = /^\/rest\/(?<version>[^/]+)/.exec(path)?.groups?.['version'] ?? textParam(query, 'version') ?? '';
  const policy = policyFor(named, format, services.config.NATIVE_API_VERSIONS) ?? v8;
  return sendFault(faultOf(refused, policy), { request, reply, policy, format, action: textParam(query, 'action') ?? '', withStatus });
};

interface RestParams {
  readonly version: string;
  readonly format: string;
  readonly '*'?: string;
}

/** The path as it was sent: the router would have decoded the slashes inside its parts. */
const restPath = (request: FastifyRequest): string => (request.url.split('?', 1)[0] ?? '').split('/').slice(4).join('/');

const verbOf = (method: string): RestVerb => (method === 'HEAD' ? 'GET' : (method as RestVerb));

const handleRest = (
  request: FastifyRequest<{ Params: RestParams }>,
  reply: FastifyReply,
  services: GatewayServices,
): Promise<FastifyReply> => {
  const { version: pathVersion } = request.params;
  const format = formatOf(request.params.format);
  const call = restCallOf(verbOf(request.method), restPath(request), dialectOf(pathVersion, format));
  if (!call) return handleNative(request, reply, services, { format, pathVersion, refusal: unknownAction() });
  const refused = call.action === 'register' && request.method !== 'POST';
  const sent = (request.body ?? {}) as RequestParams;
  // A type in the body beats the path's; everything else of the path stands.
  const { type, ...others } = call.params;
  const pathParams = { ...others, ...(type !== undefined && !Object.hasOwn(sent, 'type') ? { type } : {}), action: call.action };
  return handleNative(request, reply, services, {
    format,
    pathVersion,
    pathParams,
    ...(call.since === undefined ? {} : { pathSince: call.since }),
    ...(refused ? { refusal: new NativeRefusal(4700, 'system', 'Access Denied') } : {}),
  });
};

/** The native API by action and in its REST form. */
export const nativeSurface =
  (services: GatewayServices): Surface =>
  async (app: FastifyInstance) => {
    await app.register(async (scope) => {
      scope.setErrorHandler((error, request, reply) => failEarly(error, request, reply, services));
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
      routeFiles(scope, {
        url: '/rest/:version/:format/*',
        handler: (request, reply) => handleRest(request as FastifyRequest<{ Params: RestParams }>, reply, services),
      });
    });
  };
