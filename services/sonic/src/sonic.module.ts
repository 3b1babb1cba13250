import { SERVICE_DEPENDENCIES, type JobOptions, type ServiceDependencies, type ServiceHooks } from '@continuo/chassis';
import { analyseSounds } from '@continuo/contracts';
import { Inject, Module, type BeforeApplicationShutdown, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SonicSimilarityController } from './similarity/sonic-similarity.controller.js';
import { slotsOf, type SonicConfig } from './config.js';
import { RunController } from './run/run.controller.js';
import { RunTimer } from './run/run-timer.js';
import { openSonicParts, SONIC_PARTS, type SonicParts } from './sonic-parts.js';

const MINUTE_MS = 60_000;

/** Starts runs by the clock, keeps the sounds in memory, and closes what the handlers use after they have drained. */
class SonicWork
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown, Pick<ServiceHooks, 'readinessParts' | 'jobOptions'>
{
  readonly #timer: RunTimer;

  constructor(
    @Inject(SERVICE_DEPENDENCIES) private readonly deps: ServiceDependencies<SonicConfig>,
    @Inject(SONIC_PARTS) private readonly parts: SonicParts,
  ) {
    this.#timer = new RunTimer({ ...parts, pauseMs: deps.config.SONIC_LOOK_MINUTES * MINUTE_MS });
  }

  onApplicationBootstrap(): void {
    this.parts.local?.start();
    this.#timer.start();
  }

  readinessParts(): Readonly<Record<string, string>> {
    const { states, problem, sounds } = this.parts;
    return { ...states(), sounds: problem ?? `${sounds?.size ?? 0} in memory` };
  }

  /** A worker that analyses nothing leaves the work to the others. */
  jobOptions(): Readonly<Record<string, JobOptions>> {
    return { [analyseSounds.subject]: { concurrency: this.parts.analyser ? slotsOf(this.deps.config) : 0 } };
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#timer.stop();
  }

  onApplicationShutdown(): Promise<void> {
    return this.parts.close();
  }
}

/** The handlers of the sonic service, their providers, and its work in the background. */
@Module({
  controllers: [SonicSimilarityController, RunController],
  providers: [SonicWork, { provide: SONIC_PARTS, useFactory: openSonicParts, inject: [SERVICE_DEPENDENCIES] }],
})
export class SonicModule {}
