import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { metricsText, type Metrics } from './metrics.js';
import type { Running } from './running.js';

/** Readiness of a service, and the reason when it is not ready. */
export interface Readiness {
  readonly ready: boolean;
  /** State by part, for people; never a secret. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Address of the health endpoint, and the checks that it reports. */
export interface HealthOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly readiness: () => Readiness;
  readonly metrics: Metrics;
}

/** A running health endpoint. */
export interface HealthServer extends Running {
  readonly port: number;
}

/** Health checks and metrics: serves `/health/live` (the process runs), `/health/ready` (200 or 503 with the parts) and `/metrics` (Prometheus text). */
export const startHealthServer = async (options: HealthOptions): Promise<HealthServer> => {
  const server = createServer((request, response) => {
    answer(options, request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: portOf(server), stop: () => close(server) };
};

const answer = async (options: HealthOptions, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, 'text/plain', 'only GET\n');
  const path = (request.url ?? '/').split('?')[0];
  if (path === '/health/live') return send(response, 200, 'application/json', '{"status":"live"}\n');
  if (path === '/health/ready') {
    const { ready, parts } = options.readiness();
    return send(response, ready ? 200 : 503, 'application/json', `${JSON.stringify({ status: ready ? 'ready' : 'not ready', parts })}\n`);
  }
  if (path === '/metrics') {
    return send(response, 200, options.metrics.registry.contentType, await metricsText(options.metrics));
  }
  return send(response, 404, 'text/plain', 'not found\n');
};

const send = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'content-length': Buffer.byteLength(body) });
  response.end(body);
};

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
