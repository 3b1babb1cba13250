import { Rejection, type KeyScope } from '@continuo/contracts';
import type { Auth, AuthRequest, Caller, NativeSession, Session } from './auth.js';
import type { Identities, Identity } from './credentials/identities.js';
import { proveHandshake, wrongLogin } from './native-login.js';
import { playerCaller, mayListen, scopedCaller } from './player-caller.js';
import { clientParam, geoOf, headerToken, textParam, userAgent } from './credentials/request-credentials.js';
import { keyOfImplicit, keyOfToken, type SessionKey } from './sessions/session-key.js';
import type { NewSession, SessionRecord } from './sessions/session-store.js';

/** Clients are told an end a minute early, so that they renew in time. */
const REPORTED_EARLY_MS = 60_000;

/** So much of a token that opens nothing is repeated. */
const SHOWN = 100;

const sessionExpired = (): Rejection => new Rejection('auth.expired', 'Session Expired', 'account');

interface Named {
  readonly token: string;
  readonly viaHeader: boolean;
}

const namedToken = (request: AuthRequest): Named | undefined => {
  const header = headerToken(request);
  if (header !== undefined) return { token: header, viaHeader: true };
  const param = textParam(request.params, 'auth');
  return param === undefined ? undefined : { token: param, viaHeader: false };
};

const sessionOf = (record: SessionRecord, token?: string): Session => ({
  version: record.version,
  client: record.client,
  expiresAtMs: record.expiresAtMs,
  ...(record.geo ? { geo: record.geo } : {}),
  ...(token === undefined ? {} : { token }),
});

const newSession = (request: AuthRequest, { stored, key }: Identity, version: string, nowMs: number): NewSession => {
  const geo = geoOf(request);
  return {
    userId: stored.account.id,
    version,
    client: clientParam(request) ?? userAgent(request),
    openedAtMs: nowMs,
    ...(key ? { apiKeyId: key.keyId } : {}),
    ...(geo ? { geo } : {}),
  };
};

const reportedExpiry = ({ expiresAtMs }: Session): number | null => (expiresAtMs === null ? null : expiresAtMs - REPORTED_EARLY_MS);

/** The part of {@link Auth} that serves the native API. */
export type NativeAuth = Pick<Auth, 'peekNative' | 'authenticateNative' | 'handshake' | 'ping' | 'goodbye'>;

/** Logins and sessions of the native API. */
export const nativeAuth = (identities: Identities): NativeAuth => {
  const logins = new NativeLogins(identities);
  return {
    peekNative: (request) => logins.peek(request),
    authenticateNative: (request, scope) => logins.authenticate(request, scope),
    handshake: (request, version) => logins.handshake(request, version),
    ping: (request, version) => logins.ping(request, version),
    goodbye: (request) => logins.goodbye(request),
  };
};

class NativeLogins {
  constructor(private readonly identities: Identities) {}

  peek(request: AuthRequest): ReturnType<NativeAuth['peekNative']> {
    const named = namedToken(request);
    if (!named) return { viaHeader: false };
    const { reader, sessions } = this.identities.parts;
    const key = reader.peek()?.keyByText(named.token);
    const version = sessions.versionOf(key ? keyOfImplicit(key.userId, key.keyId) : keyOfToken(named.token));
    return { viaHeader: named.viaHeader, ...(version === undefined ? {} : { version }) };
  }

  async authenticate(request: AuthRequest, scope: KeyScope = 'listen'): Promise<Caller> {
    this.requireAccessControl();
    const named = namedToken(request);
    if (!named) throw sessionExpired();
    const identity = await this.prove(request, named);
    const session = identity.sessionKey && this.sessionFor(request, identity, identity.sessionKey);
    const caller = this.identities.caller(request, identity, { viaHeader: named.viaHeader, ...(session ? { session } : {}) });
    return scopedCaller(caller, scope);
  }

