import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMetrics, parseConfig, type CommandClient, type ProjectionWatch } from '@continuo/chassis';
import { Rejection, userId, type AccessLevel, type KeyScope, type ReadModel } from '@continuo/contracts';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { LocalArtStore, localMediaStore, StorageUnavailable } from '@continuo/media-store';
import type { Account, Auth, AuthRequest, Caller, NativeSession, Session, WebAuth } from '../../src/auth/index.js';
import { requireScope } from '../../src/auth/index.js';
import { gatewayConfig, type GatewayConfig } from '../../src/server/config.js';
import { buildServer, concurrencyLimiters } from '../../src/gateway.service.js';
import { createEventHub } from '../../src/apis/events/create-event-hub.js';
import type { LoadSample } from '../../src/features/load/load-history.js';
import type { LongWork } from '../../src/features/operations/long-work.js';
import type { EventLogs } from '../../src/apis/events/event-logs.js';
import { positionsBy } from '../../src/apis/events/log-positions.js';
import { textParam } from '../../src/server/requests/parameters.js';
import { noStationTitles } from '../../src/features/live-stream/station-titles.js';
import { ArtImages } from '../../src/features/media/art-images.js';
import { avatarMaker } from '../../src/features/media/avatars.js';
import { PlayCounter } from '../../src/features/media/play-counter.js';
import { preferenceDefaults, Preferences, readModelPreferences } from '../../src/preferences/index.js';
import type { ReadDatabase } from '../../src/reads/database/database.js';
import { listDefinitions } from '../../src/kinds/index.js';
import { createLists } from '../../src/reads/lists/lists.js';
import { createRankings } from '../../src/reads/plays/rankings.js';
import { createSearches, searchLimits } from '../../src/search/index.js';
import { ReadModelSearchIndex } from '../../src/search/words/read-model-index.js';
import { createSmartlists, seenByAccounts } from '../../src/features/smartlists/index.js';
import type { VisibleCatalogs } from '../../src/reads/visibility/viewer.js';
import type { ServerServices } from '../../src/gateway.service.js';
import { noSounds } from '../fakes/fake-sounds.js';
import { fakeTranscodes } from '../fakes/fake-transcodes.js';
import { inMemoryIdempotency, inMemoryPlaying } from '../fakes/in-memory-stores.js';

/** Logs without events. */
const silentLogs: EventLogs = {
  ends: async () => ({ incarnation: 'none', positions: positionsBy(() => 0) }),
  follow: (_context, _after, signal) => ({
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ done: true, value: undefined }), { once: true });
        }),
    }),
  }),
};

/** An account of the test gateway: its token opens everything, in the version that it was opened with. */
export interface TestAccount {
  readonly id: number;
  readonly username: string;
  readonly access: AccessLevel;
  readonly token: string;
  /** All when absent. */
  readonly catalogs?: VisibleCatalogs;
  /** Every scope when absent. */
  readonly scopes?: readonly KeyScope[];
}

/** The accounts that every test gateway knows. */
export const testAccounts = {
  admin: { id: 1, username: 'admin', access: 100, token: 'admin-token' },
  listener: { id: 2, username: 'listener', access: 25, token: 'listener-token' },
} as const satisfies Record<string, TestAccount>;

const SESSION_MS = 3_600_000;
/** 2024-06-01T00:00:00Z, at which the test gateway's clock stands. */
export const TEST_NOW_MS = Date.UTC(2024, 5, 1);
/** Signing secret of the test gateway. */
export const TEST_SECRET = 'a secret for specs, of enough characters';

const tokenOf = (request: AuthRequest): string | undefined => {
  const { authorization } = request.headers;
  return typeof authorization === 'string'
    ? authorization.replace(/^Bearer /, '')
    : (textParam(request.params, 'auth') ?? textParam(request.params, 'ssid'));
};

const byHeader = (request: AuthRequest): boolean => request.headers['authorization'] !== undefined;

