import type { ServiceDependencies } from '@continuo/chassis';
import type { ReadModel } from '@continuo/contracts';
import { Module, type DynamicModule } from '@nestjs/common';
import type { Kysely } from 'kysely';
import type { Transcoder } from '../work/transcoder.js';
import { BATCH_AGGREGATES, BATCH_JOBS, BATCH_WORKER, BatchController } from './batch.controller.js';
import { BatchWorker } from './batch-worker.js';
import { askOthers } from './held-elsewhere.js';

/** Batches as a Nest module. */
@Module({})
export class BatchModule {
  /** The module over what the chassis hands out and the transcoder of this worker, which is made while modules are set up. */
  static over(
    deps: Pick<ServiceDependencies, 'aggregates' | 'jobs' | 'db' | 'log' | 'nats' | 'now'>,
    worker: () => Promise<{ readonly workerId: string; readonly transcoder: Transcoder }>,
  ): DynamicModule {
    const { aggregates, jobs, log, now } = deps;
    const db = deps.db as Kysely<ReadModel>;
    const useFactory = async (): Promise<BatchWorker> => {
      const { workerId, transcoder } = await worker();
      return new BatchWorker({ aggregates, db, transcoder, workerId, heldElsewhere: askOthers(deps.nats), log, now });
    };
    return {
      module: BatchModule,
      controllers: [BatchController],
      providers: [
        { provide: BATCH_AGGREGATES, useValue: aggregates },
        { provide: BATCH_JOBS, useValue: jobs },
        { provide: BATCH_WORKER, useFactory },
      ],
    };
  }
}
