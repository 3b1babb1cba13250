import {
  checkedOutboundClient,
  checkpointReader,
  NatsProjectionWatch,
  type ServiceDefinition,
  type ServiceDependencies,
  type ServiceHooks,
  SERVICE_DEPENDENCIES,
  openDatabase,
  sha256Hex,
} from '@continuo/chassis';
import type { ReadModel } from '@continuo/contracts';
import { Inject, Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Kysely } from 'kysely';
import { openArtStore, openCatalogMedia } from '@continuo/media-store';
import { accountPageSurface } from './apis/account-page/account-page.surface.js';
import { createAuth } from './auth/create-auth.js';
import { compatSurface } from './apis/compat/compat.surface.js';
import { gatewayConfig, type GatewayConfig } from './server/config.js';
import { CommandPluginDirectory } from './features/external-metadata/plugin-directory.js';
import { ConcurrencyLimiter } from './server/concurrency-limiter.js';
import { createEventHub } from './apis/events/create-event-hub.js';
import { jetStreamEventLogs } from './apis/events/event-logs.adapter.js';
import { eventsSurface } from './apis/events/events.surface.js';
import { countRequests } from './server/requests/request-metrics.js';
import { closeKeepAliveWhileDraining } from './server/close-keep-alive-while-draining.js';
import { ReadModelReadiness } from './server/read-model-readiness.js';
import { createServer } from './server/server.js';
import type { HasIdempotency } from './apis/manage/idempotency/idempotency.js';
import type { HasLongWork } from './features/operations/long-work.js';
import type { HasOperations } from './features/operations/operations.js';
import { BackupSchedule } from './features/backups/backup-schedule.js';
import { JetStreamLoadHistory, type LoadHistoryOptions } from './features/load/load-history.adapter.js';
import type { HasLoadHistory } from './features/load/load-history.js';
import { jetStreamLongWork } from './features/operations/long-work.adapter.js';
import { connectedOperations } from './features/operations/operations.adapter.js';
import { icyStationTitles, noStationTitles } from './features/live-stream/station-titles.js';
import { cacheLookups, slotGauges } from './server/gateway-metrics.js';
import { followPictures, type ArtIdentities } from './features/media/art-identities.js';
import { ArtImages } from './features/media/art-images.js';
import { avatarMaker, type AvatarMaker } from './features/media/avatars.js';
import { PlayCounter } from './features/media/play-counter.js';
import { playSurface } from './apis/media/play.surface.js';
import { hlsSurface } from './apis/hls/hls.surface.js';
import { jetStreamIdempotency } from './apis/manage/idempotency/idempotency.adapter.js';
import { manageSurface } from './apis/manage/manage.surface.js';
import { nativeSurface } from './apis/native/native.surface.js';
import { jetStreamPlaying } from './features/playback/index.js';
import { followPreferences, preferenceDefaults, Preferences, readModelPreferences } from './preferences/index.js';
import { listDefinitions } from './kinds/index.js';
import { BOUNDED_AT_ONCE, createLists } from './reads/lists/lists.js';
import { createRankings } from './reads/plays/rankings.js';
import { confirmationSurface } from './apis/account-page/confirmation.surface.js';
import { readsElsewhere, replicaSide, sameSide, type ReadSide } from './reads/database/read-side-index.js';
import { checkpointVersion, createSearches, searchLimits } from './search/index.js';
import { ShareAccess } from './features/share/share-access.js';
import { shareSurface } from './apis/share-page/share.surface.js';
import { createSmartlists, seenByAccounts } from './features/smartlists/index.js';
import { CommandSounds } from './features/sonic/command-sounds.adapter.js';
import { workerTranscodes } from './transcode/worker-transcodes.adapter.js';
import { createWordSearch } from './search/words/create-word-search.js';
import { openApiSurface } from './apis/openapi/openapi.surface.js';
import { webPageSurface } from './apis/web-page/web-page.surface.js';
import { statusSurface, type ReadinessChecks } from './apis/status.surface.js';
import type { HasEvents } from './apis/events/event-hub.js';
import type { HasArchiveSlots, HasListSlots, HasMetrics, HasTracer, HasUploadSlots, HasVersions } from './server/needs.js';

