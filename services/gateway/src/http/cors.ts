import type { FastifyInstance } from 'fastify';
import { pageHeads } from './heads.js';
import { CORRELATION_HEADER } from './request-context.js';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const EXPOSED = `content-length, content-range, content-disposition, accept-ranges, etag, last-modified, retry-after, x-content-duration, ${CORRELATION_HEADER}`;
const A_DAY_S = '86400';
/** What people open in a browser: pages of no other origin have any business there. */
const PAGES = /^\/(?:account|share\.php|register\.php)?(?:[/?]|$)/;

/** Lets pages of every origin call the APIs; that is safe because no cookie proves anything there (threats.md row 12). The
 * account's page, which has cookies, takes the header away again. */
export const allowEveryOrigin = (app: FastifyInstance): void => {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED);
  });
  app.options('/*', async (request, reply) => {
    if (PAGES.test(request.url)) return pageHeads(reply).code(204).send();
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
