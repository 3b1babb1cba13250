import { createServer, connect, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Bytes on their way, in one direction of one connection. Returns what goes on; it may wait, or for ever. */
export type ChunkTransform = (chunk: Buffer) => Promise<Buffer> | Buffer;

/** Makes the passages of a new connection. */
export type ConnectionShaper = () => { readonly toServer: ChunkTransform; readonly toClient: ChunkTransform };

const asItIs: ConnectionShaper = () => ({ toServer: (chunk) => chunk, toClient: (chunk) => chunk });

/** Stands between a service and a server and does to their bytes what a bad network does. */
export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #shaper: ConnectionShaper;
  /** Bytes wait for this before they go on. */
  #open: Promise<void> = Promise.resolve();
  #resume: (() => void) | undefined;
  /** Each piece of an answer comes so much later, ms. */
  latencyMs = 0;

  private constructor(server: Server, shaper: ConnectionShaper) {
    this.#server = server;
    this.#shaper = shaper;
  }

  /** Listens on a port of 127.0.0.1 in front of `host:port`. */
  static async start(target: { readonly host: string; readonly port: number }, shaper: ConnectionShaper = asItIs): Promise<TcpProxy> {
    const server = createServer();
    const proxy = new TcpProxy(server, shaper);
    server.on('connection', (client) => proxy.#join(client, connect(target.port, target.host)));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  }

  get connections(): number {
    return this.#sockets.size / 2;
  }

  /** From now on nothing gets through, in either direction; connections stay, and new ones are taken. */
  hang(): void {
    if (this.#resume) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#open = promise;
    this.#resume = resolve;
  }

  /** Lets everything through that has been held. */
  resume(): void {
    this.#resume?.();
    this.#resume = undefined;
  }

  /** Breaks all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.resume();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  #join(client: Socket, server: Socket): void {
    const { toServer, toClient } = this.#shaper();
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      // A connection that breaks takes its other half along.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    void this.#pump(client, server, { passage: toServer, isAnswer: false });
    void this.#pump(server, client, { passage: toClient, isAnswer: true });
  }

  async #pump(from: Socket, to: Socket, { passage, isAnswer }: { passage: ChunkTransform; isAnswer: boolean }): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        await this.#open;
        if (isAnswer && this.latencyMs > 0) await delay(this.latencyMs);
        const passed = await passage(chunk);
        if (to.destroyed) return;
        if (passed.length > 0 && !to.write(passed)) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
      }
      to.end();
    } catch {
      // One side has gone away; so does the other.
      to.destroy();
    }
  }
}
