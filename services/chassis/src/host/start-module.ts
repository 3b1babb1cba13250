import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { DiscoveryService, NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import type { Logger } from 'pino';
import type { BaseConfig } from '../config.js';
import { LogDamaged } from '../event-store/integrity/log-damaged.js';
import type { ServiceDependencies, ServiceHooks } from '../service.js';
import { publishedSubjects, type DeclaredSubjects } from '../transport/declared-subjects.js';
import { reactorDependencies } from '../transport/event-reactor.js';
import type { JobOptions } from '../transport/handlers.js';
import { JetStreamStrategy } from '../transport/jetstream-strategy.js';
import { PassErrorsFilter } from '../transport/pass-errors.filter.js';
import type { ServiceConnections } from './dependencies.js';
import { rootModule } from './root-module.js';
import type { StopList } from './stop-list.js';

/** Builds the module of a service, starts its handlers and its work in the background, and returns the providers with hooks. */
export const startModule = async <C extends BaseConfig>(
  around: ServiceConnections<C>,
  deps: ServiceDependencies<C>,
  stops: StopList,
  declared: DeclaredSubjects = publishedSubjects(around.definition.contexts, around.definition.jobContexts),
): Promise<readonly Partial<ServiceHooks>[]> => {
  const { definition, log, telemetry } = around;
  const strategy = new JetStreamStrategy({
    ...reactorDependencies(definition.name, around, telemetry.tracer),
    jobOptions: () =>
      Object.assign({}, ...providersWithHooks(app).map((provider) => provider.jobOptions?.())) as Record<string, JobOptions>,
    declared,
  });
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(rootModule(definition, deps, strategy), {
    strategy,
    logger: hookFaults(log),
    abortOnError: false,
  });
  stops.add('handlers and background work', () => app.close());
  app.useGlobalFilters(new PassErrorsFilter());
  await unlessDamaged(log, () => app.listen());
  return providersWithHooks(app);
};

const HOOKS: readonly (keyof ServiceHooks)[] = ['readinessParts', 'isReady', 'onDrain', 'jobOptions'];

const hasHook = (instance: unknown): instance is Partial<ServiceHooks> =>
  HOOKS.some((hook) => typeof (instance as Partial<ServiceHooks> | null | undefined)?.[hook] === 'function');

/** Providers of all modules of a service that have hooks of the chassis. */
const providersWithHooks = (app: INestApplicationContext): readonly Partial<ServiceHooks>[] => {
  const instances = app
    .get(DiscoveryService)
    .getProviders()
    .map(({ instance }): unknown => instance);
  return [...new Set(instances)].filter(hasHook);
};

/** Nest does not throw when a hook fails at the end of a service: it logs. Failures of the start come to the caller too. */
const hookFaults = (log: Logger): LoggerService => ({
  log: () => undefined,
  warn: () => undefined,
  error: (err: unknown) => log.error({ err }, 'part of the service failed to start or to stop'),
});

/** Begins work that needs a complete log; skips what is left of it when events are missing. Reads do not need it: the start goes on. */
const unlessDamaged = async (log: Logger, work: () => Promise<unknown>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    log.error({ err: error }, 'the service does nothing by itself; restart it when the event log is whole again');
  }
};
