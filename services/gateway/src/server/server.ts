import multipart from '@fastify/multipart';
import { isDatabaseUnavailable, yieldToEventLoop } from '@continuo/chassis';
import { isErrorCode, Rejection, type ErrorCode } from '@continuo/contracts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { limitBodies } from './requests/body-timeouts.js';
import { allowEveryOrigin, allowOrigin } from './cors.js';
import { observeFailure } from './requests/observed-request.js';
import { setDocumentHeaders } from './response-headers.js';
import { limitRequestHeaders, MAX_HEADER_SECTION_BYTES, refuseConnection } from './requests/header-limits.js';
import { paramsOfPairs, parseForm, parseJsonBody } from './requests/parameters.js';
import { fieldText, formParts } from './requests/multipart.js';
import { MULTIPART_FIELD_BYTES } from './requests/request-bounds.js';
import { CORRELATION_HEADER, correlationIdFrom } from './requests/request-context.js';
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

/** Answers a request whose address the router cannot read, in the envelope of a surface. */
export type AddressRefusal = (request: FastifyRequest, reply: FastifyReply) => unknown;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for routes that read files out of forms themselves. */
    readonly takesFiles?: boolean;
  }
  interface FastifyInstance {
    /** Has unreadable addresses of a form answered by a surface: broken escapes, and parts of a path that are too long. No hook runs for them. */
    refuseAddresses(form: RegExp, refuse: AddressRefusal): void;
  }
}

/** The parser of multipart forms counts by field; together they may be no larger than any other body. */
const readMultipart = async (request: FastifyRequest, limitBytes: number): Promise<void> => {
  const pairs: [string, string][] = [];
  let length = 0;
  for await (const part of formParts(request)) {
    // Parts with a file name are not parameters; they are read to their end, because nothing comes after them otherwise.
    if (part.type === 'file') {
      part.file.resume();
      continue;
    }
    const text = fieldText(part);
    pairs.push([part.fieldname, text]);
    length += text.length;
    if (length > limitBytes) throw new Rejection('input.too-large');
  }
  request.body = paramsOfPairs(pairs);
};

type Parsed = (error: Error | null, body?: unknown) => void;

/** Bodies of more characters wait for their turn among the long work of the process, so that many at once do not hold up everybody. */
const LARGE_BODY_CHARS = 65_536;

const readText = async (parse: (text: string) => unknown, body: string | Buffer, done: Parsed): Promise<void> => {
  if (body.length > LARGE_BODY_CHARS) await yieldToEventLoop();
  let params: unknown;
  try {
    params = parse(String(body));
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, params);
};

const readBodies = (app: FastifyInstance, limitBytes: number): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/(?:[\w.-]+\+)?json/,
    { parseAs: 'string' },
    (_request, body, done) => void readText(parseJsonBody, body, done),
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => void readText(parseForm, body, done),
  );
  app.register(multipart, {
    limits: {
      fieldSize: Math.min(limitBytes, MULTIPART_FIELD_BYTES),
      fields: MAX_PARTS,
      parts: MAX_PARTS,
      files: MAX_PARTS,
      fileSize: limitBytes,
    },
  });
  // Whatever else a client sends carries no parameters; it is not a reason to refuse the call.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
  app.addHook('preValidation', (request, _reply, done) => {
    if (!request.isMultipart() || request.routeOptions.config.takesFiles === true) done();
    else readMultipart(request, limitBytes).then(() => done(), done);
  });
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
  if (isDatabaseUnavailable(error)) {
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

const sendNotFound = (reply: FastifyReply): FastifyReply =>
  reply.code(404).type('text/plain; charset=utf-8').send('There is nothing here. See / for the addresses of this server.\n');

/** Sentence about an address whose escapes cannot be decoded, or that has a part that is too long. */
export const UNREADABLE_ADDRESS = 'The address cannot be read';

type Refusals = readonly (readonly [form: RegExp, refuse: AddressRefusal])[];

const refuseAddress = (refusals: Refusals, request: FastifyRequest, reply: FastifyReply): void => {
  setDocumentHeaders(reply).header(CORRELATION_HEADER, request.id);
  const refuse = refusals.find(([form]) => form.test(request.url))?.[1];
  if (refuse) allowOrigin(reply);
  void (refuse ? refuse(request, reply) : reply.code(400).type('text/plain; charset=utf-8').send(`${UNREADABLE_ADDRESS}.\n`));
};

/**
 * HTTP parsing that does not depend on Node's flags: a request that could be read in two ways, by a proxy so and by this server otherwise (request smuggling), is refused, as is
 * one whose head is longer than the server reads.
 */
const STRICT_HTTP = { insecureHTTPParser: false, requireHostHeader: true, maxHeaderSize: MAX_HEADER_SECTION_BYTES } as const;

/** Builds the web server with what all surfaces share: bodies, request ids, CORS, safe defaults for errors. Routes are the surfaces' own. */
export const createServer = (settings: ServerSettings): FastifyInstance => {
  const refusals: [RegExp, AddressRefusal][] = [];
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
    clientErrorHandler: refuseConnection,
    frameworkErrors: (_error, request, reply) => refuseAddress(refusals, request as FastifyRequest, reply as FastifyReply),
  });
  app.decorate('refuseAddresses', (form: RegExp, refuse: AddressRefusal) => void refusals.push([form, refuse]));
  limitBodies(app, settings.requestTimeoutMs);
  readBodies(app, settings.bodyLimitBytes);
  app.addHook('onRequest', (request, reply, done) => {
    setDocumentHeaders(reply).header(CORRELATION_HEADER, request.id);
    done();
  });
  allowEveryOrigin(app);
  limitRequestHeaders(app);
  app.setNotFoundHandler((_request, reply) => sendNotFound(reply));
  app.setErrorHandler((error, request, reply) => {
    // A body that cannot be read is no news where nothing would read it.
    if (request.is404) return sendNotFound(reply);
    const refused = asRejection(error, settings.log.child({ correlationId: request.id }));
    observeFailure(request, refused);
    return reply
      .code(refused.code === 'internal' ? 500 : 400)
      .type('text/plain; charset=utf-8')
      .send(`${refused.message} (${request.id})\n`);
  });
  return app;
};
