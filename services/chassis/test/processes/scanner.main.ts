import { setTimeout as delay } from 'node:timers/promises';
import { scanCatalog } from '@continuo/contracts';
import { Controller, Module } from '@nestjs/common';
import { baseConfig, HandlesJob, runMain, type JobDelivery, type ServiceDefinition } from '@continuo/chassis';
import { environment } from './config.js';

/** A scan of this catalog ends the process. */
const POISONED = 2;

@Controller()
class Scanner {
  @HandlesJob(scanCatalog, { ackWaitMs: 600 })
  async scan({ catalogId }: { catalogId: number }, { attempt, signal }: JobDelivery): Promise<void> {
    process.stdout.write(`scan ${catalogId} attempt ${attempt}\n`);
    if (catalogId === POISONED) void Promise.reject(new Error('nobody handles this'));
    if (catalogId === POISONED || environment['QUICK'] === undefined) await delay(60_000, undefined, { signal });
  }
}

@Module({ controllers: [Scanner] })
class ScannerModule {}

const scanner: ServiceDefinition = {
  name: 'scanner',
  config: baseConfig,
  contexts: [],
  jobContexts: ['ingest'],
  module: ScannerModule,
};

await runMain(scanner, environment, { declared: { commands: [], jobs: [scanCatalog.subject] } });
