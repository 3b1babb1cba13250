import type { ServiceDependencies } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import { BatchModule } from './batch/batch.module.js';
import { CapabilitiesModule } from './capabilities/capabilities.module.js';
import type { TranscodingConfig } from './config.js';
import { workerParts } from './worker.js';

/** What the transcoding service handles, as one Nest module. */
@Module({})
export class TranscodingModule {
  /** The modules over what the chassis hands out. */
  static over(deps: ServiceDependencies<TranscodingConfig>): DynamicModule {
    const parts = () => workerParts(deps);
    return {
      module: TranscodingModule,
      imports: [CapabilitiesModule.over(deps, async () => (await parts()).capabilities), BatchModule.over(deps, parts)],
    };
  }
}
