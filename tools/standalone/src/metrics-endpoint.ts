import { startHealthServer, type HealthServer, type Metrics, type Readiness, type StartedService } from '@continuo/chassis';
import type { StandaloneOptions } from './config.js';

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 9090;

type Place = Pick<StandaloneOptions, 'port' | 'metricsHost' | 'metricsPort'>;

/** Readiness of all services as one: ready when each is, and of parts with the same name the first that is not well. */
const readinessOf = (services: readonly Pick<StartedService, 'readiness'>[]): Readiness => {
  const all = services.map((service) => service.readiness());
  const parts: Record<string, string> = {};
  for (const [name, state] of all.flatMap((readiness) => Object.entries(readiness.parts))) {
    if ((parts[name] ?? 'ok') === 'ok') parts[name] = state;
  }
  return { ready: all.every(({ ready }) => ready), parts };
};

const isTaken = (error: unknown): boolean => (error as { code?: unknown }).code === 'EADDRINUSE';

/**
 * Serves metrics and health details of all services on an address of their own, apart from the public APIs. Answers undefined, and reports it, when nobody chose the port and
 * another program has it: a second server on the same machine must still start.
 * @throws Error with a remedy when the chosen address cannot be had
 */
export const startMetricsEndpoint = async (
  { port: apiPort, metricsHost: host = DEFAULT_HOST, metricsPort }: Place,
  services: readonly StartedService[],
  metrics: Metrics,
  report: (message: string) => void,
): Promise<(HealthServer & { readonly url: string }) | undefined> => {
  const port = metricsPort ?? (apiPort === 0 ? 0 : DEFAULT_PORT);
  try {
    const server = await startHealthServer({ host, port, readiness: () => readinessOf(services), metrics });
    return { ...server, url: `http://${host === '0.0.0.0' || host === '::' ? DEFAULT_HOST : host}:${server.port}` };
  } catch (cause) {
    if (metricsPort !== undefined || !isTaken(cause))
      throw new Error(`Metrics cannot be served at ${host}:${port}. Set METRICS_HOST and METRICS_PORT to a free address.`, { cause });
    report(`Metrics are off: ${host}:${port} is taken by another program. Set METRICS_PORT to have them elsewhere.`);
    return undefined;
  }
};
