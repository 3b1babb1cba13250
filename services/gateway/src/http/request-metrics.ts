import type { Metrics } from '@continuo/chassis';
import type { FastifyInstance } from 'fastify';
import { Histogram } from 'prom-client';

/** Measures every request by route, which is a fixed set, never by address. */
export const countRequests = (app: FastifyInstance, { registry }: Metrics): void => {
  const seconds = new Histogram({
    name: 'continuo_http_request_seconds',
    help: 'Time from a request to the end of its answer, seconds',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    seconds.observe(
      { route: request.routeOptions.url ?? 'none', method: request.method, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
  });
};
