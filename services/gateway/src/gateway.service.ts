import { join } from 'node:path';
import {
  checkedOutboundClient,
  checkpointReader,
  LocalArtStore,
  NatsProjectionWatch,
  openCatalogMedia,
  type Metrics,
  type RunningService,
  type ServiceDefinition,
  type ServiceDependencies,
  openDatabase,
} from '@continuo/chassis';
import type { ReadModel } from '@continuo/contracts';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Kysely } from 'kysely';
import { accessListSurface } from './access-list/access-list.surface.js';
import { accountPageSurface } from './account-page/account-page.surface.js';
import { createAuth } from './auth/create-auth.js';
import { compatSurface } from './compat/compat.surface.js';
import { gatewayConfig, type GatewayConfig } from './config.js';
import { AskedPluginDirectory } from './facts/plugin-directory.js';
import { Places } from './http/places.js';
import { createEventHub } from './events/create-event-hub.js';
import { jetStreamEventLogs } from './events/event-logs.adapter.js';
import { eventsSurface } from './events/events.surface.js';
import { countRequests } from './http/request-metrics.js';
import { sayGoodbye } from './http/goodbye.js';
import { ReadModelReadiness } from './http/read-model-readiness.js';
import { createServer } from './http/server.js';
import { askedStations, silentStations } from './live-stream/station-titles.js';
import { cacheLookups, placeGauges } from './gateway-metrics.js';
import { ArtImages } from './media/art-images.js';
import { PlayCounter } from './media/play-counter.js';
import { playSurface } from './media/play.surface.js';
import { hlsSurface } from './hls/hls.surface.js';
import { nativeSurface } from './native/native.surface.js';
import { jetStreamPlaying } from './playing/index.js';
import { followPreferences, preferenceDefaults, Preferences, readModelPreferences } from './preferences/index.js';
import { createLists } from './reads/lists.js';
import { createRankings } from './reads/rankings.js';
import { confirmationSurface } from './registration/confirmation.surface.js';
import { readsElsewhere, replicaSide, sameSide, type ReadSide } from './read-replica/index.js';
import { checkpointMarks, createSearches, searchLimits } from './search/index.js';
import type { GatewayServices } from './services.js';
import { ShareDoor } from './share/share-door.js';
import { shareSurface } from './share/share.surface.js';
import { createSmartlists, seenByAccounts } from './smartlists/index.js';
import { CommandSounds } from './sonic/command-sounds.adapter.js';
import { workerTranscodes } from './transcode/worker-transcodes.adapter.js';
import { createWordSearch } from './word-search/create-word-search.js';
import { statusSurface, type ReadinessChecks } from './status.surface.js';

const artImages = (config: GatewayConfig, onLookup: (outcome: 'hit' | 'miss') => void): ArtImages => {
  const limits = {
    maxSidePx: config.ART_MAX_SIDE_PX,
    maxInputPixels: config.ART_MAX_INPUT_PIXELS,
    maxInputBytes: config.ART_MAX_INPUT_BYTES,
    cacheBytes: config.ART_CACHE_BYTES,
    workers: config.ART_WORKERS,
    queue: config.ART_QUEUE,
  };
  return new ArtImages(new LocalArtStore(join(config.CONTINUO_DATA, 'art')), limits, onLookup);
};

/** What is made anew beside a caller who has been answered already fails for nobody to see but the log. */
const toldOf =
  (log: ServiceDependencies<GatewayConfig>['log'], what: string): ((err: unknown) => void) =>
  (err) =>
    log.warn({ err }, `${what} could not be made anew; it is shown as it was`);

/** The read model, which nothing here may write. */
const openReads = ({ config, log, metrics }: ServiceDependencies<GatewayConfig>): Kysely<ReadModel> =>
  openDatabase<ReadModel>({
    url: config.DATABASE_READ_URL ?? config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    applicationName: 'continuo-gateway-reads',
    pools: metrics.pools,
    readOnly: true,
    log,
  });

/** How far what is read is: where it is written, or on a replica of its own. */
const readSideOf = ({ config, db: written }: ServiceDependencies<GatewayConfig>, db: Kysely<ReadModel>): ReadSide => {
  if (!readsElsewhere(config)) return sameSide(checkpointReader(written));
  return replicaSide(checkpointReader(written), checkpointReader(db as unknown as Kysely<unknown>));
};

/** How much of what is costly may happen at once. */
export const boundedPlaces = (config: GatewayConfig): Pick<GatewayServices, 'listPlaces' | 'archivePlaces' | 'uploadPlaces'> => ({
  listPlaces: new Places(config.LIST_STREAMS),
  archivePlaces: new Places(config.ZIP_STREAMS, 0),
  uploadPlaces: new Places(config.UPLOADS_AT_ONCE, 0),
});

