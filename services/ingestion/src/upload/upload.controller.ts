import { HandlesCommand, type Handled } from '@continuo/chassis';
import { fileByPattern, takeInUpload, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { InFlight } from '../maintenance/in-flight.js';
import { PatternFiling } from './pattern-filing.js';
import { UploadIntake } from './upload-intake.js';

/** Further ones wait: each reads a file, as a scan does. */
const MAX_AT_ONCE = 4;

/** Takes uploads in, and files what is there by patterns; answered when readers see it. */
@Controller()
export class UploadController {
  readonly #inFlight = new InFlight(MAX_AT_ONCE);

  constructor(
    @Inject(UploadIntake) private readonly intake: UploadIntake,
    @Inject(PatternFiling) private readonly filing: PatternFiling,
  ) {}

  @HandlesCommand(takeInUpload)
  takeIn(message: CommandMessage<z.output<typeof takeInUpload.schema>>): Promise<Handled<z.input<typeof takeInUpload.result>>> {
    return this.#inFlight.run(message.id, () => this.intake.takeIn(message.data, message));
  }

  @HandlesCommand(fileByPattern)
  file(message: CommandMessage<z.output<typeof fileByPattern.schema>>): Promise<Handled<z.input<typeof fileByPattern.result>>> {
    return this.#inFlight.run(message.id, async () => ({ result: await this.filing.file(message.data), positions: [] }));
  }
}
