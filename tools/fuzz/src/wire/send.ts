import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { WireRequest } from './wire-request.js';

/** An answer, or what came of a connection without one. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly durationMs: number;
  /** Why there is no whole answer; absent when there is one. */
  readonly broken?: string;
}

const GIVE_UP_MS = 30_000;
/** Time that a raw connection is left open, ms; the server may wait longer for the rest of a request. */
const RAW_OPEN_MS = 1500;
/** Time that an endless answer is read, ms. */
const LISTEN_MS = 60;
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Sends requests over kept connections, so many at a time as there are lanes. */
export class Sender {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #url: URL;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** Sends a request and reads its answer to the end; event streams are left after a moment. */
  async send(request: WireRequest): Promise<Answer> {
    const { answer, wasReused } = await this.#once(request, this.#agent);
    // A server may close a kept connection while the next request is on its way; clients come again then, and only what happens on a fresh connection tells something.
    return answer.broken !== undefined && answer.status === 0 && wasReused ? (await this.#once(request, false)).answer : answer;
  }

  #once(
    { method, target, headers, body }: WireRequest,
    agent: Agent | false,
  ): Promise<{ readonly answer: Answer; readonly wasReused: boolean }> {
    const begun = performance.now();
    return new Promise((resolve) => {
      let wasReused = false;
      const end = (more: Partial<Answer> & { readonly broken?: string }): void =>
        resolve({ answer: { status: 0, headers: {}, body: Buffer.alloc(0), durationMs: performance.now() - begun, ...more }, wasReused });
      try {
        const { hostname, port } = this.#url;
        const sent = httpRequest({
          hostname,
          port,
          method,
          path: target,
          headers: framed(headers, body),
          agent,
          timeout: GIVE_UP_MS,
        });
        sent.on('timeout', () => sent.destroy(new Error(`no answer within ${GIVE_UP_MS} ms`)));
        sent.on('error', (error) => {
          wasReused = sent.reusedSocket;
          end({ broken: error.message });
        });
        sent.on('response', (answer) => void readAnswer(answer, end));
        sent.end(body);
      } catch (error) {
        end({ broken: `cannot be sent: ${String(error)}` });
      }
    });
  }

  /** Sends bytes over a connection of their own and reads what comes until it is closed. */
  raw(bytes: Buffer, pace: 'whole' | 'drip'): Promise<Answer> {
    const begun = performance.now();
    const { hostname, port } = this.#url;
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      const socket = connect({ host: hostname, port: Number(port) });
      const end = (): void => {
        clearTimeout(timer);
        socket.destroy();
        const text = Buffer.concat(chunks);
        const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text.toString('latin1', 0, 20))?.[1] ?? 0);
        resolve({ status, headers: {}, body: text, durationMs: performance.now() - begun });
      };
      const timer = setTimeout(() => end(), RAW_OPEN_MS);
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('error', () => end());
      socket.on('close', () => end());
      socket.on('connect', () => void write(socket, bytes, pace));
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Bodies have a length whatever the method, or the next request of the connection would begin inside of them. */
const framed = (headers: WireRequest['headers'], body: Buffer | undefined): Record<string, string> =>
  body === undefined ? { ...headers } : { ...headers, 'content-length': String(body.length) };

const write = async (socket: ReturnType<typeof connect>, bytes: Buffer, pace: 'whole' | 'drip'): Promise<void> => {
  const parts =
    pace === 'whole' ? [bytes] : Array.from({ length: Math.min(bytes.length, 12) }, (_, index) => bytes.subarray(...cut(bytes, index)));
  for (const part of parts) {
    if (socket.destroyed) return;
    socket.write(part);
    if (pace === 'drip') await new Promise((resolve) => setTimeout(resolve, 15));
  }
  // Half of them say that nothing more comes, the others leave that to the server.
  if (bytes.length % 2 === 0) socket.end();
};

const cut = (bytes: Buffer, index: number): [number, number] => {
  const length = Math.ceil(bytes.length / 12);
  return [index * length, (index + 1) * length];
};

const readAnswer = async (answer: IncomingMessage, end: (more: Partial<Answer>) => void): Promise<void> => {
  const chunks: Buffer[] = [];
  let size = 0;
  const isEndless = answer.headers['content-type']?.startsWith('text/event-stream') ?? false;
  const known = { status: answer.statusCode ?? 0, headers: answer.headers };
  if (isEndless) setTimeout(() => answer.destroy(), LISTEN_MS);
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) throw new Error(`more than ${MAX_BODY_BYTES} bytes`);
      chunks.push(chunk);
    }
    end({ ...known, body: Buffer.concat(chunks) });
  } catch (error) {
    const body = Buffer.concat(chunks);
    if (isEndless) end({ ...known, body });
    else end({ ...known, body, broken: `the answer broke off: ${error instanceof Error ? error.message : String(error)}` });
  }
};
