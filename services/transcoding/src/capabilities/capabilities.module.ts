import type { ServiceDependencies } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import type { FfmpegCapabilities, FfmpegProbe } from '../ffmpeg/ffmpeg-probe.js';
import { CAPABILITIES, CapabilitiesController } from './capabilities.controller.js';

/** What the worker can do, as a Nest module. */
@Module({})
export class CapabilitiesModule {
  /** The module over a probe, which runs once while the module is set up. A worker without ffmpeg starts and says what is missing. */
  static over(deps: Pick<ServiceDependencies, 'log'>, probe: FfmpegProbe): DynamicModule {
    const useFactory = async (): Promise<FfmpegCapabilities> => {
      const found = await probe();
      if (found.problem === null) deps.log.info({ ffmpeg: found.ffmpeg, audioEncoders: found.audioEncoders.length }, 'ffmpeg found');
      else deps.log.error({ problem: found.problem }, 'transcoding is not possible');
      return found;
    };
    return { module: CapabilitiesModule, controllers: [CapabilitiesController], providers: [{ provide: CAPABILITIES, useFactory }] };
  }
}
