import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path/posix';
import { pipeline } from 'node:stream/promises';
import { Rejection } from '@continuo/contracts';
import type { FileStorage, ByteRange } from './file-storage.js';

/** Opens the storage of a catalog, given its root. */
export type StorageAt = (root: string) => Promise<FileStorage>;

const ASKED_RANGE = /^bytes=(\d+)-(\d*)$/;
const SUFFIX = /^\.[a-z0-9+]{1,8}$/i;
/** Prefix of loopback addresses. */
const LOOPBACK = /^http:\/\/127\.0\.0\.1:\d+\//;

/** True for an address that a {@link LoopbackMedia} gave out. */
export const isLoopbackMedia = (location: string): boolean => LOOPBACK.test(location);

/**
 * Gives files of other storage addresses on this machine, for programs and threads that can open nothing else: they ask for ranges, and what they ask for is fetched.
 * An address is signed under a key that dies with the process, and leads to one file.
 */
export class LoopbackMedia {
  readonly #key = randomBytes(32);
  readonly #server: Server;
  #listening: Promise<number> | undefined;

  constructor(private readonly storageAt: StorageAt) {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => refuse(response, error));
    });
    // What waits for a listener must not keep a process alive that wants to end.
    this.#server.unref();
  }

  /** The address of a file; its suffix is the file's. The first one opens a port of the loopback interface: most servers never need one. */
  async addressOf(root: string, path: string): Promise<string> {
    return (await this.addresses(root))(path);
  }

  /** Returns a function from a file's path to its loopback address. */
  async addresses(root: string): Promise<(path: string) => string> {
    this.#listening ??= this.#listen();
    const port = await this.#listening;
    return (path) => this.#address(port, root, path);
  }

  async #listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  #address(port: number, root: string, path: string): string {
    const name = Buffer.from(JSON.stringify([root, path])).toString('base64url');
    const suffix = extname(path);
    return `http://127.0.0.1:${port}/${this.#sign(name)}/${name}${SUFFIX.test(suffix) ? suffix : ''}`;
  }

  /** Ends it, and what it sends. */
  async close(): Promise<void> {
    if (this.#listening === undefined) return;
    await this.#listening;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #sign(name: string): string {
    return createHmac('sha256', this.#key).update(name).digest('base64url');
  }

  #fileOf(url: string): { root: string; path: string } {
    const [, signature = '', last = ''] = url.split('/');
    const name = last.split('.')[0] ?? '';
    const expected = Buffer.from(this.#sign(name));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Rejection('media.not-found');
    const [root, path] = JSON.parse(Buffer.from(name, 'base64url').toString()) as [string, string];
    return { root, path };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { root, path } = this.#fileOf(request.url ?? '');
    const storage = await this.storageAt(root);
    if (request.method === 'HEAD') {
      const { sizeBytes } = await storage.stat(path);
      response.writeHead(200, { 'content-length': sizeBytes, 'accept-ranges': 'bytes' }).end();
      return;
    }
    const wanted = askedPart(request.headers.range);
    const { body, start, end, sizeBytes } = await storage.read(path, wanted);
    response.writeHead(wanted ? 206 : 200, {
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
      'content-length': end - start + 1,
      ...(wanted ? { 'content-range': `bytes ${start}-${end}/${sizeBytes}` } : {}),
    });
    // Whoever has heard enough leaves; that ends what is fetched for him.
    await pipeline(body, response).catch(() => response.destroy());
  }
}

const askedPart = (header: string | undefined): ByteRange | undefined => {
  const [, start, end] = ASKED_RANGE.exec(header ?? '') ?? [];
  if (start === undefined) return undefined;
  return { start: Number(start), ...(end ? { end: Number(end) } : {}) };
};

const statuses: Readonly<Partial<Record<string, number>>> = { 'media.not-found': 404, 'media.range': 416 };

const refuse = (response: ServerResponse, error: unknown): void => {
  if (response.headersSent) return void response.destroy();
  const code = error instanceof Rejection ? error.code : '';
  // Nothing of the message goes out: it is for whoever reads the log of the service.
  response.writeHead(statuses[code] ?? 502).end();
};
