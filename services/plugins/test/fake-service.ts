import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answer of a fake service: a status with JSON or text, or a function that writes the response. */
export type FakeAnswer = {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A server on the loopback that stands in for a service of the network, and remembers what it was asked. */
export class FakeService {
  readonly asked: { readonly path: string; readonly query: URLSearchParams; readonly headers: IncomingMessage['headers'] }[] = [];
  /** Answers a request; specs set it. */
  answer: (path: string, query: URLSearchParams) => FakeAnswer | Promise<FakeAnswer> = () => ({ status: 404, json: {} });
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<FakeService> {
    const service = new FakeService();
    await new Promise<void>((listening) => {
      service.#server.listen(0, '127.0.0.1', listening);
    });
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => {
      this.#server.close(closed);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    this.asked.push({ path: pathname, query: searchParams, headers: request.headers });
    const { status = 200, json, text, bytes, headers = {} } = await this.answer(pathname, searchParams);
    response.writeHead(status, { 'content-type': json === undefined ? 'text/plain' : 'application/json', ...headers });
    response.end(json === undefined ? (bytes ?? text ?? '') : JSON.stringify(json));
  }
}
