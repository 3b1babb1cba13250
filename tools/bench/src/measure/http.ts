import { Agent, request, type IncomingHttpHeaders } from 'node:http';

/** An answer whose body was read and thrown away. */
export interface Drained {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bodyBytes: number;
  /** From sending to the first byte of the body, ms. */
  readonly firstByteMs: number;
  readonly totalMs: number;
  /** The first bytes of the body, enough to tell an error from a list. */
  readonly head: string;
}

const HEAD_BYTES = 2048;

/** A request, with what a plain GET does not have. */
export interface ProbeOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  /** Sees the bytes of the answer as they come. */
  readonly onChunk?: (chunk: Buffer) => void;
}

/** Calls a server over kept-alive connections. */
export class HttpProbe {
  readonly #base: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(base: string) {
    this.#base = base;
  }

  /** Makes a request, a GET unless said otherwise, and reads the whole answer. @throws Error when the connection fails. */
  get(path: string, options: ProbeOptions = {}): Promise<Drained> {
    const started = performance.now();
    const { method = 'GET', headers = {}, body } = options;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const call = request(new URL(path, this.#base), { agent: this.#agent, method, headers: { ...headers, ...length } }, (answer) => {
        let [bodyBytes, firstByteMs, head] = [0, 0, ''];
        answer.on('data', (chunk: Buffer) => {
          if (bodyBytes === 0) firstByteMs = performance.now() - started;
          if (bodyBytes < HEAD_BYTES) head += chunk.subarray(0, HEAD_BYTES - bodyBytes).toString('utf8');
          bodyBytes += chunk.length;
          options.onChunk?.(chunk);
        });
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            bodyBytes,
            firstByteMs,
            totalMs: performance.now() - started,
            head,
          }),
        );
        answer.on('error', reject);
      });
      call.on('error', reject);
      call.end(body);
    });
  }

  /** A JSON answer. @throws Error for another status than 200. */
  async json<T>(path: string): Promise<T> {
    const chunks: Buffer[] = [];
    const { status } = await this.get(path, { onChunk: (chunk) => chunks.push(chunk) });
    const text = Buffer.concat(chunks).toString('utf8');
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as T;
  }

  close(): void {
    this.#agent.destroy();
  }
}
