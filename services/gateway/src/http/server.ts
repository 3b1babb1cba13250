import multipart from '@fastify/multipart';
import { isDatabaseAway } from '@continuo/chassis';
import { isErrorCode, Rejection, type ErrorCode } from '@continuo/contracts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { limitBodies } from './body-timeouts.js';
import { allowEveryOrigin } from './cors.js';
import { observeFailure } from './observed-request.js';
import { documentHeads } from './heads.js';
import { paramsOfPairs, parseForm, parseJsonBody } from './parameters.js';
import { fieldText, formParts } from './multipart.js';
import { CORRELATION_HEADER, correlationIdFrom } from './request-context.js';
import { fileConstraint } from './sent-file.js';

/** Settings of the web server itself. */
export interface ServerSettings {
  readonly log: Logger;
  /** Addresses of proxies whose `X-Forwarded-*` headers are believed. */
  readonly trustedProxies: readonly string[];
  readonly bodyLimitBytes: number;
  readonly requestTimeoutMs: number;
}

/** A part of the server that registers its own routes. Each surface answers errors in its own envelope. */
export type Surface = (app: FastifyInstance) => void | Promise<void>;

/** Every verb that the APIs listen to. HEAD is answered by the handlers themselves, because media must not be opened for it. */
export const API_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const MAX_PARTS = 200;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for routes that read files out of forms themselves. */
    readonly takesFiles?: boolean;
  }
}

const readMultipart = async (request: FastifyRequest): Promise<void> => {
  if (!request.isMultipart() || request.routeOptions.config.takesFiles === true) return;
  const pairs: [string, string][] = [];
  for await (const part of formParts(request)) {
    // Parts with a file name are not parameters; they are read to their end, because nothing comes after them otherwise.
    if (part.type === 'file') part.file.resume();
    else pairs.push([part.fieldname, fieldText(part)]);
  }
  request.body = paramsOfPairs(pairs);
};

const readBodies = (app: FastifyInstance, limitBytes: number): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/(?:[\w.-]+\+)?json/, { parseAs: 'string' }, (_request, body, done) =>
    done(null, parseJsonBody(String(body))),
  );
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, parseForm(String(body))),
  );
  app.register(multipart, {
    limits: { fieldSize: limitBytes, fields: MAX_PARTS, parts: MAX_PARTS, files: MAX_PARTS, fileSize: limitBytes },
  });
  // Whatever else a client sends carries no parameters; it is not a reason to refuse the call.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
  app.addHook('preValidation', readMultipart);
};

const fastifyCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'input.too-large',
  FST_REQ_FILE_TOO_LARGE: 'input.too-large',
  FST_PARTS_LIMIT: 'input.too-large',
  FST_FIELDS_LIMIT: 'input.too-large',
  FST_FILES_LIMIT: 'input.too-large',
};

/** A table, column or schema that a newer release reads is filled beside those of the release before, and is not there until they have caught up. */
const NOT_THERE_YET: ReadonlySet<unknown> = new Set(['42P01', '42703', '3F000']);

/** Turns whatever was thrown into a refusal that may be shown. What nobody foresaw becomes `internal`, with its stack in the log alone. */
export const asRejection = (error: unknown, log: Logger): Rejection => {
  if (error instanceof Rejection) return error;
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  if (typeof code === 'string' && fastifyCodes[code]) return new Rejection(fastifyCodes[code], undefined, undefined, { cause: error });
  if (typeof code === 'string' && isErrorCode(code)) return new Rejection(code, undefined, undefined, { cause: error });
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return new Rejection('input.invalid', undefined, undefined, { cause: error });
  if (isDatabaseAway(error)) {
    log.warn({ err: error }, 'the read model does not answer');
    return new Rejection('unavailable', undefined, undefined, { cause: error });
  }
  if (NOT_THERE_YET.has(code)) {
    log.error({ err: error }, 'a table or column is not there: it is being filled, or its service is not running');
    return new Rejection('unavailable', 'the tables are not ready yet', undefined, { cause: error });
  }
  log.error({ err: error }, 'a request failed');
  return new Rejection('internal', undefined, undefined, { cause: error });
};

/** A path whose escapes cannot be decoded belongs to no surface. */
const refuseAddress = (reply: FastifyReply): void => {
  void documentHeads(reply).code(400).type('text/plain; charset=utf-8').send('The address cannot be read.\n');
};

/**
 * What of HTTP is not left to how Node was started: a request that could be read in two ways, by a proxy so and by this server otherwise (request smuggling), is refused, as are more than 16 KiB
 * of headers.
 */
const STRICT_HTTP = { insecureHTTPParser: false, requireHostHeader: true, maxHeaderSize: 16_384 } as const;

/** Builds the web server with what all surfaces share: bodies, request ids, CORS, safe defaults for errors. Routes are the surfaces' own. */
export const createServer = (settings: ServerSettings): FastifyInstance => {
  const app = Fastify({
    logger: false,
    bodyLimit: settings.bodyLimitBytes,
    // A file may take longer than any other body: the limits are looked after for each request.
    requestTimeout: 0,
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    genReqId: (request) => correlationIdFrom(request.headers),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2048, constraints: { bringsFile: fileConstraint } },
    exposeHeadRoutes: false,
    // Whoever still asks while the gateway drains is answered, and told not to come again on this connection.
    return503OnClosing: false,
    http: STRICT_HTTP,
    frameworkErrors: (_error, { id }, reply) => refuseAddress((reply as FastifyReply).header(CORRELATION_HEADER, id)),
  });
  limitBodies(app, settings.requestTimeoutMs);
  readBodies(app, settings.bodyLimitBytes);
  app.addHook('onRequest', async (request, reply) => {
    documentHeads(reply).header(CORRELATION_HEADER, request.id);
  });
  allowEveryOrigin(app);
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).type('text/plain; charset=utf-8').send('There is nothing here. See / for the addresses of this server.\n'),
  );
  app.setErrorHandler((error, request, reply) => {
    const refused = asRejection(error, settings.log.child({ correlationId: request.id }));
    observeFailure(request, refused);
    return reply
      .code(refused.code === 'internal' ? 500 : 400)
      .type('text/plain; charset=utf-8')
      .send(`${refused.message} (${request.id})\n`);
  });
  return app;
};
