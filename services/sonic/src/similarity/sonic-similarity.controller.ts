import { HandlesCommand, type Handled } from '@continuo/chassis';
import { findSimilarSounds, findSoundPath, Rejection, sonicStatus, type CommandMessage, type SonicMatch } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { SONIC_PARTS, type SonicParts } from '../sonic-parts.js';
import type { Sounds } from './sounds.js';

type Matches = z.input<typeof findSimilarSounds.result>;

const answered = (matches: readonly SonicMatch[] | undefined): Handled<Matches> => ({
  result: { isKnown: matches !== undefined, matches: [...(matches ?? [])] },
  positions: [],
});

/** Answers what sounds alike. These are questions: nothing is written. */
@Controller()
export class SonicSimilarityController {
  constructor(@Inject(SONIC_PARTS) private readonly parts: SonicParts) {}

  @HandlesCommand(sonicStatus)
  async status(): Promise<Handled<z.input<typeof sonicStatus.result>>> {
    const { plugin, problem, sounds } = this.parts;
    return { result: { plugin: plugin ?? null, problem: problem ?? null, songs: sounds?.size ?? 0 }, positions: [] };
  }

  @HandlesCommand(findSimilarSounds)
  async similar({ data }: CommandMessage<z.output<typeof findSimilarSounds.schema>>): Promise<Handled<Matches>> {
    return answered(await this.#sounds().similar(data.songId, data));
  }

  @HandlesCommand(findSoundPath)
  async path({ data }: CommandMessage<z.output<typeof findSoundPath.schema>>): Promise<Handled<Matches>> {
    return answered(await this.#sounds().path(data.fromSongId, data.toSongId, data));
  }

  #sounds(): Sounds {
    const { sounds } = this.parts;
    if (!sounds) throw new Rejection('feature.disabled', 'no sonic plug-in is switched on');
    return sounds;
  }
}