const asAccount = ({ scopes: _scopes, ...known }: TestAccount): Account => ({
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
  const tokens = { mediaToken: known.token, artToken: known.token };
  const scopes = known.scopes && { scopes: known.scopes };
  return { account, by: 'session', viaHeader: byHeader(request), session, client: 'spec', address: '127.0.0.1', ...tokens, ...scopes };
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

/** A web page that nobody can sign in to; every account has a player's session `a`. */
const closedPage: WebAuth = {
  signIn: nobody,
  open: nobody,
  confirm: nobody,
  throttled: nobody,
  caller: async () => undefined,
  accessToken: () => ({ token: '', expiresAtMs: 0 }),
  hasPassword: async () => false,
  signOut: async () => undefined,
  sessions: () => [{ id: 'a', kind: 'player', client: '', openedAtMs: 1, expiresAtMs: null }],
  sessionId: () => '',
  endSession: async () => true,
  endSessionsOfProvider: async () => 0,
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
    peekNative: (request) => {
      const version = versions.get(tokenOf(request) ?? '');
      return { viaHeader: byHeader(request), ...(version === undefined ? {} : { version }) };
    },
    authenticateNative: async (request, scope = 'listen') => {
      const caller = required(request);
      requireScope(caller, scope);
      return caller;
    },
    operator: () => undefined,
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
    authorizationCheckOf: async () => async () => true,
    account: async (id) => accountIn(accounts, id),
    admits: async () => true,
    lastSeenAtMs: () => TEST_NOW_MS,
    keyLastUsedAtMs: () => undefined,
    limitUnauthenticated: async () => undefined,
    checkCredential: async (_request, { find }) => find(),
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

const noLongWork: LongWork = {
  start: () => Promise.reject(new Rejection('unavailable')),
  find: async () => undefined,
  list: async () => [],
};

const noOperators: Pick<ServerServices, 'operations' | 'longWork'> = {
  operations: { open: () => Promise.reject(new Rejection('unavailable')) },
  longWork: noLongWork,
};

/** A gateway over a database, without a port: requests are injected. */
export interface TestGateway {
  readonly app: FastifyInstance;
  readonly services: ServerServices;
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

const preferencesOver = (db: ReadDatabase, config: GatewayConfig): Preferences =>
  new Preferences({
    source: readModelPreferences(db),
    log: pino({ level: 'silent' }),
    now: () => TEST_NOW_MS,
    defaults: preferenceDefaults(config),
  });

const LOAD: LoadSample = {
  gateway: 'spec:8080',
  atMs: TEST_NOW_MS,
  requestsPerS: 0.5,
  p95Ms: 12,
  memoryBytes: 1,
  listeners: 0,
  runningScans: 0,
  lagEvents: 0,
};

const UNUSED_SERVERS = { DATABASE_URL: 'postgres://unused', NATS_URL: 'nats://unused' } as const;

/** Builds the whole web server over a read model, which stays the test's to close. */
export const startTestGateway = async (
  db: ReadDatabase,
  overrides: Partial<ServerServices> & { readonly settings?: Partial<GatewayConfig> } = {},
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
  const quiet: Omit<ServerServices, 'events'> = {
    config,
    log,
    metrics: createMetrics('gateway'),
    auth: fixedAuth(),
    db,
    lists: createLists(db, listDefinitions, config.LIST_CACHE_BYTES),
    rankings: createRankings(db, config.LIST_CACHE_BYTES / 4),
    searches,
    smartlists: createSmartlists({ db, searches, seenBy, commands: parts.commands ?? noCommands, log, now: () => TEST_NOW_MS }),
    wordSearch: new ReadModelSearchIndex(db),
    ...concurrencyLimiters(config),
    commands: noCommands,
    watch: caughtUp,
    mediaStore: localMediaStore(),
    catalogStorage: { open: () => Promise.reject(new StorageUnavailable('there are no other places here')) },
    transcodes: fakeTranscodes(),
    playing,
    sonic: noSounds,
    plugins: { can: async () => false },
    stationTitles: noStationTitles,
    plays: new PlayCounter({ commands: parts.commands ?? noCommands, now, config, playing }, 0),
    preferences: preferencesOver(db, config),
    art: artImages(config, dataFolder),
    avatars: avatarMaker(new LocalArtStore(join(dataFolder, 'art')), config.ART_MAX_INPUT_PIXELS),
    ...noOperators,
    loadHistory: { samples: async () => [LOAD], recordWhenDue: async () => undefined },
    idempotency: inMemoryIdempotency(now),
    versions: { lastOf: async () => 0 },
    sealer: { seal: (plain) => plain, open: (sealed) => sealed },
    secrets: config.CONTINUO_SECRET,
    now: () => TEST_NOW_MS,
    ...parts,
  };
  const events = parts.events ?? createEventHub(quiet, { logs: silentLogs, eventStore: { read: async () => [] } });
  const services: ServerServices = { ...quiet, events };
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
