import { InMemoryCommandClient, recordingLog } from '@continuo/chassis/testkit';
import {
  type AccessLevel,
  addCatalogGroup,
  changeCatalogGroup,
  changeUser,
  joinCatalogGroup,
  setUserPreferences,
  deleteUser,
  flagObjects,
  rateObject,
  recordPlays,
  registerUser,
  Rejection,
  sendChatMessage,
  startPlayback,
  startScan,
  stopPlayback,
  type UserId,
} from '@continuo/contracts';
import type { FastifyInstance } from 'fastify';
import { LocalArtStore, localMediaStore } from '@continuo/media-store';
import type { Auth, AuthRequest, Caller, CompatResult } from '../../src/auth/index.js';
import { compatSurface } from '../../src/apis/compat/compat.surface.js';
import { gatewayConfig } from '../../src/server/config.js';
import { textParam } from '../../src/server/requests/parameters.js';
import { ConcurrencyLimiter } from '../../src/server/concurrency-limiter.js';
import { createServer } from '../../src/server/server.js';
import { ArtImages } from '../../src/features/media/art-images.js';
import { PlayCounter } from '../../src/features/media/play-counter.js';
import { inMemoryPlaying } from '../fakes/in-memory-stores.js';
import { preferenceDefaults, Preferences, readModelPreferences } from '../../src/preferences/index.js';
import type { ReadDatabase } from '../../src/reads/database/database.js';
import { listDefinitions } from '../../src/kinds/index.js';
import { createLists } from '../../src/reads/lists/lists.js';
import { FakeSounds } from '../fakes/fake-sounds.js';
import { fakeTranscodes } from '../fakes/fake-transcodes.js';
import { withPodcasts } from '../library/podcast-fixture.js';
import { withPlaces } from '../library/places-fixture.js';
import { withPlaylists } from '../library/playlist-fixture.js';
import { withStations } from '../library/station-fixture.js';
import { withSmartlists } from '../library/smartlist-fixture.js';
import { withShares } from '../library/share-writer.js';
import { createRankings } from '../../src/reads/plays/rankings.js';
import { createSearches, searchLimits } from '../../src/search/index.js';
import type { ServerServices } from '../../src/gateway.service.js';
import { createSmartlists } from '../../src/features/smartlists/index.js';
import { ReadModelSearchIndex } from '../../src/search/words/read-model-index.js';

/** Accounts of the test server; the password of each is `secret`, the key `key-<name>`. */
const accounts = { ada: 100, mia: 75, bob: 25, gus: 5 } as const satisfies Record<string, AccessLevel>;
export type TestAccount = keyof typeof accounts;

const callerOf = (name: TestAccount, by: Caller['by'], request: AuthRequest): Caller => ({
  account: {
    id: (Object.keys(accounts).indexOf(name) + 1) as UserId,
    username: name,
    access: accounts[name],
    fullName: null,
    fullNamePublic: false,
    email: `${name}@example.org`,
    disabled: false,
    catalogs: 'all',
  },
  by,
  viaHeader: false,
  client: textParam(request.params, 'c') ?? '',
  address: '127.0.0.1',
  mediaToken: '',
  artToken: '',
});

const isAccount = (name: string | undefined): name is TestAccount => name !== undefined && Object.hasOwn(accounts, name);

const prove = async (request: AuthRequest): Promise<CompatResult> => {
  const name = textParam(request.params, 'u');
  const key = textParam(request.params, 'apiKey');
  if (key !== undefined) {
    if (name !== undefined) return { ok: false, failure: { reason: 'conflicting-mechanisms' } };
    const owner = key.slice('key-'.length);
    return isAccount(owner) ? { ok: true, caller: callerOf(owner, 'api-key', request) } : { ok: false, failure: { reason: 'invalid-key' } };
  }
  if (name === undefined) return { ok: false, failure: { reason: 'missing-parameter', parameter: 'u' } };
  if (textParam(request.params, 't') !== undefined) return { ok: false, failure: { reason: 'token-unsupported' } };
  if (!isAccount(name) || textParam(request.params, 'p') !== 'secret') return { ok: false, failure: { reason: 'wrong-credentials' } };
  return { ok: true, caller: callerOf(name, 'password', request) };
};

/** The compatibility API over a read model, with accounts and commands that live in the test. */
export interface CompatServer {
  readonly app: FastifyInstance;
  readonly commands: InMemoryCommandClient;
  readonly lines: Record<string, unknown>[];
  readonly artStore: LocalArtStore;
  /** Sonic analysis; on unless a spec switches it off. */
  readonly sounds: FakeSounds;
  /** Functions of plug-ins, none unless a spec says otherwise; `commands` answer them. */
  readonly plugins: Set<string>;
  /** Limits long answers. */
  readonly listSlots: ConcurrencyLimiter;
  /** Calls an operation as an account, or with the key among the parameters, which are added to the credentials. With a body, which goes as JSON, by POST. */
  call(operation: string, params?: CallParams, as?: TestAccount, body?: object): Promise<CallResult>;
}

