import { Agent, createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A gateway behind the balancer. */
export interface Backend {
  readonly name: string;
  readonly port: number;
}

const LOOK_MS = 250;
const LOOK_TIMEOUT_MS = 2000;
/** Headers that belong to one connection. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding']);

interface Known extends Backend {
  isReady: boolean;
  served: number;
}

/**
 * Gives requests to gateways in turn, those that say that they are ready. As an ingress does, it keeps connections open, and tries another gateway only while nothing has been
 * sent: when no connection could be made.
 */
export class Balancer {
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #backends = new Map<string, Known>();
  readonly #looking: NodeJS.Timeout;
  #turn = 0;

  private constructor() {
    this.#server = createServer((request, response) => this.#pass(request, response, new Set()));
    this.#looking = setInterval(() => void this.look(), LOOK_MS);
  }

  /** Listens on a free port of this machine. */
  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requests by gateway, those that are gone included. */
  get served(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#backends.values()].map(({ name, served }) => [name, served]));
  }

  add(backend: Backend): void {
    this.#backends.set(backend.name, { ...backend, isReady: false, served: 0 });
  }

  /** No new requests from now on, as when a pod is taken from its service. */
  remove(name: string): void {
    const backend = this.#backends.get(name);
    if (backend) Object.assign(backend, { isReady: false, port: 0 });
  }

  isReady(name: string): boolean {
    return this.#backends.get(name)?.isReady === true;
  }

  /** Asks each gateway whether it is ready. */
  async look(): Promise<void> {
    await Promise.all([...this.#backends.values()].filter(({ port }) => port > 0).map((backend) => this.#ask(backend)));
  }

  async stop(): Promise<void> {
    clearInterval(this.#looking);
    this.#agent.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #ask(backend: Known): Promise<void> {
    try {
      const answer = await fetch(`http://127.0.0.1:${backend.port}/health/ready`, { signal: AbortSignal.timeout(LOOK_TIMEOUT_MS) });
      await answer.arrayBuffer();
      backend.isReady = answer.status === 200 && backend.port > 0;
    } catch {
      // Not there is the answer that was asked for.
      backend.isReady = false;
    }
  }

  #pick(tried: ReadonlySet<string>): Known | undefined {
    const ready = [...this.#backends.values()].filter(({ isReady, name }) => isReady && !tried.has(name));
    this.#turn += 1;
    return ready[this.#turn % Math.max(1, ready.length)];
  }

  #pass(request: IncomingMessage, response: ServerResponse, tried: Set<string>): void {
    const backend = this.#pick(tried);
    if (!backend) {
      response.writeHead(503).end('no gateway is ready\n');
      return;
    }
    tried.add(backend.name);
    backend.served += 1;
    const headers = { ...request.headers, connection: 'keep-alive' };
    const passed = send({ agent: this.#agent, host: '127.0.0.1', port: backend.port, path: request.url, method: request.method, headers });
    passed.once('response', (answer) => {
      const kept = Object.entries(answer.headers).filter(([name]) => !OWN_HEADERS.has(name));
      response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    passed.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && !response.headersSent) this.#pass(request, response, tried);
      else if (response.headersSent) response.destroy();
      else response.writeHead(502).end(`${backend.name}: ${error.code ?? error.message}\n`);
    });
    response.once('close', () => passed.destroy());
    // Requests of the suite have no body: what they say stands in the address.
    passed.end();
  }
}
