import type { ServiceDefinition } from '@continuo/chassis';
import { transcodeOne } from '@continuo/contracts';
import { batchProjection } from './batch/batch.projection.js';
import { batchSlotsOf, transcodingConfig, type TranscodingConfig } from './config.js';
import { TranscodingModule } from './transcoding.module.js';
import { startWorker, workerParts } from './worker.js';

/**
 * The transcoding service: brings media into other forms, keeps what was made, and gives it to the gateways. It owns the stream `EV_TRANSCODE`, the work queue
 * `JOBS_TRANSCODE` and the schema `transcoding`.
 */
export const transcodingService: ServiceDefinition<TranscodingConfig> = {
  name: 'transcoding',
  config: transcodingConfig,
  contexts: ['transcode'],
  jobContexts: ['transcode'],
  schema: 'transcoding',
  projections: () => [batchProjection],
  jobOptions: async (deps) => {
    const { capabilities } = await workerParts(deps);
    // A worker that can make nothing leaves the work to the others.
    return { [transcodeOne.subject]: { concurrency: capabilities.problem === null ? batchSlotsOf(deps.config) : 0 } };
  },
  module: (deps) => TranscodingModule.over(deps),
  start: startWorker,
};
