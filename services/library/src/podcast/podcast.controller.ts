import {
  decision,
  done,
  HandlesCommand,
  positionsOf,
  AGGREGATES,
  type AggregateRunner,
  type Decision,
  type DecisionOutcome,
  type Handled,
  type CommandOf,
  type AnswerTo,
} from '@continuo/chassis';
import {
  beginEpisodeDownload,
  createPodcast,
  deletePodcast,
  deletePodcastEpisode,
  editPodcast,
  failEpisodeDownload,
  recordEpisodeFile,
  recordEpisodes,
  recordPodcastFault,
  recordPodcastVisit,
  removeEpisodeFiles,
  Rejection,
  requestEpisodeDownloads,
  type CommandMessage,
  type DomainEvent,
  type EventOf,
  type PodcastEpisodeId,
  type PodcastEvent,
  type podcastFeedReserved,
  type PodcastId,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { CatalogueReadiness } from '../identity/catalogue-readiness.js';
import { IdentityRegistry } from '../identity/identity-registry.js';
import { standingOf } from './podcast-downloads.js';
import { podcastFeedAggregate } from './podcast-feed.decider.js';
import { podcastFeedKey, shortKey } from './podcast-keys.js';
import { podcastAggregate, type PodcastCommand, type PodcastState } from './podcast.decider.js';

/** Answers the commands about podcasts. */
@Controller()
export class PodcastController {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRunner,
    @Inject(IdentityRegistry) private readonly registry: IdentityRegistry,
    @Inject(CatalogueReadiness) private readonly readiness: CatalogueReadiness,
  ) {}

  /** Makes a podcast, whose feed no other of its catalog has. */
  @HandlesCommand(createPodcast)
  async create(message: CommandOf<typeof createPodcast>): AnswerTo<typeof createPodcast> {
    await this.readiness.ready();
    const { catalogId, feedUrl, about } = message.data;
    const [fresh] = await this.registry.freshIds('podcast', 1);
    const podcastId = fresh as PodcastId;
    const outcome = await this.#run(message, [
      decision(podcastFeedAggregate, podcastFeedKey(catalogId, feedUrl), { type: 'reserve', podcastId, catalogId, feedUrl }),
      of({ type: 'create', podcastId, catalogId, feedUrl, about }),
    ]);
    // A repeated command finds what its first delivery did: the id given then counts, the fresh one is lost.
    const reserved = outcome.events[0]?.find(isReservation);
    return { result: { podcastId: reserved?.data.podcastId ?? podcastId }, positions: positionsOf(outcome) };
  }

  /** Changes what is said of it; another feed is reserved and the former one given back in the same append. */
  @HandlesCommand(editPodcast)
  async edit(message: CommandOf<typeof editPodcast>): AnswerTo<typeof editPodcast> {
    const { podcastId, feedUrl, about } = message.data;
    const { state } = await this.#load(podcastId);
    const moved = feedUrl === undefined || feedUrl === state.feedUrl ? [] : feedDecisions(podcastId, state, feedUrl);
    const outcome = await this.#run(message, [of({ type: 'edit', podcastId, feedUrl, about }), ...moved]);
    return done(outcome);
  }

  /** Adds and changes episodes. */
  @HandlesCommand(recordEpisodes)
  async record(message: CommandOf<typeof recordEpisodes>): AnswerTo<typeof recordEpisodes> {
    await this.readiness.ready();
    const { podcastId, episodes } = message.data;
    const { state } = await this.#load(podcastId);
    const unknown = episodes.filter(({ key }) => state.episodes[shortKey(key)] === undefined).length;
    const freshIds = (await this.registry.freshIds('podcast_episode', unknown)) as PodcastEpisodeId[];
    const outcome = await this.#run(message, [of({ type: 'record', podcastId, episodes, freshIds })]);
    const events = outcome.events[0] ?? [];
    return {
      result: { added: countOf(events, 'PodcastEpisodesAdded'), changed: countOf(events, 'PodcastEpisodesChanged') },
      positions: positionsOf(outcome),
    };
  }

  /** Notes a visit to the feed. */
  @HandlesCommand(recordPodcastVisit)
  visit(message: CommandOf<typeof recordPodcastVisit>): AnswerTo<typeof recordPodcastVisit> {
    return done(this.#run(message, [of({ type: 'visit', ...message.data })]));
  }

  /** Notes that the feed cannot be read. */
  @HandlesCommand(recordPodcastFault)
  failVisit(message: CommandOf<typeof recordPodcastFault>): AnswerTo<typeof recordPodcastFault> {
    return done(this.#run(message, [of({ type: 'fail-visit', ...message.data })]));
  }

  /** Removes a podcast and gives its feed back. */
  @HandlesCommand(deletePodcast)
  async delete(message: CommandOf<typeof deletePodcast>): AnswerTo<typeof deletePodcast> {
    const { podcastId } = message.data;
    const { state } = await this.#load(podcastId);
    return done(this.#run(message, [of({ type: 'delete', podcastId }), ...feedDecisions(podcastId, state)]));
  }

  /** Removes an episode for good. */
  @HandlesCommand(deletePodcastEpisode)
  deleteEpisode(message: CommandOf<typeof deletePodcastEpisode>): AnswerTo<typeof deletePodcastEpisode> {
    return done(this.#run(message, [of({ type: 'delete-episode', ...message.data })]));
  }

  /** Has files of episodes fetched: the ingestion follows these events. */
  @HandlesCommand(requestEpisodeDownloads)
  async request(message: CommandOf<typeof requestEpisodeDownloads>): AnswerTo<typeof requestEpisodeDownloads> {
    const outcome = await this.#run(message, [of({ type: 'request-files', ...message.data })]);
    const requested = sumOf(outcome, (event) => (event.type === 'PodcastDownloadsRequested' ? event.data.downloads.length : 0));
    return { result: { requested }, positions: positionsOf(outcome) };
  }

  /** Gives up files of episodes. */
  @HandlesCommand(removeEpisodeFiles)
  async removeFiles(message: CommandOf<typeof removeEpisodeFiles>): AnswerTo<typeof removeEpisodeFiles> {
    const outcome = await this.#run(message, [of({ type: 'remove-files', ...message.data })]);
    const removed = sumOf(outcome, (event) => (event.type === 'PodcastFilesRemoved' ? event.data.files.length : 0));
    return { result: { removed }, positions: positionsOf(outcome) };
  }

  /** Notes that a worker fetches a file. */
  @HandlesCommand(beginEpisodeDownload)
  async begin(message: CommandOf<typeof beginEpisodeDownload>): AnswerTo<typeof beginEpisodeDownload> {
    const { standing, positions } = await this.#toldByWorker(message, { type: 'begin-download', ...message.data });
    return { result: { isWanted: standing === 'under-way', isKept: standing === 'kept' }, positions };
  }

  /** Notes that a file is here. */
  @HandlesCommand(recordEpisodeFile)
  async recordFile(message: CommandOf<typeof recordEpisodeFile>): AnswerTo<typeof recordEpisodeFile> {
    const { standing, positions } = await this.#toldByWorker(message, { type: 'record-file', ...message.data });
    return { result: { isWanted: standing !== 'unwanted' }, positions };
  }

  /** Notes that a file cannot be had. */
  @HandlesCommand(failEpisodeDownload)
  async fail(message: CommandOf<typeof failEpisodeDownload>): AnswerTo<typeof failEpisodeDownload> {
    const { standing, positions } = await this.#toldByWorker(message, { type: 'fail-download', ...message.data });
    return { result: { isWanted: standing !== 'unwanted' }, positions };
  }

  /** A podcast that is gone wants nothing. */
  async #toldByWorker(
    message: CommandMessage,
    command: WorkerWord,
  ): Promise<{ standing: ReturnType<typeof standingOf>; positions: Handled<unknown>['positions'] }> {
    try {
      const outcome = await this.#run(message, [of(command)]);
      const { state } = await this.#load(command.podcastId);
      return { standing: standingOf(state.files, command), positions: positionsOf(outcome) };
    } catch (error) {
      if (error instanceof Rejection && error.code === 'podcast.not-found') return { standing: 'unwanted', positions: [] };
      throw error;
    }
  }

  #load(podcastId: PodcastId): Promise<{ readonly state: PodcastState }> {
    return this.aggregates.load(podcastAggregate, podcastId);
  }

  #run(message: CommandMessage, decisions: readonly Decision[]): Promise<DecisionOutcome> {
    return this.aggregates.run(decisions, { ...message, commandId: message.id });
  }
}

