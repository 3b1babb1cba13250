import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import type { Readable } from 'node:stream';
import type { ServerSecret } from '@continuo/chassis';
import { errorTable, Rejection, TRANSCODE_ACCOUNT_HEADER } from '@continuo/contracts';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { TranscodeCache } from '../cache/transcode-cache.js';
import type { WorkerMetrics } from '../metrics.js';
import type { Transcoder } from '../work/transcoder.js';
import { signedAddresses, TRANSCODES_PATH, type SignedAddresses } from './signed-address.js';

/** Where a worker gives its bytes. */
export interface ByteServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Address under which gateways reach it; absent: that of the listener. */
  readonly advertisedUrl?: string | undefined;
  readonly secret: ServerSecret;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
  readonly metrics: WorkerMetrics;
}

/** A server of bytes, and the addresses under which it gives them. */
export interface ByteServer {
  readonly addresses: SignedAddresses;
  /** Lets answers end that are under way, and cuts off those that take longer. */
  drain(timeoutMs: number): Promise<void>;
}

/** Longer than gateways keep a connection that they do not use. */
const KEEP_ALIVE_MS = 60_000;

interface ByteRoute {
  readonly Params: { readonly key: string };
  readonly Querystring: { readonly until?: string; readonly mark?: string };
}

/** Serves transcodes under signed addresses: those that are finished with Range, those that are made from the beginning on. */
export const startByteServer = async (options: ByteServerOptions, transcoder: Transcoder, cache: TranscodeCache): Promise<ByteServer> => {
  const { host, port, log, metrics } = options;
  const app = fastify({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0, forceCloseConnections: 'idle' });
  let addresses: SignedAddresses | undefined;
  app.get<ByteRoute>(`${TRANSCODES_PATH}:key`, async (request, reply) => {
    const { until = '', mark = '' } = request.query;
    if (addresses?.check(request.params.key, until, mark) !== true) return refuse(reply, 403, 'access.denied');
    const found =
      (request.headers.range === undefined ? await growing(request, { transcoder, metrics }) : undefined) ??
      (await finished(request, { cache, metrics }));
    return answer(reply, found);
  });
  app.setErrorHandler((error, _, reply) => {
    // Another worker may have it.
    if (error instanceof Rejection) return refuse(reply, error.code === 'unavailable' ? 410 : 422, error.code, error.message);
    log.error({ err: error }, 'failed to send transcode');
    return refuse(reply, 500, 'internal');
  });
  await app.listen({ host, port });
  const bound = (app.server.address() as AddressInfo).port;
  addresses = signedAddresses(options.secret, options.advertisedUrl ?? `http://${reachable(host)}:${bound}`, options.now);
  return { addresses, drain: (timeoutMs) => drain(app, timeoutMs) };
};

const drain = async (app: FastifyInstance, timeoutMs: number): Promise<void> => {
  const cut = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
};

/** A host of this machine by which others may reach a listener; that of a container is its name. */
const reachable = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return hostname();
  return host.includes(':') ? `[${host}]` : host;
};

const refuse = (reply: FastifyReply, status: number, code: keyof typeof errorTable, message?: string): FastifyReply =>
  reply
    .code(status)
    .type('application/json')
    .send({ code, message: message ?? errorTable[code].meaning });

/** Prepared response. Kept apart from the reply, which is thenable: returning it from an async function would wait until it is sent. */
interface Found {
  readonly body: Readable;
  readonly status: 200 | 206 | 416;
  readonly headers: Readonly<Record<string, string | number>>;
}

const answer = (reply: FastifyReply, found: Found | undefined): FastifyReply => {
  if (!found) return refuse(reply, 410, 'unavailable');
  if (found.status === 416 || reply.raw.destroyed) found.body.destroy();
  if (found.status === 416) return refuse(reply.headers(found.headers), 416, 'media.range');
  return reply.code(found.status).headers(found.headers).send(found.body);
};

type Request = FastifyRequest<ByteRoute>;

const growing = async (
  { params, headers }: Request,
  { transcoder, metrics }: { readonly transcoder: Transcoder; readonly metrics: WorkerMetrics },
): Promise<Found | undefined> => {
  const account = headers[TRANSCODE_ACCOUNT_HEADER];
  const heard = await transcoder.listen(params.key, account === undefined ? undefined : Number(account));
  if (!heard) return undefined;
  metrics.readers.inc();
  heard.body.once('close', () => metrics.readers.dec());
  return { body: heard.body, status: 200, headers: { 'content-type': heard.mime, 'cache-control': 'no-store' } };
};

const RANGE = /^bytes=(\d{1,15})-(\d{1,15})$/;

/** The gateway has worked out which bytes it wants; whatever else is asked for gets the whole. */
const finished = async (
  { params, headers }: Request,
  { cache, metrics }: { readonly cache: TranscodeCache; readonly metrics: WorkerMetrics },
): Promise<Found | undefined> => {
  const match = RANGE.exec(headers.range ?? '');
  const wanted = match && Number(match[1]) <= Number(match[2]) ? { start: Number(match[1]), end: Number(match[2]) } : undefined;
  const kept = await cache.read(params.key, wanted);
  if (!kept) return undefined;
  const { body, sizeBytes } = kept;
  // Gateways come straight here for what is finished. A listener who seeks is the same one.
  if ((wanted?.start ?? 0) === 0) metrics.cache.lookups.inc({ outcome: 'hit' });
  const type = { 'content-type': 'application/octet-stream' };
  if (!wanted) return { body, status: 200, headers: { ...type, 'content-length': sizeBytes } };
  const { start, end } = wanted;
  if (end >= sizeBytes) return { body, status: 416, headers: { 'content-range': `bytes */${sizeBytes}` } };
  return {
    body,
    status: 206,
    headers: { ...type, 'content-length': end - start + 1, 'content-range': `bytes ${start}-${end}/${sizeBytes}` },
  };
};
