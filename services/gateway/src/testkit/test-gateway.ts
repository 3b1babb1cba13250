import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createMetrics,
  localMediaStore,
  LocalArtStore,
  parseConfig,
  PlaceUnusable,
  type CommandClient,
  type ProjectionWatch,
} from '@continuo/chassis';
import { Rejection, userId, type AccessLevel, type ReadModel } from '@continuo/contracts';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import type { Account, Auth, AuthRequest, Caller, NativeSession, Session, WebAuth } from '../auth/index.js';
import { gatewayConfig, type GatewayConfig } from '../config.js';
import { buildServer, boundedPlaces } from '../gateway.service.js';
import { createEventHub } from '../events/create-event-hub.js';
import { silentLogs } from '../events/event-logs.js';
import { noPlugins } from '../facts/plugin-directory.js';
import { textParam } from '../http/parameters.js';
import { silentStations } from '../live-stream/station-titles.js';
import { noSounds } from '../sonic/sonic-sounds.js';
import { ArtImages } from '../media/art-images.js';
import { PlayCounter } from '../media/play-counter.js';
import { inMemoryPlaying } from '../playing/index.js';
import { preferenceDefaults, Preferences, readModelPreferences } from '../preferences/index.js';
import type { ReadDatabase } from '../reads/database.js';
import { createLists } from '../reads/lists.js';
import { createRankings } from '../reads/rankings.js';
import { createSearches, searchLimits } from '../search/index.js';
import { ReadModelSearchIndex } from '../word-search/read-model-index.js';
import { createSmartlists, seenByAccounts } from '../smartlists/index.js';
import type { VisibleCatalogs } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';
import { fakeTranscodes } from './fake-transcodes.js';

/** An account of the test gateway: its token opens everything, in the version that it was opened with. */
export interface TestAccount {
  readonly id: number;
  readonly username: string;
  readonly access: AccessLevel;
  readonly token: string;
  /** All when absent. */
  readonly catalogs?: VisibleCatalogs;
}

/** The accounts that every test gateway knows. */
export const testAccounts = {
  admin: { id: 1, username: 'admin', access: 100, token: 'admin-token' },
  listener: { id: 2, username: 'listener', access: 25, token: 'listener-token' },
} as const satisfies Record<string, TestAccount>;

const SESSION_MS = 3_600_000;
/** 2024-06-01T00:00:00Z, at which the test gateway's clock stands. */
export const TEST_NOW_MS = Date.UTC(2024, 5, 1);
/** What the test gateway signs with. */
export const TEST_SECRET = 'a secret for specs, of enough characters';

const tokenOf = (request: AuthRequest): string | undefined => {
  const { authorization } = request.headers;
  return typeof authorization === 'string'
    ? authorization.replace(/^Bearer /, '')
    : (textParam(request.params, 'auth') ?? textParam(request.params, 'ssid'));
};

const byHeader = (request: AuthRequest): boolean => request.headers['authorization'] !== undefined;

const asAccount = (known: TestAccount): Account => ({
  catalogs: 'all',
  ...known,
  id: userId.parse(known.id),
  fullName: null,
  fullNamePublic: false,
  email: null,
  disabled: false,
});

const accountIn = (accounts: readonly TestAccount[], id: number): Account | undefined => {
  const known = accounts.find((account) => account.id === id);
  return known && asAccount(known);
};

const callerIn = (accounts: readonly TestAccount[], versions: ReadonlyMap<string, string>, request: AuthRequest): Caller | undefined => {
  const token = tokenOf(request);
  const known = accounts.find((account) => account.token === token);
  if (!known) return undefined;
  const account = asAccount(known);
  const session: Session = {
    token: known.token,
    version: versions.get(known.token) ?? '',
    client: 'spec',
    expiresAtMs: TEST_NOW_MS + SESSION_MS,
  };
  return { account, by: 'session', viaHeader: byHeader(request), session, client: 'spec', address: '127.0.0.1', mediaToken: known.token };
};

const opened = (caller: Caller): NativeSession => ({
  caller,
  session: caller.session as Session,
  token: caller.mediaToken,
  reportedExpiryMs: TEST_NOW_MS + SESSION_MS,
});

const nobody = async (): Promise<never> => {
  throw new Rejection('auth.failed');
};

/** A web page that nobody can sign in to. */
const closedPage: WebAuth = {
  signIn: nobody,
  open: nobody,
  confirm: nobody,
  throttled: nobody,
  caller: async () => undefined,
  hasPassword: async () => false,
  signOut: async () => undefined,
  sessions: () => [],
  sessionId: () => '',
  endSession: async () => false,
  accountByIdentity: async () => undefined,
  accountNamed: async () => undefined,
  isFromProxy: () => false,
};

/** Authentication by fixed tokens. Sessions remember their version, which is all that the dialects need of them. */
export const fixedAuth = (accounts: readonly TestAccount[] = Object.values(testAccounts)): Auth => {
  const versions = new Map<string, string>();
  const callerOf = (request: AuthRequest): Caller | undefined => callerIn(accounts, versions, request);
  const required = (request: AuthRequest): Caller => {
    const caller = callerOf(request);
    if (!caller) throw new Rejection('auth.expired');
    return caller;
  };
  return {
    accessControl: true,
    peekNative: (request) => ({ version: versions.get(tokenOf(request) ?? '') ?? '', viaHeader: byHeader(request) }),
    authenticateNative: async (request) => required(request),
    handshake: async (request, version) => {
      const caller = callerOf(request);
      if (!caller) throw new Rejection('auth.failed', 'Received Invalid Handshake - Incorrect username or password', 'account');
      versions.set(caller.mediaToken, version);
      return opened(caller);
    },
    ping: async (request, version) => {
      const caller = callerOf(request);
      if (caller && version !== '') versions.set(caller.mediaToken, version);
      return caller && opened(caller);
    },
    goodbye: async (request) => required(request).mediaToken,
    authenticateCompat: async (request) => {
      const caller = callerOf(request);
      return caller ? { ok: true, caller } : { ok: false, failure: { reason: 'wrong-credentials' } };
    },
    authenticateMedia: async (request) => required(request),
    standingOf: async () => async () => true,
    account: async (id) => accountIn(accounts, id),
    admits: async () => true,
    lastSeenAtMs: () => TEST_NOW_MS,
    admitStranger: async () => undefined,
    web: closedPage,
    clientAddress: ({ peerAddress }) => peerAddress,
    close: async () => undefined,
  };
};