/** Opens the picture store for what resizes pictures, and for what keeps those of accounts. */
const openPictures = async (
  { config, nats }: ServiceDependencies<GatewayConfig>,
  identities: ArtIdentities,
  onLookup: (outcome: 'hit' | 'miss') => void,
): Promise<{ art: ArtImages; avatars: AvatarMaker; close: () => Promise<void> }> => {
  const limits = {
    maxSidePx: config.ART_MAX_SIDE_PX,
    maxInputPixels: config.ART_MAX_INPUT_PIXELS,
    maxInputBytes: config.ART_MAX_INPUT_BYTES,
    cacheBytes: config.ART_CACHE_BYTES,
    workers: config.ART_WORKERS,
    queue: config.ART_QUEUE,
  };
  const store = await openArtStore(config, { nats, replicas: config.NATS_REPLICAS });
  return {
    art: new ArtImages(store, limits, onLookup, identities),
    avatars: avatarMaker(store, config.ART_MAX_INPUT_PIXELS),
    close: () => store.close(),
  };
};

/** Returns a handler that logs failures of background refreshes, whose callers have been answered already. */
const logFailure =
  (log: ServiceDependencies<GatewayConfig>['log'], what: string): ((err: unknown) => void) =>
  (err) =>
    log.warn({ err }, `${what} failed to refresh; the old one is shown`);

/** Opens the read model, read-only. */
const openReads = ({ config, log, metrics }: ServiceDependencies<GatewayConfig>): Kysely<ReadModel> =>
  openDatabase<ReadModel>({
    url: config.DATABASE_READ_URL ?? config.DATABASE_URL,
    // Statements whose cost a client has chosen take seconds; with connections for them, short statements never wait for one behind them.
    poolSize: config.DATABASE_POOL_SIZE + config.SEARCH_PLACES + BOUNDED_AT_ONCE,
    statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    applicationName: 'continuo-gateway-reads',
    pools: metrics.pools,
    readOnly: true,
    log,
  });

/** Creates the read side: the primary database, or a replica. */
const readSideOf = ({ config, db: written }: ServiceDependencies<GatewayConfig>, db: Kysely<ReadModel>): ReadSide => {
  if (!readsElsewhere(config)) return sameSide(checkpointReader(written));
  return replicaSide(checkpointReader(written), checkpointReader(db as unknown as Kysely<unknown>));
};

/** Creates the limiters of costly work. */
export const concurrencyLimiters = (config: GatewayConfig): HasListSlots & HasArchiveSlots & HasUploadSlots => ({
  listSlots: new ConcurrencyLimiter(config.LIST_STREAMS, config.LIST_QUEUE, Math.ceil(config.LIST_STREAMS / 2)),
  archiveSlots: new ConcurrencyLimiter(config.ZIP_STREAMS, 0),
  uploadSlots: new ConcurrencyLimiter(config.UPLOADS_AT_ONCE, 0),
});

/** Creates the limiters of costly work, with their gauges and that of the picture resizer. */
const boundedWork = (
  { config, metrics }: ServiceDependencies<GatewayConfig>,
  { art, avatars }: { readonly art: ArtImages; readonly avatars: AvatarMaker },
) => {
  const limiters = concurrencyLimiters(config);
  slotGauges(metrics, { lists: limiters.listSlots, archives: limiters.archiveSlots, uploads: limiters.uploadSlots, art: art.limiter });
  return { ...limiters, art, avatars };
};

const eventHub = (
  { log, config, secrets, metrics, nats, eventStore }: ServiceDependencies<GatewayConfig>,
  own: Pick<ServerServices, 'auth' | 'preferences' | 'db' | 'watch'>,
): ServerServices['events'] => createEventHub({ ...own, log, config, secrets, metrics }, { logs: jetStreamEventLogs(nats), eventStore });

/** Creates what the management API alone uses. */
const managing = (
  deps: ServiceDependencies<GatewayConfig>,
  own: Pick<LoadHistoryOptions, 'playing' | 'reads'>,
): HasOperations & HasLongWork & HasLoadHistory & HasIdempotency & HasVersions => {
  const { commands, config, db: checkpoints, eventStore, log, metrics, nats, now, sealer } = deps;
  const shared = { nats, log, now, replicas: config.NATS_REPLICAS };
  return {
    operations: connectedOperations(deps),
    longWork: jetStreamLongWork({ ...shared, commands }),
    loadHistory: new JetStreamLoadHistory({ ...shared, ...own, metrics, checkpoints, port: config.PORT }),
    idempotency: jetStreamIdempotency({ ...shared, sealer }),
    versions: eventStore,
  };
};

