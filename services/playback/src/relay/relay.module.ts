import type { ServiceDependencies } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import type { PlaybackConfig } from '../config.js';
import { createRelay, type Relay } from './relay-tools.js';
import { RELAY_TOOLS, RelayController } from './relay.controller.js';

type Dependencies = ServiceDependencies<PlaybackConfig>;

const known = new WeakMap<Dependencies, Relay>();

/** The relay of one running service: its handlers and what runs beside them share the way out. */
export const relayOf = (deps: Dependencies): Relay => {
  const relay = known.get(deps) ?? createRelay(deps);
  known.set(deps, relay);
  return relay;
};

/** Links with services elsewhere as a Nest module. */
@Module({})
export class RelayModule {
  /** The module of a running service. */
  static over(deps: Dependencies): DynamicModule {
    return { module: RelayModule, controllers: [RelayController], providers: [{ provide: RELAY_TOOLS, useValue: relayOf(deps).tools }] };
  }
}
