import {
  SERVICE_DEPENDENCIES,
  deadLetterEvent,
  checkedOutboundClient,
  decision,
  EventReactor,
  productVersion,
  reactorDependencies,
  type AggregateRunner,
  type OutboundClient,
  type ServiceDependencies,
  type UserKeys,
} from '@continuo/chassis';
import {
  relayServices,
  songPlayed,
  userId,
  type ReadModel,
  type RecordedEvent,
  type RelayLinkTable,
  type RelayService,
} from '@continuo/contracts';
import { jetstream } from '@nats-io/jetstream';
import { Inject, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { PlaybackConfig } from '../config.js';
import { Lastfm } from './lastfm/lastfm.adapter.js';
import type { RelayTarget, Scrobbler } from './listen.js';
import { ListenBrainz, type AdapterOptions } from './listenbrainz/listenbrainz.adapter.js';
import { PluginScrobbler } from './plugin/plugin-scrobbler.adapter.js';
import { RelayPlugins } from './plugin/relay-plugins.js';
import { relayMetrics } from './relay-metrics.js';
import { relaySettings, type RelaySettings } from './relay-settings.js';
import { relayLinks } from './relay.decider.js';
import { jetStreamRelayCursors, type RelayCursors } from './sending/relay-cursors.js';
import { postgresRelayOpinions, type RelayOpinions } from './sending/relay-opinions.js';
import { PostgresRelayJournal, type LinkKey, type RelayJournal } from './sending/relay-journal.js';
import { retryLinkNow, RelaySupervisor, wakeLink } from './sending/relay-supervisor.js';
import type { RelayTurnDependencies } from './sending/relay-turn.js';
import { relayedSongsInView } from './sending/relayed-songs.js';

type Dependencies = ServiceDependencies<PlaybackConfig>;

/** Dependencies of the handlers of the scrobble relay. */
export interface RelayDependencies {
  readonly aggregates: AggregateRunner;
  readonly keys: UserKeys;
  readonly settings: RelaySettings;
  readonly listenBrainz: ListenBrainz;
  /** Undefined where the operator has no key. */
  readonly lastfm: Lastfm | undefined;
  readonly pluginScrobbler: PluginScrobbler;
  readonly plugins: RelayPlugins;
  readonly journal: RelayJournal;
  readonly cursors: RelayCursors;
  readonly opinions: RelayOpinions;
  /** Wakes the link: there is something to send. */
  readonly wake: (link: LinkKey) => void;
  /** Lets a link have its turn at once. */
  readonly hurry: (link: LinkKey) => Promise<void>;
  readonly db: Kysely<ReadModel>;
  /** Position of the end of the log of plays. */
  readonly endOfPlays: () => Promise<number>;
  readonly hasAccount: (userId: number) => Promise<boolean>;
}

/** A replica that holds a link for so many request times without a word is gone. */
const LEASE_TIMEOUTS = 2;
const MOST_PAUSE_MS = 3_600_000;
const CONCURRENCY = 8;
const ACK_WAIT_MS = 10_000;

const reactorOf = (service: RelayService): string => `relay-${service}`;

/** Opens what proves an account at a service, with the account's key. */
const targetOpener =
  (keys: UserKeys, settings: RelaySettings, log: Dependencies['log']): RelayTurnDependencies['targetOf'] =>
  async (link: RelayLinkTable): Promise<RelayTarget | undefined> => {
    const key = await keys.find(userId.parse(link.user_id));
    if (key.state !== 'present') return undefined;
    try {
      const own = link.sealed_address === null ? undefined : key.sealer.open(link.sealed_address);
      const usual = { lastfm: settings.lastfm?.url, listenbrainz: settings.listenBrainzUrl, plugin: link.host }[link.service];
      const baseUrl = own ?? usual;
      return baseUrl === undefined ? undefined : { baseUrl, credential: key.sealer.open(link.sealed_credential) };
    } catch (err) {
      log.error({ err, userId: link.user_id, service: link.service }, 'failed to decrypt the credentials of a scrobble link');
      return undefined;
    }
  };

const refuser =
  ({ aggregates, now }: Dependencies): RelayTurnDependencies['refuse'] =>
  async ({ user_id, service, linked_at_ms }) => {
    const id = userId.parse(user_id);
    const correlationId = randomUUID();
    const command = { type: 'refuse', userId: id, service, linkedAtMs: linked_at_ms } as const;
    await aggregates.run([decision(relayLinks, id, command)], { actor: 'playback', correlationId, causationId: correlationId, at: now() });
  };

interface Parts {
  readonly tools: RelayDependencies;
  readonly turns: Omit<RelayTurnDependencies, 'metrics'>;
  readonly outbound: OutboundClient;
}

const partsOf = (deps: Dependencies): Parts => {
  const { config, nats, log, now, aggregates, eventStore } = deps;
  const settings = relaySettings(config);
  const outbound = checkedOutboundClient({
    allowed: config.OUTBOUND_ALLOWED_NETWORKS,
    counted: { metrics: deps.metrics, purpose: 'relay' },
  });
  const adapter: AdapterOptions = { outbound, timeoutMs: config.RELAY_TIMEOUT_MS, version: productVersion, now };
  const listenBrainz = new ListenBrainz(adapter);
  const lastfm = settings.lastfm && new Lastfm(adapter, settings.lastfm.keys);
  const plugins = new RelayPlugins(deps, outbound);
  const pluginScrobbler = new PluginScrobbler({ plugins: () => plugins.host(), timeoutMs: config.RELAY_TIMEOUT_MS });
  const keys = deps.userKeys;
  const journal = new PostgresRelayJournal(deps.db);
  const cursors = jetStreamRelayCursors({ nats, replicas: config.NATS_REPLICAS });
  const opinions = postgresRelayOpinions(deps.db);
  const db = deps.db as Kysely<ReadModel>;
  const scrobblers: Partial<Record<RelayService, Scrobbler>> = {
    listenbrainz: listenBrainz,
    ...(lastfm ? { lastfm } : {}),
    plugin: pluginScrobbler,
  };
  return {
    outbound,
    tools: {
      aggregates,
      keys,
      settings,
      listenBrainz,
      lastfm,
      pluginScrobbler,
      plugins,
      journal,
      cursors,
      opinions,
      wake: (link) => wakeLink(nats, link),
      hurry: (link) => retryLinkNow(nats, journal, link),
      db,
      endOfPlays: () => eventStore.lastPosition('playback'),
      hasAccount: async (id) => (await db.selectFrom('social.user').select('id').where('id', '=', id).executeTakeFirst()) !== undefined,
    },
    turns: {
      journal,
      cursors,
      opinions,
      playsAfter: (id, position) => eventStore.read('playback', 'plays', id, position),
      songs: relayedSongsInView(deps.db),
      scrobblers,
      targetOf: targetOpener(keys, settings, log),
      refuse: refuser(deps),
      bury: ({ service }, { event }, death) =>
        deadLetterEvent(jetstream(nats), { event, service: 'playback', reactor: reactorOf(service), ...death }),
      limits: { firstMs: config.RELAY_FIRST_RETRY_MS, mostMs: MOST_PAUSE_MS, maxAttempts: config.RELAY_ATTEMPTS },
      leaseMs: LEASE_TIMEOUTS * config.RELAY_TIMEOUT_MS,
      log,
      now,
    },
  };
};

/** Takes back what an operator replays out of the dead letters; its reactors hear of nothing else, since the log of plays has no such types under links. */
const replayReactor = (deps: Dependencies, service: RelayService, journal: RelayJournal): EventReactor => {
  const tools = reactorDependencies('playback', deps);
  const options = { aggregates: ['relay'], ackWaitMs: ACK_WAIT_MS } as const;
  return new EventReactor(tools, { context: 'playback', name: reactorOf(service), definitions: [songPlayed], options }, async (payload) => {
    const event = payload as RecordedEvent<ReturnType<typeof songPlayed>>;
    const link = { user_id: event.data.userId, service };
    await journal.addReplay(link, event);
    await retryLinkNow(deps.nats, journal, link);
  });
};

/** The relay of a running service: dependencies of its handlers, and what sends in the background. */
export class Relay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #parts: Parts;
  #reactors: readonly EventReactor[] = [];
  #supervisor: RelaySupervisor | undefined;

  constructor(@Inject(SERVICE_DEPENDENCIES) private readonly deps: Dependencies) {
    this.#parts = partsOf(deps);
  }

  get tools(): RelayDependencies {
    return this.#parts.tools;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { nats, metrics, config } = this.deps;
    const { tools, turns } = this.#parts;
    const supervisor: RelaySupervisor = new RelaySupervisor({
      nats,
      turns: { ...turns, metrics: relayMetrics(metrics, () => supervisor.count()) },
      concurrency: CONCURRENCY,
      drainTimeoutMs: config.DRAIN_TIMEOUT_MS,
    });
    this.#supervisor = supervisor;
    this.#reactors = relayServices.map((service) => replayReactor(this.deps, service, tools.journal));
    await Promise.all(this.#reactors.map((reactor) => reactor.start()));
    if (config.RELAY) supervisor.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.#reactors.map((reactor) => reactor.drain()));
    await this.#supervisor?.stop();
    await this.#parts.tools.plugins.stop();
    await this.#parts.outbound.close();
  }
}
