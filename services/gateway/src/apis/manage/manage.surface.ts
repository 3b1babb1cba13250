import { Rejection } from '@continuo/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { observeAs, observeFailure } from '../../server/requests/observed-request.js';
import { PAGE_BODY_BYTES } from '../../server/requests/request-bounds.js';
import type { CallerContext } from '../../server/requests/request-context.js';
import { asRejection, UNREADABLE_ADDRESS, type Surface } from '../../server/server.js';
import { readJsonBodies } from './bodies.js';
import { callerOf } from './call-context.js';
import { handle, MANAGE_PREFIX } from './handle.js';
import type { OperationRow } from './operation.js';
import { ManageProblem, problemOf, retryAfterOf, statusOfProblem } from './problems.js';
import { operations, type ManageServices } from './registry/index.js';

const EXPOSED = 'allow, content-length, etag, idempotency-replayed, location, retry-after, www-authenticate, x-correlation-id';

/** Address of a row in the router's spelling. */
const routeOf = (path: string): string => path.replaceAll(/\{(?<name>\w+)\}/g, ':$<name>');

type Row = OperationRow<ManageServices>;
const rows: readonly (readonly [string, Row])[] = Object.entries(operations);

const pathPattern = (path: string): RegExp => new RegExp(`^${MANAGE_PREFIX}${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);

/** Methods by the pattern of their addresses, for those who use another one. */
const methodsByPath: readonly (readonly [RegExp, readonly string[]])[] = [...Map.groupBy(rows, ([, { path }]) => path)].map(
  ([path, ones]) => [pathPattern(path), ones.flatMap(([, { method }]) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))],
);

const setOwnHeaders = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', 'no-store').header('access-control-expose-headers', EXPOSED);

const sendProblem = (reply: FastifyReply, request: FastifyRequest, error: ManageProblem | Rejection): FastifyReply => {
  const status = statusOfProblem(error.code);
  const seconds = retryAfterOf(error, status);
  if (seconds !== undefined) reply.header('retry-after', String(seconds));
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="continuo"');
  return reply
    .code(status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify(problemOf(error, request.id)));
};

const sendNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const [path = ''] = request.url.split('?');
  const allowed = methodsByPath.find(([pattern]) => pattern.test(path))?.[1];
  if (!allowed) return sendProblem(reply, request, new ManageProblem('path.not-found', 'There is nothing at this address'));
  reply.header('allow', allowed.join(', '));
  return sendProblem(reply, request, new ManageProblem('method.not-allowed', `The address takes ${allowed.join(', ')}`));
};

const contexts = new WeakMap<FastifyRequest, CallerContext>();

const mount = (app: FastifyInstance, services: ManageServices, [operation, row]: readonly [string, Row]): void => {
  const reading = rows.find(([, one]) => one.method === 'GET' && one.path === row.path)?.[1];
  app.route({
    method: row.method === 'GET' ? ['GET', 'HEAD'] : row.method,
    url: routeOf(row.path),
    bodyLimit: row.bodyBytes ?? PAGE_BODY_BYTES,
    // Before the body is read: nobody sends one for nothing.
    onRequest: async (request) => {
      observeAs(request, { surface: 'manage', operation });
      contexts.set(request, await callerOf(request, row, services));
    },
    handler: (request, reply) => handle({ request, context: contexts.get(request) as CallerContext, services }, reply, { row, reading }),
  });
};

const register = (app: FastifyInstance, services: ManageServices): void => {
  readJsonBodies(app);
  app.addHook('onRequest', (_request, reply, done) => {
    setOwnHeaders(reply);
    done();
  });
  app.refuseAddresses(new RegExp(`^${MANAGE_PREFIX}/`), (request, reply) =>
    sendProblem(setOwnHeaders(reply), request, new ManageProblem('input.invalid', UNREADABLE_ADDRESS)),
  );
  app.setErrorHandler((error, request, reply) => {
    const refused = error instanceof ManageProblem ? error : asRejection(error, services.log.child({ correlationId: request.id }));
    observeFailure(request, refused);
    return sendProblem(reply, request, refused);
  });
  app.setNotFoundHandler((request, reply) => {
    observeAs(request, { surface: 'manage' });
    return sendNotFound(request, reply);
  });
  for (const one of rows) mount(app, services, one);
};

/** `/manage/v1`: what operators do, as REST with JSON. Every route comes from a row of the registry. */
export const manageSurface =
  (services: ManageServices): Surface =>
  async (app: FastifyInstance) => {
    await app.register(async (scope) => register(scope, services), { prefix: MANAGE_PREFIX });
  };
