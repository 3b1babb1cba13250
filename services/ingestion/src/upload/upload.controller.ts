import { HandlesCommand, type Handled } from '@continuo/chassis';
import { takeInUpload, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { InFlight } from '../maintenance/in-flight.js';
import { UPLOAD_INTAKE } from '../tokens.js';
import type { UploadIntake } from './upload-intake.js';

/** Further ones wait: each reads a file, as a scan does. */
const MAX_AT_ONCE = 4;

/** Takes uploads in, answered when readers see the song. */
@Controller()
export class UploadController {
  readonly #inFlight = new InFlight(MAX_AT_ONCE);

  constructor(@Inject(UPLOAD_INTAKE) private readonly intake: UploadIntake) {}

  @HandlesCommand(takeInUpload)
  takeIn(message: CommandMessage<z.output<typeof takeInUpload.schema>>): Promise<Handled<z.input<typeof takeInUpload.result>>> {
    return this.#inFlight.run(message.id, () => this.intake.takeIn(message.data, message));
  }
}
