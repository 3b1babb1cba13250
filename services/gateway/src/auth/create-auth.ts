import { operatorTokenCheck, type Metrics, type Sealer, type ServerSecret } from '@continuo/chassis';
import { readModelProjections, Rejection, type ReadModel } from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { sessionGauge } from '../server/gateway-metrics.js';
import type { ReadSide } from '../reads/database/read-side-index.js';
import { followProjections } from '../reads/database/snapshot-reader.js';
import { LEAST_LEVEL } from './access-rules.js';
import type { Auth } from './auth.js';
import type { AuthSettings } from './auth-settings.js';
import { compatAuth } from './compat-auth.js';
import { accessTokens } from './credentials/access-token.js';
import type { CredentialRows, CredentialSnapshot } from './credentials/credential-snapshot.js';
import { CredentialReader, readModelCredentials } from './credentials/credential-reader.js';
import { jetStreamFailureCounters } from './throttle/failure-counters.adapter.js';
import { waitForCatalogGroups } from './wait-for-catalog-groups.js';
import { Identities, type IdentityParts } from './credentials/identities.js';
import { jetStreamLastSeen } from './sessions/last-seen.adapter.js';
import { loginThrottle } from './throttle/login-throttle.js';
import { mediaAuth } from './media-auth.js';
import { mediaTokens } from './credentials/media-token.js';
import { nativeAuth } from './native-auth.js';
import { operatorAuth } from './operator-auth.js';
import { playerUrls } from './credentials/player-urls.js';
import { sessionIsOver } from './sessions/session-end.js';
import { jetStreamSessions } from './sessions/session-store.adapter.js';
import type { SessionRecord, SessionStore } from './sessions/session-store.js';
import { sessionTokens } from './sessions/session-token.js';
import { authorizationCheck } from './credentials/authorization-check.js';
import { unauthenticatedThrottle } from './throttle/unauthenticated-throttle.js';
import { webAuth } from './web-auth.js';

/** Dependencies of authentication. */
export interface AuthDependencies {
  readonly nats: NatsConnection;
  /** The published read model, read-only. */
  readonly db: Kysely<ReadModel>;
  /** Positions of that side. */
  readonly readSide: ReadSide;
  /** Opens stored credentials. */
  readonly sealer: Sealer;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly secrets: ServerSecret;
  readonly config: AuthSettings & { readonly NATS_REPLICAS: number };
  /** Registry for the session gauge. */
  readonly metrics?: Pick<Metrics, 'registry'>;
}

/** The projections whose rows a snapshot holds. Ratings and the like are not among them: each of them would make every login wait for another reading. */
const FOLLOWED = [...readModelProjections.EV_IDENTITY, 'social-access-list', 'social-catalog-groups'] as const satisfies readonly (
  | (typeof readModelProjections.EV_IDENTITY)[number]
  | (typeof readModelProjections.EV_SOCIAL)[number]
)[];

/** Ends what has lost its ground: a disabled account that is enabled again, or a key that comes back, opens no old session. */
const endSessions = (sessions: SessionStore, snapshot: CredentialSnapshot, log: Logger): void => {
  const isOver = (record: SessionRecord): boolean => {
    const stored = snapshot.userById(record.userId);
    return !stored || stored.account.disabled || sessionIsOver(stored, record);
  };
  sessions.endWhere(isOver).catch((err: unknown) => {
    log.warn({ err }, 'failed to delete expired sessions; they stay invalid');
  });
};

/** Tokens under either secret of operators. */
const isOperatorToken = (secrets: ServerSecret, other: string, now: () => number): IdentityParts['isOperatorToken'] => {
  const checks = [secrets, ...(other === '' ? [] : [other])].map((secret) => operatorTokenCheck(secret, now));
  return (token) => checks.some((check) => check(token));
};

/** The facade over parts that may as well be in-memory ones. */
export const authOver = (parts: IdentityParts, close: () => Promise<void>): Auth => {
  const identities = new Identities(parts);
  return {
    accessControl: parts.settings.ACCESS_CONTROL,
    ...nativeAuth(identities),
    operator: operatorAuth(identities),
    authenticateCompat: compatAuth(identities),
    authenticateMedia: mediaAuth(identities),
    authorizationCheckOf: authorizationCheck(identities),
    account: async (id) => (await identities.snapshot()).userById(id)?.account,
    admits: async (use, address, userId, level = LEAST_LEVEL) =>
      identities.admits(await identities.snapshot(), { use, address, userId, level }),
    lastSeenAtMs: (id) => parts.lastSeen.atMs(id),
    keyLastUsedAtMs: (keyId) => parts.lastSeen.keyAtMs(keyId),
    limitUnauthenticated: async (request, act, about) => {
      const address = identities.address(request);
      const snapshot = await identities.snapshot();
      if (!identities.admits(snapshot, { use: 'rpc', address, userId: null, level: LEAST_LEVEL })) {
        throw new Rejection('access.address', 'Access denied: the access list (ACL) does not admit you from this address', 'account');
      }
      await parts.unauthenticated.count({ act, address, ...(about === undefined ? {} : { about }) });
    },
    checkCredential: (request, check) => identities.checks.check(request, check),
    web: webAuth(identities),
    clientAddress: (request) => identities.address(request),
    close,
  };
};

/** Opens authentication for one gateway: follows sessions and failed logins in NATS, reads credentials from the read model. */
export const createAuth = async ({ nats, db, readSide, sealer, secrets, log, now, config, metrics }: AuthDependencies): Promise<Auth> => {
  const windowMs = config.LOGIN_WINDOW_S * 1000;
  const shared = { nats, log, now, replicas: config.NATS_REPLICAS };
  const lastSeen = await jetStreamLastSeen(shared);
  const sessions = await jetStreamSessions({ ...shared, lifetimeMs: config.SESSION_LENGTH_S * 1000 });
  if (metrics) sessionGauge(metrics, () => sessions.count());
  const counters = await jetStreamFailureCounters({ ...shared, windowMs });
  const onFresh = (snapshot: CredentialSnapshot): void => endSessions(sessions, snapshot, log);
  const readRows = readModelCredentials(db);
  const source = async (): Promise<CredentialRows> => {
    await waitForCatalogGroups({ nats, readCheckpoints: readSide.readCheckpoints });
    await readSide.caughtUp(FOLLOWED);
    return readRows();
  };
  const reader = new CredentialReader({ source, log, now, onFresh });
  const unfollow = followProjections(nats, FOLLOWED, reader);
  const limits = { windowMs, failuresPerAccount: config.LOGIN_FAILURES_PER_ACCOUNT, failuresPerAddress: config.LOGIN_FAILURES_PER_ADDRESS };
  const parts = {
    reader,
    sessions,
    sealer,
    log,
    now,
    settings: config,
    throttle: loginThrottle(counters, limits, now),
    unauthenticated: unauthenticatedThrottle(counters, { windowMs, callsPerAddress: config.STRANGER_CALLS_PER_ADDRESS }, now),
    lastSeen,
    sessionTokens: sessionTokens(secrets),
    mediaTokens: mediaTokens(secrets, now),
    accessTokens: accessTokens(secrets, now),
    isOperatorToken: isOperatorToken(secrets, config.OPERATOR_SECRET, now),
    playerUrls: playerUrls(secrets, now),
  };
  return authOver(parts, async () => {
    unfollow();
    await Promise.all([sessions.close(), counters.close(), lastSeen.close()]);
  });
};
