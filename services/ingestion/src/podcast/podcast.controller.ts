import { contextOf, HandlesCommand, type Handled } from '@continuo/chassis';
import { refreshPodcasts, subscribePodcast, syncPodcast, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { InFlight } from '../maintenance/in-flight.js';
import { PodcastRefresh } from './podcast-refresh.js';
import { PodcastVisits } from './podcast-visits.js';

/** Feeds that are read at the same time; further ones wait. */
const MAX_AT_ONCE = 4;

/** Visits feeds: at once, and answers when that is done, or soon. */
@Controller()
export class PodcastController {
  readonly #inFlight = new InFlight(MAX_AT_ONCE);

  constructor(
    @Inject(PodcastVisits) private readonly visits: PodcastVisits,
    @Inject(PodcastRefresh) private readonly refreshing: PodcastRefresh,
  ) {}

  /** Makes a podcast of a feed. */
  @HandlesCommand(subscribePodcast)
  subscribe(message: CommandMessage<z.output<typeof subscribePodcast.schema>>): Promise<Handled<z.input<typeof subscribePodcast.result>>> {
    return this.#inFlight.run(message.id, () => this.visits.subscribe(message.data, contextOf(message)));
  }

  /** Reads the feed of a podcast again. */
  @HandlesCommand(syncPodcast)
  sync(message: CommandMessage<z.output<typeof syncPodcast.schema>>): Promise<Handled<z.input<typeof syncPodcast.result>>> {
    return this.#inFlight.run(message.id, () => this.visits.sync(message.data.podcastId, contextOf(message)));
  }

  /** Puts the feeds of catalogs in line. */
  @HandlesCommand(refreshPodcasts)
  async refresh({
    data,
    actor,
    correlationId,
  }: CommandMessage<z.output<typeof refreshPodcasts.schema>>): Promise<Handled<z.input<typeof refreshPodcasts.result>>> {
    await this.refreshing.request(data.catalogIds, { actor, correlationId });
    return { result: {}, positions: [] };
  }
}
