import type { ServiceDefinition } from '@continuo/chassis';
import { CapabilitiesModule } from './capabilities/capabilities.module.js';
import { transcodingConfig, type TranscodingConfig } from './config.js';
import { ffmpegProbe } from './ffmpeg/ffmpeg-probe.adapter.js';

/** The transcoding service. It owns the stream `EV_TRANSCODE` and so far only tells what its ffmpeg can do. */
export const transcodingService: ServiceDefinition<TranscodingConfig> = {
  name: 'transcoding',
  config: transcodingConfig,
  contexts: ['transcode'],
  module: (deps) => CapabilitiesModule.over(deps, ffmpegProbe(deps.config.FFMPEG_PATH)),
};
