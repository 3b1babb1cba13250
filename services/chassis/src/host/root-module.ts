import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { BaseConfig } from '../config.js';
import type { ServiceDefinition, ServiceDependencies } from '../service.js';
import { JetStreamStrategy } from '../transport/jetstream-strategy.js';
import { AGGREGATES, CONFIG, DATABASE, EVENT_STORE, JOBS, LOG, SEALER, SERVICE_DEPENDENCIES, USER_KEYS } from './tokens.js';

/** Global, so that its transport starts before the background work of the service's own modules and ends after it. */
@Global()
@Module({})
class ServiceRootModule {}

/** The root module of one service: its transport, its dependencies, visible everywhere, and its own module. */
export const rootModule = <C extends BaseConfig>(
  { module: own }: ServiceDefinition<C>,
  deps: ServiceDependencies<C>,
  transport: JetStreamStrategy,
): DynamicModule => {
  const providers = [
    { provide: SERVICE_DEPENDENCIES, useValue: deps },
    { provide: AGGREGATES, useValue: deps.aggregates },
    { provide: CONFIG, useValue: deps.config },
    { provide: DATABASE, useValue: deps.db },
    { provide: EVENT_STORE, useValue: deps.eventStore },
    { provide: JOBS, useValue: deps.jobs },
    { provide: LOG, useValue: deps.log },
    { provide: SEALER, useValue: deps.sealer },
    { provide: USER_KEYS, useValue: deps.userKeys },
  ];
  return {
    module: ServiceRootModule,
    providers: [...providers, { provide: JetStreamStrategy, useValue: transport }],
    exports: providers.map(({ provide }) => provide),
    imports: [DiscoveryModule, ...(own ? [own] : [])],
  };
};
