import { decision, decisionMeta, done, HandlesCommand, AGGREGATES, type AggregateRunner, type Handled } from '@continuo/chassis';
import { recordPodcastArt, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { podcastArtAggregate } from './podcast-art.decider.js';

/** Records pictures of podcasts. */
@Controller()
export class PodcastArtController {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRunner) {}

  /** The picture that a feed names. */
  @HandlesCommand(recordPodcastArt)
  async record(message: CommandMessage<z.output<typeof recordPodcastArt.schema>>): Promise<Handled<Record<string, never>>> {
    const recording = decision(podcastArtAggregate, message.data.podcastId, { type: 'record', ...message.data });
    return done(this.aggregates.run([recording], decisionMeta(message)));
  }
}
