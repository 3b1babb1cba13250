import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../account-page/send-page.js';
import { pageNonce, setPageHeaders } from '../../server/response-headers.js';
import type { Surface } from '../../server/server.js';
import { docsPage, problemsPage, shownDocuments, startScript } from './docs-page.js';
import { KeptFiles, packageFile, type FileSource } from './kept-files.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** A committed document, without the line breaks that people read it by. */
const documentSource = (name: string): FileSource => {
  const { load } = packageFile(`@continuo/openapi/${name}.json`, JSON_TYPE);
  return { type: JSON_TYPE, load: async () => Buffer.from(JSON.stringify(JSON.parse(String(await load())))) };
};

/** All documents; the reader does not know that of events. */
const documentNames = [...shownDocuments.map(({ name }) => name), 'asyncapi'];

const documents = new KeptFiles(Object.fromEntries(documentNames.map((name) => [`${name}.json`, documentSource(name)])));

const pageFiles = new KeptFiles({
  'swagger-ui.css': packageFile('swagger-ui-dist/swagger-ui.css', STYLE),
  'swagger-ui-bundle.js': packageFile('swagger-ui-dist/swagger-ui-bundle.js', SCRIPT),
  'swagger-ui-standalone-preset.js': packageFile('swagger-ui-dist/swagger-ui-standalone-preset.js', SCRIPT),
  'start.js': { type: SCRIPT, load: async () => Buffer.from(startScript()) },
});

/**
 * The page runs its own scripts, marked with a nonce: `'self'` would let JSONP answers of the compatibility API run, too. It asks this server alone; pictures of the
 * reader are part of its style.
 */
const pagePolicy = (nonce: string): string =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;

type FileRequest = FastifyRequest<{ Params: { file: string } }>;

const fileHandler =
  (files: KeptFiles) =>
  async (request: FileRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!(await files.send(request.params.file, request, reply))) reply.callNotFound();
    return reply;
  };

/** `/openapi/<surface>.json` and `/docs`: descriptions of the APIs. They tell no more than the repository and ask for no login. */
export const openApiSurface: Surface = (app: FastifyInstance) => {
  app.route({ method: ['GET', 'HEAD'], url: '/openapi/:file', handler: fileHandler(documents) });
  app.route({ method: ['GET', 'HEAD'], url: '/docs/:file', handler: fileHandler(pageFiles) });
  app.get('/docs/problems', (_request, reply) => sendPage(reply, problemsPage()));
  app.get('/docs', (request, reply) => {
    // Its files are relative to an address without a slash.
    if (request.url.startsWith('/docs/')) return setPageHeaders(reply).redirect('../docs');
    const nonce = pageNonce();
    return setPageHeaders(reply)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', pagePolicy(nonce))
      .send(docsPage(nonce));
  });
};
