import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Request that a fake server got. */
export interface ReceivedRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
}

/** Fault to simulate: a status, headers and any body; silence; or a broken connection. */
export type SimulatedFault =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | 'never'
  | 'break'
  /** Takes what it is sent, and breaks off before it says so. */
  | 'take-and-break';

/** An answer as a protocol gives it. */
export interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly json: unknown;
}

/** Address of stand-ins: of this machine, but not the one where everything else listens, so that it can be allowed alone. */
export const STAND_IN_HOST = '127.0.0.3';

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

/** A real HTTP server in place of a scrobble service. For tests. */
export abstract class FakeServer {
  readonly asked: ReceivedRequest[] = [];
  /** Called for each request that is about plays; answers what goes wrong with it. */
  trouble: ((asked: ReceivedRequest) => SimulatedFault | undefined) | undefined;
  /** Awaited before anything is answered. */
  delay: ((asked: ReceivedRequest) => Promise<void>) | undefined;
  #server: Server | undefined;

  async start(port = 0): Promise<this> {
    const server = createServer((request, response) => void this.#take(request, response));
    await new Promise<void>((resolve) => server.listen(port, STAND_IN_HOST, resolve));
    this.#server = server;
    return this;
  }

  get port(): number {
    if (!this.#server) throw new Error('the stand-in has not started');
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://${STAND_IN_HOST}:${this.port}`;
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  /** True for a request that fails while a fault is simulated. */
  protected abstract isAboutPlays(asked: ReceivedRequest): boolean;
  protected abstract answer(asked: ReceivedRequest): Reply;

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = {
      path: request.url ?? '',
      method: request.method ?? '',
      headers: request.headers,
      body: await bodyOf(request),
      atMs: Date.now(),
    };
    this.asked.push(asked);
    await this.delay?.(asked);
    const trouble = this.isAboutPlays(asked) ? this.trouble?.(asked) : undefined;
    if (trouble === 'never') return;
    if (trouble === 'take-and-break') this.answer(asked);
    if (trouble === 'break' || trouble === 'take-and-break') {
      request.socket.destroy();
      return;
    }
    if (trouble) {
      response.writeHead(trouble.status, trouble.headers).end(trouble.body ?? '');
      return;
    }
    const { status, headers, json } = this.answer(asked);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
  }
}
