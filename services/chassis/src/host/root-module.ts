import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { BaseConfig } from '../config.js';
import type { ServiceDefinition, ServiceDependencies } from '../service.js';
import { SERVICE_DEPENDENCIES } from './tokens.js';

@Global()
@Module({})
class ServiceRootModule {}

/** The root module of one service: its dependencies, visible everywhere, and its own module. */
export const rootModule = <C extends BaseConfig>(definition: ServiceDefinition<C>, deps: ServiceDependencies<C>): DynamicModule => {
  const own = definition.module?.(deps);
  return {
    module: ServiceRootModule,
    providers: [{ provide: SERVICE_DEPENDENCIES, useValue: deps }],
    exports: [SERVICE_DEPENDENCIES],
    imports: own ? [own] : [],
  };
};
