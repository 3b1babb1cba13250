import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PublicEvent } from '@continuo/contracts';

/** Request that a receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: PublicEvent;
  readonly atMs: number;
}

/** Answer of a receiver: a status, with headers, after a while; or never. */
export type ReceiverAnswer = (received: Received) => { status: number; headers?: Record<string, string> } | 'never';

/** Address of receivers: of this machine, but not the one where everything else listens, so that it can be allowed alone. */
export const RECEIVER_HOST = '127.0.0.2';

/** A real HTTP server that keeps what it is sent, by path. For tests. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  readonly answers = new Map<string, ReceiverAnswer>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, RECEIVER_HOST, resolve));
    const receiver = new WebhookReceiver(server);
    receiver.listen();
    return receiver;
  }

  /** The address of a path. */
  url(path: string): string {
    return `http://${RECEIVER_HOST}:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Requests to a path, oldest first. */
  at(path: string): readonly Received[] {
    return this.received.filter((one) => one.path === path);
  }

  /** Ids of the events that came to a path. */
  ids(path: string): readonly string[] {
    return this.at(path).map(({ event }) => event.id);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private listen(): void {
    this.server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const received = {
          path: request.url ?? '',
          headers: request.headers,
          body,
          event: JSON.parse(body) as PublicEvent,
          atMs: Date.now(),
        };
        this.received.push(received);
        const answer = this.answers.get(received.path)?.(received) ?? { status: 204 };
        if (answer !== 'never') response.writeHead(answer.status, answer.headers).end();
      });
    });
  }
}