/** Opens the dependencies of the surfaces, and returns how to close them. */
const openServices = async (
  deps: ServiceDependencies<GatewayConfig>,
): Promise<{ services: ServerServices; readSide: ReadSide; close: () => Promise<void> }> => {
  const { config, log, metrics, commands, sealer, secrets, now, nats } = deps;
  const db = openReads(deps);
  const readSide = readSideOf(deps, db);
  const watch = new NatsProjectionWatch(nats, readSide.readCheckpoints, log, { isReplica: readSide.isBehind });
  const auth = await createAuth({ nats, db, readSide, sealer, secrets, log, now, config, metrics });
  const outbound = checkedOutboundClient({ allowed: config.OUTBOUND_ALLOWED_NETWORKS, counted: { metrics, purpose: 'stations' } });
  const playing = await jetStreamPlaying({ nats, log, now, replicas: config.NATS_REPLICAS });
  const preferences = new Preferences({ source: readModelPreferences(db, readSide), log, now, defaults: preferenceDefaults(config) });
  const unfollowPreferences = followPreferences(nats, preferences);
  const seenBy = seenByAccounts(auth);
  const asking = { seenBy, dataVersion: checkpointVersion(readSide.readCheckpoints), onFailure: logFailure(log, 'a search') };
  const searches = createSearches(db, searchLimits(config), now, asking);
  const transcodes = workerTranscodes(nats, log);
  const media = openCatalogMedia({ db, sealer, secrets, metrics, config });
  const lookedUp = cacheLookups(metrics);
  const followed = followPictures(nats, readSide, now);
  const pictures = await openPictures(deps, followed.identities, lookedUp('art'));
  const services: ServerServices = {
    config,
    log,
    metrics,
    tracer: deps.tracer,
    auth,
    events: eventHub(deps, { auth, preferences, db, watch }),
    db,
    lists: createLists(db, listDefinitions, config.LIST_CACHE_BYTES, { onFailure: logFailure(log, 'a list'), onLookup: lookedUp('lists') }),
    rankings: createRankings(db, config.LIST_CACHE_BYTES / 4, { onFailure: logFailure(log, 'a ranking'), onLookup: lookedUp('rankings') }),
    searches,
    smartlists: createSmartlists({ db, searches, seenBy, commands, log, now }),
    wordSearch: createWordSearch({ db, config, metrics, log }),
    ...boundedWork(deps, pictures),
    commands,
    watch: followed.watchedBy(watch),
    mediaStore: media.store,
    catalogStorage: media.storage,
    transcodes,
    sonic: new CommandSounds(commands, log),
    playing,
    stationTitles: config.LIVE_STREAM_TITLES ? icyStationTitles(outbound, log) : noStationTitles,
    plugins: new CommandPluginDirectory({ commands, now, log }),
    plays: new PlayCounter({ commands, now, config, playing }),
    ...managing(deps, { playing, reads: db }),
    preferences,
    sealer,
    secrets,
    now,
  };
  const close = async (): Promise<void> => {
    unfollowPreferences();
    followed.unfollow();
    transcodes.close();
    await Promise.all([auth.close(), playing.close(), outbound.close(), media.close(), pictures.close()]);
    await watch.stop();
    await db.destroy();
  };
  return { services, readSide, close };
};

type Given<F> = F extends (services: infer S, ...rest: never) => unknown ? S : never;
/** Services of all surfaces together, and of the server around them. */
export type ServerServices = Given<typeof statusSurface> &
  Given<typeof playSurface> &
  Given<typeof shareSurface> &
  Given<typeof confirmationSurface> &
  Given<typeof eventsSurface> &
  Given<typeof accountPageSurface> &
  Given<typeof nativeSurface> &
  Given<typeof compatSurface> &
  Given<typeof hlsSurface> &
  Given<typeof manageSurface> &
  ConstructorParameters<typeof ShareAccess>[0] &
  HasEvents &
  HasMetrics &
  HasTracer;

