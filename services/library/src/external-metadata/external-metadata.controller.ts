import { decision, decisionMeta, done, HandlesCommand, AGGREGATES, type AggregateRunner, type Handled } from '@continuo/chassis';
import { recordArtistInfo, recordFoundArt, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { artistInfo, foundArt, foundArtId } from './external-metadata.decider.js';

/** Records what plug-ins find. */
@Controller()
export class ExternalMetadataController {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRunner) {}

  /** Records what plug-ins found about an artist. */
  @HandlesCommand(recordArtistInfo)
  async recordInfo(message: CommandMessage<z.output<typeof recordArtistInfo.schema>>): Promise<Handled<Record<string, never>>> {
    const { artistId, ...info } = message.data;
    return done(this.aggregates.run([decision(artistInfo, artistId, { type: 'record', artistId, info })], decisionMeta(message)));
  }

  /** A picture. */
  @HandlesCommand(recordFoundArt)
  async recordArt(message: CommandMessage<z.output<typeof recordFoundArt.schema>>): Promise<Handled<Record<string, never>>> {
    const { of, art, source } = message.data;
    const recording = decision(foundArt, foundArtId(of), { type: 'record', of, art, source });
    return done(this.aggregates.run([recording], decisionMeta(message)));
  }
}