const noCommands: CommandClient = {
  send: async () => {
    throw new Rejection('unavailable');
  },
};
const caughtUp: ProjectionWatch = { waitFor: async () => true };

/** A gateway over a database, without a port: requests are injected. */
export interface TestGateway {
  readonly app: FastifyInstance;
  readonly services: GatewayServices;
  /** Folder of the gateway's own data; its `art` holds pictures. */
  readonly dataFolder: string;
  /** Every route that the surfaces made, once per method. */
  readonly routes: readonly { readonly method: string; readonly url: string }[];
  stop(): Promise<void>;
}

const artImages = (config: GatewayConfig, dataFolder: string): ArtImages =>
  new ArtImages(new LocalArtStore(join(dataFolder, 'art')), {
    maxSidePx: config.ART_MAX_SIDE_PX,
    maxInputPixels: config.ART_MAX_INPUT_PIXELS,
    maxInputBytes: config.ART_MAX_INPUT_BYTES,
    cacheBytes: config.ART_CACHE_BYTES,
    workers: config.ART_WORKERS,
    queue: config.ART_QUEUE,
  });

const UNUSED_SERVERS = { DATABASE_URL: 'postgres://unused', NATS_URL: 'nats://unused' } as const;

/** Builds the whole web server over a read model, which stays the test's to close. */
export const startTestGateway = async (
  db: ReadDatabase,
  overrides: Partial<GatewayServices> & { readonly settings?: Partial<GatewayConfig> } = {},
): Promise<TestGateway> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'continuo-gateway-'));
  const base = parseConfig(gatewayConfig, { ...UNUSED_SERVERS, CONTINUO_SECRET: TEST_SECRET, CONTINUO_DATA: dataFolder });
  const { settings, ...parts } = overrides;
  const config = { ...base, ...settings };
  const log = pino({ level: 'silent' });
  const seenBy = seenByAccounts(parts.auth ?? fixedAuth());
  const now = parts.now ?? ((): number => TEST_NOW_MS);
  const playing = parts.playing ?? inMemoryPlaying(now);
  const searches = createSearches(db, searchLimits(config), () => TEST_NOW_MS, { seenBy });
  const quiet: Omit<GatewayServices, 'events'> = {
    config,
    log,
    metrics: createMetrics('gateway'),
    auth: fixedAuth(),
    db,
    lists: createLists(db, config.LIST_CACHE_BYTES),
    rankings: createRankings(db, config.LIST_CACHE_BYTES / 4),
    searches,
    smartlists: createSmartlists({ db, searches, seenBy, commands: parts.commands ?? noCommands, log, now: () => TEST_NOW_MS }),
    wordSearch: new ReadModelSearchIndex(db),
    ...boundedPlaces(config),
    commands: noCommands,
    watch: caughtUp,
    mediaStore: localMediaStore(),
    places: { open: () => Promise.reject(new PlaceUnusable('there are no other places here')) },
    transcodes: fakeTranscodes(),
    playing,
    sonic: noSounds,
    plugins: noPlugins,
    stationTitles: silentStations,
    plays: new PlayCounter({ commands: parts.commands ?? noCommands, now, config, playing }),
    preferences: new Preferences({
      source: readModelPreferences(db),
      log: pino({ level: 'silent' }),
      now: () => TEST_NOW_MS,
      defaults: preferenceDefaults(config),
    }),
    art: artImages(config, dataFolder),
    sealer: { seal: (plain) => plain, open: (sealed) => sealed },
    secrets: config.CONTINUO_SECRET,
    now: () => TEST_NOW_MS,
    ...parts,
  };
  const events = parts.events ?? createEventHub(quiet, { logs: silentLogs, eventStore: { read: async () => [] } });
  const services: GatewayServices = { ...quiet, events };
  const routes: TestGateway['routes'][number][] = [];
  const app = await buildServer(services, { nats: () => true, draining: () => false, readModel: () => 'ok' }, ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url });
  });
  const stop = async (): Promise<void> => {
    // A spec may have left answers unread, and nobody is going to read them.
    app.server.closeAllConnections();
    await app.close();
    await rm(dataFolder, { recursive: true, force: true });
  };
  return { app, services, dataFolder, routes, stop };
};

/** The accounts of {@link testAccounts} as rows. */
export const seedTestAccounts = async (db: Kysely<ReadModel>): Promise<void> => {
  const rows = Object.values(testAccounts).map(({ id, username, access }) => ({
    id,
    username,
    username_key: username,
    full_name: null,
    full_name_public: false,
    email: null,
    website: null,
    city: null,
    state: null,
    access,
    disabled: false,
    created_at_ms: TEST_NOW_MS,
    sealed_password_sha256: null,
    sealed_password_argon2id: null,
    sealed_compat_password: null,
    password_set_at_ms: null,
    max_bitrate_bps: null,
    awaiting: null,
    stream_token_sha256: null,
    sealed_stream_token: null,
    avatar_hash: null,
  }));
  await db.insertInto('social.user').values(rows).execute();
};
