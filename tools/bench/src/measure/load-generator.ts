/**
 * Program of the load generator: makes the requests of each message from its parent and answers their times. It is a process of its own, so that its
 * processor time and its garbage are nobody else's, and spends as little on a request as it can: it shares the machine with the server.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { AnswerReader } from './answer-reader.js';
import type { LoadAnswer, LoadRequest } from './load-request.js';

const BUFFER_BYTES = 256 * 1024;

/** A kept-alive connection with one request at a time. */
interface Connection {
  /** Requests a path and reads the whole answer; answers its length in bytes. @throws Error for another status than 200 */
  get(path: string): Promise<number>;
  close(): void;
}

const openConnection = async ({ hostname, port, host }: URL): Promise<Connection> => {
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  const reader = new AnswerReader();
  let waiting = Promise.withResolvers<number>();
  const take = (count: number): void => {
    if (!reader.take(buffer.subarray(0, count))) return;
    if (reader.status === 200) waiting.resolve(reader.bytes);
    else waiting.reject(new Error(`the server answered ${reader.status}`));
  };
  const callback = (count: number): boolean => {
    try {
      take(count);
    } catch (error) {
      socket.destroy(error as Error);
    }
    return true;
  };
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback } });
  await once(socket, 'connect');
  socket.once('error', (error) => waiting.reject(error));
  socket.once('close', () => waiting.reject(new Error('the server closed the connection')));
  const get = (path: string): Promise<number> => {
    waiting = Promise.withResolvers<number>();
    reader.begin();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    return waiting.promise;
  };
  return { get, close: () => socket.destroy() };
};

const run = async ({ url, paths, connections, durationMs, atLeast }: LoadRequest): Promise<LoadAnswer> => {
  const timesMs: number[] = [];
  let [next, bytes] = [0, 0];
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(new URL(url))));
  const started = performance.now();
  const isDone = (): boolean => next >= atLeast && performance.now() - started >= durationMs;
  const work = async (connection: Connection): Promise<void> => {
    while (!isDone()) {
      const path = paths[next % paths.length] ?? '/';
      next += 1;
      const before = performance.now();
      const length = await connection.get(path);
      timesMs.push(performance.now() - before);
      bytes += length;
    }
  };
  try {
    await Promise.all(opened.map(work));
    return { timesMs, tookMs: performance.now() - started, bytes };
  } finally {
    for (const connection of opened) connection.close();
  }
};

process.on('message', (request: LoadRequest) => {
  const failed = (error: unknown): LoadAnswer => ({ error: error instanceof Error ? error.message : String(error) });
  void run(request)
    .catch(failed)
    .then((answer) => process.send?.(answer));
});
