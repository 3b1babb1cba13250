import type { ServiceDefinition } from '@continuo/chassis';
import { CapabilitiesModule } from './capabilities/capabilities.module.js';
import { transcodingConfig, type TranscodingConfig } from './config.js';
import { startWorker, workerParts } from './worker.js';

/** The transcoding service: brings media into other forms, keeps what was made, and gives it to the gateways. It owns the stream `EV_TRANSCODE`. */
export const transcodingService: ServiceDefinition<TranscodingConfig> = {
  name: 'transcoding',
  config: transcodingConfig,
  contexts: ['transcode'],
  module: (deps) => CapabilitiesModule.over(deps, async () => (await workerParts(deps)).capabilities),
  start: startWorker,
};