export type CallParams = Readonly<Record<string, string | number | boolean | readonly string[]>>;
export interface CallResult {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>;
}

/** Parameters as a query string; a list repeats its name. */
export const queryOf = (params: CallParams): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  return query.toString();
};

/** Now, for everything that the test server does: 2024-06-01T00:00:00Z. */
export const NOW_MS = Date.UTC(2024, 5, 1);

const commandsOfTest = (): InMemoryCommandClient =>
  withPodcasts(withPlaces(withSmartlists(withPlaylists(withShares(withStations(new InMemoryCommandClient()))))))
    .handle(recordPlays, async ({ data }) => ({ result: { recorded: data.plays.length }, positions: [] }))
    .handle(startPlayback, async () => ({ result: { recorded: false }, positions: [] }))
    .handle(stopPlayback, async () => ({ result: {}, positions: [] }))
    .handle(rateObject, async () => ({ result: {}, positions: [] }))
    .handle(flagObjects, async () => ({ result: {}, positions: [] }))
    .handle(sendChatMessage, async () => ({ result: {}, positions: [] }))
    .handle(registerUser, async ({ data }) => {
      if (data.username === 'taken') throw new Rejection('user.name-taken');
      return { result: { userId: 9 }, positions: [] };
    })
    .handle(changeUser, async () => ({ result: {}, positions: [] }))
    .handle(deleteUser, async () => ({ result: {}, positions: [] }))
    .handle(setUserPreferences, async () => ({ result: {}, positions: [] }))
    .handle(addCatalogGroup, async () => ({ result: { groupId: 1 }, positions: [] }))
    .handle(changeCatalogGroup, async () => ({ result: {}, positions: [] }))
    .handle(joinCatalogGroup, async () => ({ result: {}, positions: [] }))
    .handle(startScan, async () => ({ result: { scanId: 'a-scan', alreadyRunning: false }, positions: [] }));

/** Calls by injection. */
const caller =
  (app: FastifyInstance): CompatServer['call'] =>
  async (operation, params = {}, as = 'ada', sent) => {
    const who: CallParams = params['apiKey'] === undefined ? { u: as, p: 'secret' } : {};
    const query = queryOf({ ...who, v: '1.16.1', c: 'test', ...params });
    const how = sent === undefined ? ({ method: 'GET' } as const) : ({ method: 'POST', payload: sent } as const);
    const { statusCode: status, headers, body } = await app.inject({ ...how, url: `/rest/${operation}?${query}` });
    return { status, type: String(headers['content-type']), body, headers };
  };

const limits = { maxSidePx: 1024, maxInputPixels: 1e8, maxInputBytes: 1e8, cacheBytes: 1e6, workers: 1, queue: 10 };

/** Starts the compatibility API without a socket. `artFolder` holds the pictures. */
export const compatServer = async (
  db: ReadDatabase,
  artFolder: string,
  env: Record<string, string> = {},
  now: () => number = () => NOW_MS,
): Promise<CompatServer> => {
  const { log, lines } = recordingLog();
  const commands = commandsOfTest();
  const artStore = new LocalArtStore(artFolder);
  const sounds = new FakeSounds();
  const plugins = new Set<string>();
  const config = gatewayConfig.parse({
    DATABASE_URL: 'postgres://unused',
    NATS_URL: 'nats://unused',
    CONTINUO_SECRET: 'x'.repeat(32),
    ...env,
  });
  const auth = { authenticateCompat: prove, admits: async () => true } as unknown as Auth;
  const seenBy = async (id: number) => ({ userId: id, catalogs: 'all' as const });
  const searches = createSearches(db, searchLimits(config), now, { seenBy });
  const playing = inMemoryPlaying(now);
  const listSlots = new ConcurrencyLimiter(2, 1);
  const parts = {
    searches,
    smartlists: createSmartlists({ db, searches, seenBy, commands, log, now }),
    wordSearch: new ReadModelSearchIndex(db),
    config,
    log,
    auth,
    db,
    commands,
    artStore,
    art: new ArtImages(artStore, limits),
    mediaStore: localMediaStore(),
    transcodes: fakeTranscodes(),
    sonic: sounds,
    plugins: { can: async (name: string) => plugins.has(name) },
    now,
    playing,
    plays: new PlayCounter({ commands, now, config, playing }, 0),
    rankings: createRankings(db, 1e6),
    preferences: new Preferences({ source: readModelPreferences(db), log, now, defaults: preferenceDefaults(config) }),
    lists: createLists(db, listDefinitions, 1e6),
    listSlots,
    archiveSlots: new ConcurrencyLimiter(4),
    uploadSlots: new ConcurrencyLimiter(4),
    sealer: { seal: (plain: string) => plain, open: (sealed: string) => sealed },
    secrets: config.CONTINUO_SECRET,
  };
  const app = createServer({ log, trustedProxies: [], bodyLimitBytes: 100_000, requestTimeoutMs: 0 });
  await compatSurface(parts as unknown as ServerServices)(app);
  return { app, commands, lines, artStore, sounds, plugins, listSlots, call: caller(app) };
};
