import { SERVICE_DEPENDENCIES, type ServiceDependencies } from '@continuo/chassis';
import { Module } from '@nestjs/common';
import { BatchController } from './batch/batch.controller.js';
import { BatchWorker } from './batch/batch-worker.js';
import { askOtherWorkers } from './batch/other-caches.js';
import { openWorker, Worker, WORKER_PARTS, type WorkerParts } from './worker.js';

const batchWorker = ({ aggregates, db, nats, log, now }: ServiceDependencies, { workerId, transcoder }: WorkerParts): BatchWorker =>
  new BatchWorker({ aggregates, db, transcoder, workerId, findInOtherCaches: askOtherWorkers(nats), log, now });

/** The handlers of the transcoding service, their providers, and its work in the background. */
@Module({
  controllers: [BatchController],
  providers: [
    Worker,
    { provide: WORKER_PARTS, useFactory: openWorker, inject: [SERVICE_DEPENDENCIES] },
    { provide: BatchWorker, useFactory: batchWorker, inject: [SERVICE_DEPENDENCIES, WORKER_PARTS] },
  ],
})
export class TranscodingModule {}