type WorkerWord = Extract<PodcastCommand, { type: 'begin-download' | 'record-file' | 'fail-download' }>;

const of = (command: PodcastCommand): Decision => decision(podcastAggregate, command.podcastId, command);

/** The address that a podcast holds is given back, and another one taken. */
const feedDecisions = (podcastId: PodcastId, { catalogId, feedUrl: former }: PodcastState, next?: string): Decision[] => {
  if (catalogId === null) return [];
  const one = (type: 'reserve' | 'release', feedUrl: string): Decision =>
    decision(podcastFeedAggregate, podcastFeedKey(catalogId, feedUrl), { type, podcastId, catalogId, feedUrl });
  return [one('release', former), ...(next === undefined ? [] : [one('reserve', next)])];
};

const sumOf = ({ events }: DecisionOutcome, countOfEvent: (event: PodcastEvent) => number): number =>
  (events[0] ?? []).reduce((sum, event) => sum + countOfEvent(event as PodcastEvent), 0);

const isReservation = (event: DomainEvent): event is EventOf<typeof podcastFeedReserved> => event.type === 'PodcastFeedReserved';

const countOf = (events: readonly DomainEvent[], type: string): number =>
  events.filter((event) => event.type === type).reduce((sum, { data }) => sum + (data as { episodes: unknown[] }).episodes.length, 0);
