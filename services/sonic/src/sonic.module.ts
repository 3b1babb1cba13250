import type { ServiceDependencies } from '@continuo/chassis';
import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { AlikeController } from './alike/alike.controller.js';
import type { SonicConfig } from './config.js';
import { RunController } from './run/run.controller.js';
import { sonicParts, type SonicParts } from './sonic-parts.js';
import { SONIC_JOBS, SONIC_PARTS } from './tokens.js';

/** Ends what the handlers work with, after they have drained. */
class Lifetimes implements OnApplicationShutdown {
  constructor(private readonly parts: SonicParts) {}

  onApplicationShutdown(): Promise<void> {
    return this.parts.close();
  }
}

/** What the sonic service handles, as one Nest module. */
@Module({})
export class SonicModule {
  /** The module over what the chassis hands out. */
  static over(deps: ServiceDependencies<SonicConfig>): DynamicModule {
    return {
      module: SonicModule,
      controllers: [AlikeController, RunController],
      providers: [
        { provide: SONIC_PARTS, useFactory: () => sonicParts(deps) },
        { provide: SONIC_JOBS, useValue: deps.jobs },
        { provide: Lifetimes, useFactory: async () => new Lifetimes(await sonicParts(deps)) },
      ],
    };
  }
}
