import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Rejection } from '@continuo/contracts';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Longest address with its query that is taken. */
export const MAX_ADDRESS_BYTES = 65_536;
/** Most bytes of all headers together. */
const MAX_HEADER_BYTES = 16_384;
/**
 * Most bytes that are read of URL and headers. Above the limits, so that the surfaces can answer too long requests in their own form; not far above, because Node copies
 * what it has of an address with each packet that brings more.
 */
export const MAX_HEADER_SECTION_BYTES = 262_144;

const headerBytes = (raw: readonly string[]): number => {
  let sum = 0;
  for (const text of raw) sum += text.length + 2;
  return sum;
};

const refuseHeaders = (reply: FastifyReply): void =>
  void reply
    .header('connection', 'close')
    .code(431)
    .type('text/plain; charset=utf-8')
    .send(`The headers are longer than ${MAX_HEADER_BYTES} bytes.\n`);

/** Rejects requests whose URL or headers are too long; the surface answers in its own form. */
export const limitRequestHeaders = (app: FastifyInstance): void => {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if ((raw.url?.length ?? 0) > MAX_ADDRESS_BYTES)
      done(
        new Rejection(
          'input.too-large',
          `the address is longer than ${MAX_ADDRESS_BYTES} bytes; parameters can be sent in the body of a POST`,
        ),
      );
    else if (headerBytes(raw.rawHeaders) > MAX_HEADER_BYTES) refuseHeaders(reply);
    else done();
  });
};

const refusals: Readonly<Record<string, readonly [status: number, text: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in time.'],
  HPE_HEADER_OVERFLOW: [
    431,
    `The address and the headers are longer than ${MAX_HEADER_SECTION_BYTES} bytes; parameters can be sent in the body of a POST.`,
  ],
};

/** Answers a malformed request, which reaches no surface, and closes the connection. */
export const refuseConnection = (error: Error & { readonly code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, text] = refusals[error.code ?? ''] ?? [400, 'The request cannot be read.'];
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${text.length + 1}`,
    'X-Content-Type-Options: nosniff',
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${text}\n`);
  socket.destroy(error);
};
