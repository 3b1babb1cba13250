import { setTimeout as delay } from 'node:timers/promises';
import { songPlayed } from '@continuo/contracts';
import { Controller, Module } from '@nestjs/common';
import { baseConfig, HandlesEvents, runMain, type JobDelivery, type RecordedOf, type ServiceDefinition } from '@continuo/chassis';
import { environment } from './config.js';

@Controller()
class Listener {
  @HandlesEvents('playback', 'plays', [songPlayed], { startFrom: 'all', ackWaitMs: 600, concurrency: 2 })
  async listen({ position }: RecordedOf<typeof songPlayed>, { attempt, signal }: JobDelivery): Promise<void> {
    process.stdout.write(`play ${position} attempt ${attempt} begun\n`);
    await delay(environment['QUICK'] === undefined ? 60_000 : 5, undefined, { signal });
    process.stdout.write(`play ${position} done\n`);
  }
}

@Module({ controllers: [Listener] })
class ListenerModule {}

const listener: ServiceDefinition = {
  name: 'listener',
  config: baseConfig,
  contexts: [],
  module: ListenerModule,
};

await runMain(listener, environment);
