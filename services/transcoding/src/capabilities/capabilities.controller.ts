import { HandlesCommand, type Handled } from '@continuo/chassis';
import { transcodeCapabilities, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import type { FfmpegCapabilities } from '../ffmpeg/ffmpeg-probe.js';

/** Injection token of the {@link FfmpegCapabilities} found at start. */
export const CAPABILITIES = Symbol('FfmpegCapabilities');

/** Tells what this worker's ffmpeg can do. */
@Controller()
export class CapabilitiesController {
  constructor(@Inject(CAPABILITIES) private readonly capabilities: FfmpegCapabilities) {}

  /** Answers what was found when the worker started. */
  @HandlesCommand(transcodeCapabilities)
  async transcodeCapabilities(_: CommandMessage): Promise<Handled<z.input<typeof transcodeCapabilities.result>>> {
    const { ffmpeg, problem, audioEncoders } = this.capabilities;
    return { result: { ffmpeg, problem, audioEncoders: [...audioEncoders] }, positions: [] };
  }
}
