import type { Logger } from 'pino';
import { baseConfig, parseConfig, type BaseConfig, type Environment } from '../config.js';
import { startHealthServer } from '../health.js';
import { createLogger } from '../log.js';
import { collectWhenIdle } from './idle-garbage.js';
import { createMetrics, measureProcess } from '../metrics.js';
import type { ServiceDefinition } from '../service.js';
import type { Running } from '../running.js';
import { startService, type StartedService, type StartOverrides } from './start-service.js';
import { StopList } from './stop-list.js';

/** Time beyond the drain time for closing connections, ms. */
const CLOSE_GRACE_MS = 10_000;

/**
 * The whole of a service's `main.ts`: runs the service until SIGTERM or SIGINT, then drains and exits with 0. A start that fails, an error that
 * nobody caught, or a drain that does not end exits with 1; a second signal exits at once.
 * @param overrides what it must answer, for a service of specs
 */
export const runMain = async <C extends BaseConfig>(
  definition: ServiceDefinition<C>,
  env: Environment,
  overrides: Pick<StartOverrides, 'declared'> = {},
): Promise<void> => {
  const log = createLogger(definition.name, bootLogLevel(env));
  process.on('uncaughtException', (error) => die(log, error, 'an error was not caught'));
  process.on('unhandledRejection', (error) => die(log, error, 'a rejection was not handled'));
  try {
    await runUntilSignal(definition, env, { ...overrides, log });
  } catch (error) {
    die(log, error, 'the service cannot start');
  }
};

const runUntilSignal = async <C extends BaseConfig>(
  definition: ServiceDefinition<C>,
  env: Environment,
  overrides: StartOverrides & { readonly log: Logger },
): Promise<void> => {
  const { log } = overrides;
  const config = parseConfig(definition.config, env);
  const metrics = createMetrics(definition.name);
  measureProcess(metrics);
  collectWhenIdle();
  const limitMs = config.DRAIN_GRACE_MS + config.DRAIN_TIMEOUT_MS + CLOSE_GRACE_MS;
  const stops = new StopList(log, limitMs);
  let service: StartedService<C> | undefined;
  const starting = { ready: false, parts: { service: 'starting' } };
  if (config.HEALTH_PORT > 0) {
    const endpoint = {
      host: config.HEALTH_HOST,
      port: config.HEALTH_PORT,
      readiness: () => service?.readiness() ?? starting,
      metrics,
    };
    const health = await startHealthServer(endpoint);
    stops.add('health endpoint', () => health.stop());
  }
  stopOnSignal(stops, limitMs, log);
  service = await startService(definition, env, { ...overrides, metrics });
  const started = service;
  stops.add('service', () => started.stop());
};

const stopOnSignal = (all: Running, withinMs: number, log: Logger): void => {
  let asked = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (asked) process.exit(1);
    asked = true;
    log.info({ signal }, 'draining');
    setTimeout(() => die(log, new Error(`not ended after ${withinMs} ms`), 'draining took too long'), withinMs).unref();
    await all.stop();
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
};

const die = (log: Logger, error: unknown, what: string): never => {
  log.fatal({ err: error }, what);
  process.exit(1);
};

/** The log must work before the settings are known to be good. */
const bootLogLevel = (env: Environment): BaseConfig['LOG_LEVEL'] =>
  baseConfig.shape.LOG_LEVEL.safeParse(env['LOG_LEVEL'] || undefined).data ?? 'info';
