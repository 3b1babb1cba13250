import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** File served by the host. */
export interface HostedFile {
  readonly bytes: Uint8Array;
  readonly type?: string;
  /** With its quotes; null: the server tells nothing by which its file could be known again. */
  readonly etag?: string | null;
  /** Ends the connection after so many bytes of an answer. */
  readonly cutAfter?: number;
  /** Waits, once, after so many bytes of an answer, until the host is told to go on. */
  readonly holdAfter?: number;
  /** Does not say how long the file is. */
  readonly chunked?: boolean;
  /** Knows nothing of parts. */
  readonly whole?: boolean;
}

/** A request that a host saw. */
export interface SeenRequest {
  readonly path: string;
  readonly range: string | undefined;
}

const RANGE = /^bytes=(\d+)-$/;

/** Stands for a host of podcasts somewhere outside: serves files with ranges, and misbehaves as it is told. */
export class EpisodeHost {
  readonly files = new Map<string, HostedFile>();
  /** Answers in place of files. */
  readonly answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  readonly seen: SeenRequest[] = [];
  #released = Promise.withResolvers<void>();

  private constructor(
    private readonly server: Server,
    private readonly address: string,
  ) {}

  /** Listens on an address of this machine that specs allow. */
  static async start(address: string): Promise<EpisodeHost> {
    const server = createServer();
    const host = new EpisodeHost(server, address);
    server.on('request', (request, response) => host.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    return host;
  }

  url(path: string): string {
    return `http://${this.address}:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Lets those go on that wait. */
  release(): void {
    this.#released.resolve();
    this.#released = Promise.withResolvers<void>();
  }

  stop(): void {
    this.release();
    this.server.closeAllConnections();
    this.server.close();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    this.seen.push({ path, range: request.headers.range });
    const answer = this.answers.get(path);
    if (answer) return answer(request, response);
    const file = this.files.get(path);
    if (!file) return void response.writeHead(404).end();
    void this.#send(file, request, response);
  }

  async #send(file: HostedFile, { headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const { bytes, type = 'audio/mpeg', etag = '"1"', chunked = false, whole = false } = file;
    const asked = Number(RANGE.exec(headers.range ?? '')?.[1] ?? Number.NaN);
    const from = !whole && etag !== null && headers['if-range'] === etag && asked > 0 ? asked : 0;
    if (from >= bytes.byteLength && from > 0) return void response.writeHead(416, { 'content-range': `bytes */${bytes.byteLength}` }).end();
    const part = bytes.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      'content-type': type,
      ...(etag === null ? {} : { etag }),
      ...(chunked ? {} : { 'content-length': part.byteLength }),
      ...(from > 0 ? { 'content-range': `bytes ${from}-${bytes.byteLength - 1}/${bytes.byteLength}` } : {}),
    });
    const { cutAfter = Infinity, holdAfter = Infinity } = file;
    const first = part.subarray(0, Math.min(cutAfter, holdAfter));
    await new Promise<void>((resolve) => response.write(first, () => resolve()));
    if (holdAfter < part.byteLength) await this.#released.promise;
    // The bytes sent so far arrive; then the connection ends.
    if (cutAfter < part.byteLength) return void response.socket?.end();
    response.end(part.subarray(first.byteLength));
  }
}
