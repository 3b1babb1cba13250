import type { ServiceDefinition } from '@continuo/chassis';
import { batchProjection } from './batch/batch.projection.js';
import { transcodingConfig, type TranscodingConfig } from './config.js';
import { TranscodingModule } from './transcoding.module.js';

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
  module: TranscodingModule,
};