/** Builds the web server with all surfaces, without listening yet. `onRoute` is called for each route. */
export const buildServer = async (
  services: ServerServices,
  checks: ReadinessChecks,
  onRoute: (route: RouteOptions) => void = () => undefined,
): Promise<FastifyInstance> => {
  const { config, log } = services;
  const app = createServer({
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    bodyLimitBytes: config.HTTP_BODY_LIMIT_BYTES,
    requestTimeoutMs: config.HTTP_REQUEST_TIMEOUT_MS,
  });
  app.addHook('onRoute', onRoute);
  closeKeepAliveWhileDraining(app, checks.draining);
  countRequests(app, {
    metrics: services.metrics,
    tracer: services.tracer,
    isTrusted: (peerAddress) => services.auth.web.isFromProxy({ peerAddress }),
  });
  const shares = new ShareAccess(services);
  for (const surface of [
    statusSurface(services, checks),
    webPageSurface(services),
    playSurface(services, shares),
    shareSurface(services, shares),
    confirmationSurface(services),
    eventsSurface(services, services.events),
    accountPageSurface(services),
    nativeSurface(services),
    compatSurface(services),
    hlsSurface(services),
    manageSurface(services),
    openApiSurface,
  ])
    await surface(app);
  return app;
};

/** Waits for open answers, and closes connections after the drain time: clients reconnect to another gateway. */
const drain = async (app: FastifyInstance, timeoutMs: number): Promise<void> => {
  const cut = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
};

/** Answers true to the first gateway that asks for a turn of a schedule. */
const firstOfTurn =
  ({ idempotency }: HasIdempotency) =>
  async (turn: string): Promise<boolean> => {
    const claim = await idempotency.claim(sha256Hex(turn), turn);
    if (claim.kind !== 'new') return false;
    await claim.finish({ status: 204, headers: {}, body: '' });
    return true;
  };

/** Serves the APIs while the service runs. */
class ApiServer implements OnApplicationBootstrap, BeforeApplicationShutdown, Omit<ServiceHooks, 'jobOptions'> {
  #readModel: ReadModelReadiness | undefined;
  #isDraining = false;
  readonly #closing: (() => Promise<unknown>)[] = [];

  constructor(@Inject(SERVICE_DEPENDENCIES) private readonly deps: ServiceDependencies<GatewayConfig>) {}

  async onApplicationBootstrap(): Promise<void> {
    const { config, log, nats } = this.deps;
    const { services, readSide, close } = await openServices(this.deps);
    this.#closing.push(close, async () => services.plays.close());
    // Ready are the tables that are read, be they a replica's.
    const tables = readSide.isBehind ? (services.db as unknown as Kysely<unknown>) : this.deps.db;
    const backups = new BackupSchedule(services, firstOfTurn(services));
    const readModel = new ReadModelReadiness(tables, log, async () => {
      await services.loadHistory.recordWhenDue();
      await backups.look();
    });
    this.#readModel = readModel;
    this.#closing.push(() => readModel.stop());
    await readModel.look();
    const app = await buildServer(services, {
      nats: () => !nats.isClosed(),
      draining: () => this.#isDraining,
      readModel: () => readModel.state,
    });
    this.#closing.push(() => drain(app, config.DRAIN_TIMEOUT_MS));
    const address = await app.listen({ port: config.PORT, host: config.HOST });
    log.info({ address }, 'the APIs are open');
  }

  readinessParts(): Readonly<Record<string, string>> {
    return this.#readModel ? { readModel: this.#readModel.state } : {};
  }

  isReady(): boolean {
    return this.#readModel?.state === 'ok';
  }

  onDrain(): void {
    this.#isDraining = true;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#isDraining = true;
    for (const close of this.#closing.toReversed()) await close();
  }
}

@Module({ providers: [ApiServer] })
class GatewayModule {}

/** The gateway: all HTTP surfaces over the read model of the other services. Owns nothing durable. */
export const gatewayService: ServiceDefinition<GatewayConfig> = {
  name: 'gateway',
  config: gatewayConfig,
  contexts: [],
  readsWithoutNats: true,
  module: GatewayModule,
};
