import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bringsFile } from '../sent-file.js';

const ANSWER = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
const MAX_HEADERS_MS = 60_000;

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const giveUp = ({ raw }: FastifyRequest, isAnswered: boolean): void => {
  if (isAnswered) raw.socket.destroy();
  else raw.socket.end(ANSWER, () => raw.socket.destroy());
};

/**
 * Gives up requests whose body does not arrive in time: whole bodies within the limit, files as long as anything of them arrives within it. A body that nobody
 * reads because the request was refused may not go on for longer either.
 * @param timeoutMs 0 for no limit
 */
export const limitBodies = (app: FastifyInstance, timeoutMs: number): void => {
  if (timeoutMs === 0) return;
  app.server.headersTimeout = Math.min(timeoutMs, MAX_HEADERS_MS);
  const watch = (request: FastifyRequest, reply: FastifyReply): void => {
    const { raw } = request;
    const { socket } = raw;
    // What is injected comes over no connection that could be given up.
    if (!(socket instanceof Socket)) return;
    let received = socket.bytesRead;
    const isFile = bringsFile(raw);
    const timer = setInterval(() => {
      const isMoving = socket.bytesRead > received && !reply.sent;
      received = socket.bytesRead;
      if (raw.complete || socket.destroyed) return clearInterval(timer);
      if (isFile && isMoving) return;
      clearInterval(timer);
      giveUp(request, reply.raw.headersSent);
    }, timeoutMs);
    timer.unref();
    raw.once('end', () => clearInterval(timer));
    raw.once('close', () => clearInterval(timer));
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request)) watch(request, reply);
    done();
  });
};