/** Pictures, and how much of what is costly may happen at once; metrics tell how much does. */
const boundedWork = (config: GatewayConfig, metrics: Metrics, lookedUp: ReturnType<typeof cacheLookups>) => {
  const art = artImages(config, lookedUp('art'));
  const places = boundedPlaces(config);
  placeGauges(metrics, { lists: places.listPlaces, archives: places.archivePlaces, uploads: places.uploadPlaces, art: art.places });
  return { ...places, art };
};

/** Everything that the surfaces work with, and how it is given back. */
const openServices = async (
  deps: ServiceDependencies<GatewayConfig>,
): Promise<{ services: GatewayServices; readSide: ReadSide; close: () => Promise<void> }> => {
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
  const asking = { seenBy, marks: checkpointMarks(readSide.readCheckpoints), onFailure: toldOf(log, 'a search') };
  const searches = createSearches(db, searchLimits(config), now, asking);
  const transcodes = workerTranscodes(nats, log);
  const media = openCatalogMedia({ db, sealer, secrets, metrics, config });
  const lookedUp = cacheLookups(metrics);
  const services: GatewayServices = {
    config,
    log,
    metrics,
    tracer: deps.tracer,
    auth,
    events: createEventHub(
      { auth, preferences, db, log, config, secrets, metrics },
      { logs: jetStreamEventLogs(nats), eventStore: deps.eventStore },
    ),
    db,
    lists: createLists(db, config.LIST_CACHE_BYTES, { onFailure: toldOf(log, 'a list'), onLookup: lookedUp('lists') }),
    rankings: createRankings(db, config.LIST_CACHE_BYTES / 4, { onFailure: toldOf(log, 'a ranking'), onLookup: lookedUp('rankings') }),
    searches,
    smartlists: createSmartlists({ db, searches, seenBy, commands, log, now }),
    wordSearch: createWordSearch({ db, config, metrics, log }),
    ...boundedWork(config, metrics, lookedUp),
    commands,
    watch,
    mediaStore: media.store,
    places: media.places,
    transcodes,
    sonic: new CommandSounds(commands, log),
    playing,
    stationTitles: config.LIVE_STREAM_TITLES ? askedStations(outbound, log) : silentStations,
    plugins: new AskedPluginDirectory({ commands, now, log }),
    plays: new PlayCounter({ commands, now, config, playing }),
    preferences,
    sealer,
    secrets,
    now,
  };
  const close = async (): Promise<void> => {
    unfollowPreferences();
    transcodes.close();
    await Promise.all([auth.close(), playing.close(), outbound.close(), media.close()]);
    await watch.stop();
    await db.destroy();
  };
  return { services, readSide, close };
};

/** Builds the web server over ready parts: all surfaces, no port taken yet. `onRoute` is told of each route that a surface makes. */
export const buildServer = async (
  services: GatewayServices,
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
  sayGoodbye(app, checks.draining);
  countRequests(app, {
    metrics: services.metrics,
    tracer: services.tracer,
    isTrusted: (peerAddress) => services.auth.web.isFromProxy({ peerAddress }),
  });
  const shares = new ShareDoor(services);
  for (const surface of [
    statusSurface(services, checks),
    playSurface(services, shares),
    shareSurface(services, shares),
    confirmationSurface(services),
    eventsSurface(services, services.events),
    accessListSurface(services),
    accountPageSurface(services),
    nativeSurface(services),
    compatSurface(services),
    hlsSurface(services),
  ])
    await surface(app);
  return app;
};

/** Lets open answers end, and cuts off those that take longer than the drain time: clients reconnect to another gateway. */
const drain = async (app: FastifyInstance, timeoutMs: number): Promise<void> => {
  const cut = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
};

const start = async (deps: ServiceDependencies<GatewayConfig>): Promise<RunningService> => {
  const { config, log, nats } = deps;
  const { services, readSide, close } = await openServices(deps);
  // Ready are the tables that are read, be they a replica's.
  const tables = readSide.isBehind ? (services.db as unknown as Kysely<unknown>) : deps.db;
  const readModel = new ReadModelReadiness(tables, log);
  await readModel.look();
  let draining = false;
  const app = await buildServer(services, { nats: () => !nats.isClosed(), draining: () => draining, readModel: () => readModel.state });
  try {
    const address = await app.listen({ port: config.PORT, host: config.HOST });
    log.info({ address }, 'the APIs are open');
  } catch (error) {
    await readModel.stop();
    await close();
    throw error;
  }
  return {
    parts: () => ({ readModel: readModel.state }),
    isReady: () => readModel.state === 'ok',
    draining: () => {
      draining = true;
    },
    stop: async () => {
      draining = true;
      await drain(app, config.DRAIN_TIMEOUT_MS);
      await readModel.stop();
      await close();
    },
  };
};

/** The gateway: all HTTP surfaces over the read model of the other services. Owns nothing durable. */
export const gatewayService: ServiceDefinition<GatewayConfig> = { name: 'gateway', config: gatewayConfig, contexts: [], start };
