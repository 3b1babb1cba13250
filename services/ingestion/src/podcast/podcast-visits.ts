import { OutboundError, type CommandClient, type CommandOutcome, type OutboundClient } from '@continuo/chassis';
import {
  createPodcast,
  MAX_FEED_FAULT,
  MAX_PODCAST_EPISODES_PER_COMMAND,
  recordEpisodes,
  recordPodcastFault,
  recordPodcastVisit,
  Rejection,
  type CatalogId,
  type FeedMemory,
  type LogPosition,
  type MessageContext,
  type PodcastAbout,
  type PodcastId,
} from '@continuo/contracts';
import { FeedFault, type Feed, type FeedEpisode } from './feed/feed.js';
import { fetchFeed, type FeedLimits, type FeedVisit } from './feed/fetch-feed.js';
import type { PodcastReads, PodcastVisitState } from './podcasts.reads.js';

/** Dependencies of {@link PodcastVisits}. */
export interface PodcastVisitDependencies {
  readonly outbound: OutboundClient;
  readonly commands: CommandClient;
  readonly reads: PodcastReads;
  readonly limits: FeedLimits;
  readonly now: () => number;
  /** Keeps the picture that the feed names, and answers where in the log that is said. */
  readonly keepPicture?: (podcastId: PodcastId, imageUrl: string | null, context: MessageContext) => Promise<readonly LogPosition[]>;
  /** Called after a visit, with the log positions of its events; its errors do not fail the visit. */
  readonly afterVisit?: (podcastId: PodcastId, positions: readonly LogPosition[], context: MessageContext) => Promise<void>;
}

/** Outcome of a visit, with the log positions to wait for. */
export interface FeedVisitResult<R> {
  readonly result: R;
  readonly positions: readonly LogPosition[];
}

/** Episodes that a visit added and changed. */
export interface EpisodeCounts {
  readonly added: number;
  readonly changed: number;
}

/** Episodes of one command together, bytes of JSON: a command becomes an event, which may have twice as many. */
const MAX_BATCH_BYTES = 200_000;
const noMemory: FeedMemory = { etag: null, lastModified: null };

const aboutOf = ({ episodes: _, leftOut: __, isCut: ___, ...about }: Feed, feedUrl: string): PodcastAbout => ({
  ...about,
  // A list of podcasts needs something to show.
  title: about.title === '' ? new URL(feedUrl).hostname : about.title,
});

const recorded = ({ key, enclosure, ...said }: FeedEpisode) => ({
  key,
  about: { ...said, mediaUrl: enclosure.url, mime: enclosure.mime, sizeBytes: enclosure.sizeBytes },
});
type Recorded = ReturnType<typeof recorded>;