  async handshake(request: AuthRequest, version: string): Promise<NativeSession> {
    this.requireAccessControl();
    const named = namedToken(request);
    if (!named) throw wrongLogin();
    const snapshot = await this.identities.snapshot();
    // A header's token that opens by itself decides; any other is for the user that is named.
    const isEnough = named.viaHeader && (await this.identities.byToken(snapshot, named.token)) !== undefined;
    const user = isEnough ? undefined : textParam(request.params, 'user');
    const identity = await proveHandshake(this.identities, request, { token: named.token, ...(user === undefined ? {} : { user }) });
    // A session would outlive the sign-out of the page.
    if (identity.by === 'access-token') throw wrongLogin();
    playerCaller(this.identities.caller(request, identity, named));
    this.identities.requireAddress(snapshot, 'rpc', identity, this.identities.address(request));
    const live = identity.by === 'session' && identity.sessionKey;
    const session = live ? await this.renew(request, identity, live, version) : await this.open(request, identity, version);
    return this.answer(request, identity, session, named);
  }

  async ping(request: AuthRequest, version: string): Promise<NativeSession | undefined> {
    const named = namedToken(request);
    if (!named || !this.identities.parts.settings.ACCESS_CONTROL) return undefined;
    const identity = await this.prove(request, named).catch(undefinedIfRefused);
    if (!identity?.sessionKey || !mayListen(this.identities.caller(request, identity, named))) return undefined;
    return this.answer(request, identity, await this.renew(request, identity, identity.sessionKey, version), named);
  }

  async goodbye(request: AuthRequest): Promise<string> {
    const token = textParam(request.params, 'auth') ?? headerToken(request);
    if (token === undefined) throw new Rejection('input.missing', 'auth is missing', 'auth');
    const snapshot = await this.identities.snapshot();
    const identity = await this.identities.checks.check(request, this.identities.tokenCheck(snapshot, token));
    const ended = identity?.sessionKey !== undefined && (await this.identities.parts.sessions.end(identity.sessionKey));
    if (!ended) throw new Rejection('input.invalid', `auth must be the token of a session, was ${token.slice(0, SHOWN)}`, 'account');
    return token;
  }

  private requireAccessControl(): void {
    if (!this.identities.parts.settings.ACCESS_CONTROL) {
      throw new Rejection('feature.disabled', 'Access control is switched off', 'access_control');
    }
  }

  private async prove(request: AuthRequest, { token }: Named): Promise<Identity> {
    const snapshot = await this.identities.snapshot();
    const identity = await this.identities.checks.check(request, this.identities.tokenCheck(snapshot, token));
    if (!identity) throw sessionExpired();
    this.identities.requireAddress(snapshot, 'rpc', identity, this.identities.address(request));
    return identity;
  }

  /** The session of a proven call, extended; a key without one gets its implicit session. */
  private sessionFor(request: AuthRequest, identity: Identity, sessionKey: SessionKey, always = false): Session {
    const { sessions } = this.identities.parts;
    const extended = sessions.extend(sessionKey, always);
    if (identity.key)
      return sessionOf(extended ?? sessions.openBehind(sessionKey, newSession(request, identity, '', this.identities.parts.now())));
    if (!extended) throw sessionExpired();
    return sessionOf(extended, identity.token);
  }

  private async open(request: AuthRequest, identity: Identity, version: string): Promise<Session> {
    const token = this.identities.parts.sessionTokens.forApi();
    const record = await this.identities.parts.sessions.open(
      keyOfToken(token),
      newSession(request, identity, version, this.identities.parts.now()),
    );
    return sessionOf(record, token);
  }

  /** Lets a named session live on, in another version when one is asked for. */
  private async renew(request: AuthRequest, identity: Identity, sessionKey: SessionKey, version: string): Promise<Session> {
    const session = this.sessionFor(request, identity, sessionKey, true);
    if (version === '' || version === session.version) return session;
    const changed = await this.identities.parts.sessions.setVersion(sessionKey, version);
    return changed ? sessionOf(changed, session.token) : { ...session, version };
  }

  private answer(request: AuthRequest, identity: Identity, session: Session, { token, viaHeader }: Named): NativeSession {
    return {
      caller: playerCaller(this.identities.caller(request, identity, { viaHeader, session })),
      session,
      token: session.token ?? token,
      reportedExpiryMs: reportedExpiry(session),
    };
  }
}

/** Ping is public: a credential that is no good counts as none; that the accounts cannot be read is not hidden. */
const undefinedIfRefused = (error: unknown): undefined => {
  if (error instanceof Rejection && error.code !== 'unavailable') return undefined;
  throw error;
};
