import type { FastifyInstance, FastifyReply } from 'fastify';
import { setPageHeaders } from './response-headers.js';
import { CORRELATION_HEADER } from './requests/request-context.js';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const EXPOSED = `content-length, content-range, content-disposition, accept-ranges, etag, last-modified, retry-after, x-content-duration, ${CORRELATION_HEADER}`;
const A_DAY_S = '86400';
/** Pages for browsers, which other origins must not read. */
const PAGES = /^\/(?:account|share\.php|register\.php)?(?:[/?]|$)/;

/** Lets pages of every origin read an answer. */
export const allowOrigin = (reply: FastifyReply): FastifyReply =>
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED);

/** Lets pages of every origin call the APIs; that is safe because no cookie proves anything there. The
 * account's page, which has cookies, takes the header away again. */
export const allowEveryOrigin = (app: FastifyInstance): void => {
  app.addHook('onRequest', (_request, reply, done) => {
    allowOrigin(reply);
    done();
  });
  app.options('/*', async (request, reply) => {
    if (PAGES.test(request.url)) return setPageHeaders(reply).code(204).send();
    return reply
      .code(204)
      .header('access-control-allow-methods', METHODS)
      .header(
        'access-control-allow-headers',
        request.headers['access-control-request-headers'] ?? 'authorization, auth, content-type, range',
      )
      .header('access-control-max-age', A_DAY_S)
      .send();
  });
};