/** Cuts a list into commands of bounded size. */
const batchesOf = function* (episodes: readonly Recorded[]): Generator<readonly Recorded[]> {
  let batch: Recorded[] = [];
  let bytes = 0;
  for (const episode of episodes) {
    const size = Buffer.byteLength(JSON.stringify(episode));
    if (batch.length > 0 && (bytes + size > MAX_BATCH_BYTES || batch.length >= MAX_PODCAST_EPISODES_PER_COMMAND)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(episode);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
};

type Usable = Exclude<FeedVisit, { outcome: 'refused' }>;

/** Subscribes to feeds and visits them again. */
export class PodcastVisits {
  constructor(private readonly deps: PodcastVisitDependencies) {}

  /**
   * Reads a feed and makes a podcast of it.
   * @throws Rejection `podcast.feed-unusable`, `podcast.feed-taken`, `podcast.wrong-catalog`
   */
  async subscribe(
    wanted: { readonly catalogId: CatalogId; readonly feedUrl: string },
    context: MessageContext,
  ): Promise<FeedVisitResult<{ podcastId: PodcastId }>> {
    if (!(await this.deps.reads.gathersPodcasts(wanted.catalogId))) throw new Rejection('podcast.wrong-catalog');
    const visit = await this.#fetch(wanted.feedUrl, noMemory);
    if (visit.outcome !== 'read') throw new Rejection('podcast.feed-unusable', 'the server answered that nothing is new');
    const about = aboutOf(visit.feed, wanted.feedUrl);
    const made = await this.deps.commands.send(createPodcast, { ...wanted, about }, context, {
      // A repeated command finds the podcast that the first one created.
      commandId: `${context.causationId}-create`,
    });
    const { podcastId } = made.result;
    const { positions } = await this.#record(podcastId, visit, context);
    const pictured = await this.#keepPicture(podcastId, visit.feed.imageUrl, context);
    await this.deps.afterVisit?.(podcastId, positions, context);
    return { result: { podcastId }, positions: [...made.positions, ...positions, ...pictured] };
  }

  /**
   * Reads the feed of a podcast again.
   * @throws Rejection `podcast.feed-unusable`, `podcast.not-found`
   */
  async sync(podcastId: PodcastId, context: MessageContext): Promise<FeedVisitResult<EpisodeCounts>> {
    const known = await this.deps.reads.podcast(podcastId);
    if (!known) throw new Rejection('podcast.not-found', undefined, String(podcastId));
    const visit = await this.#fetchKnown(podcastId, known, context);
    const visited =
      visit.outcome === 'read' ? await this.#record(podcastId, visit, context, known.feedUrl) : await this.#unchanged(podcastId, context);
    // One that was away the last time may be there now, although the feed says nothing new.
    const pictured = await this.#keepPicture(podcastId, visit.outcome === 'read' ? visit.feed.imageUrl : known.imageUrl, context);
    await this.deps.afterVisit?.(podcastId, visited.positions, context);
    return { ...visited, positions: [...visited.positions, ...pictured] };
  }

  async #keepPicture(...which: Parameters<NonNullable<PodcastVisitDependencies['keepPicture']>>): Promise<readonly LogPosition[]> {
    return (await this.deps.keepPicture?.(...which)) ?? [];
  }

  async #unchanged(podcastId: PodcastId, context: MessageContext): Promise<FeedVisitResult<EpisodeCounts>> {
    const { positions } = await this.deps.commands.send(recordPodcastVisit, { podcastId, about: null, memory: null }, context);
    return { result: { added: 0, changed: 0 }, positions };
  }

  /** The episodes first: should this end in between, the feed counts as not visited. The oldest gets the lowest number. */
  async #record(
    podcastId: PodcastId,
    { feed, memory }: Extract<FeedVisit, { outcome: 'read' }>,
    context: MessageContext,
    feedUrl?: string,
  ): Promise<FeedVisitResult<EpisodeCounts>> {
    const outcomes: CommandOutcome<EpisodeCounts>[] = [];
    for (const episodes of batchesOf(feed.episodes.toReversed().map(recorded)))
      outcomes.push(await this.deps.commands.send(recordEpisodes, { podcastId, episodes: [...episodes] }, context));
    const about = feedUrl === undefined ? null : aboutOf(feed, feedUrl);
    const visited = await this.deps.commands.send(recordPodcastVisit, { podcastId, about, memory }, context);
    const sum = (field: keyof EpisodeCounts): number => outcomes.reduce((total, { result }) => total + result[field], 0);
    return {
      result: { added: sum('added'), changed: sum('changed') },
      positions: [...outcomes.flatMap((one) => one.positions), ...visited.positions],
    };
  }

  /** A feed that cannot be read says so where the podcast is shown, until it can. @throws Rejection `podcast.feed-unusable` that says why */
  async #fetchKnown(podcastId: PodcastId, { feedUrl, memory }: PodcastVisitState, context: MessageContext): Promise<Usable> {
    try {
      return await this.#fetch(feedUrl, memory);
    } catch (error) {
      if (error instanceof Rejection && error.code === 'podcast.feed-unusable')
        await this.deps.commands.send(recordPodcastFault, { podcastId, reason: error.message.slice(0, MAX_FEED_FAULT) }, context);
      throw error;
    }
  }

  /** @throws Rejection `podcast.feed-unusable` that says why */
  async #fetch(url: string, memory: FeedMemory): Promise<Usable> {
    const { outbound, limits, now } = this.deps;
    try {
      const visit = await fetchFeed(outbound, url, memory, { ...limits, nowMs: now() });
      if (visit.outcome === 'refused') throw new Rejection('podcast.feed-unusable', `the server of the feed answered ${visit.status}`);
      return visit;
    } catch (error) {
      if (error instanceof OutboundError || error instanceof FeedFault)
        throw new Rejection('podcast.feed-unusable', error.message, undefined, { cause: error });
      throw error;
    }
  }
}
