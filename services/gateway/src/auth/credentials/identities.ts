import { randomToken, sha256Hex, type Sealer } from '@continuo/chassis';
import { Rejection, type UserId } from '@continuo/contracts';
import type { Logger } from 'pino';
import { LEAST_LEVEL, type AccessQuestion } from '../access-rules.js';
import type { AccessUse, AuthRequest, Caller, CredentialCheck, RequestParams, Session } from '../auth.js';
import type { AuthSettings } from '../auth-settings.js';
import type { AccessTokens } from './access-token.js';
import { clientAddress, isTrustedProxy, parseNetworks, type Network } from '../client-address.js';
import { CredentialChecks } from './credential-checks.js';
import type { CredentialReader } from './credential-reader.js';
import type { CredentialSnapshot, StoredAccount, StoredKey } from './credential-snapshot.js';
import type { LastSeen } from '../sessions/last-seen.js';
import type { LoginThrottle } from '../throttle/login-throttle.js';
import type { MediaTokens } from './media-token.js';
import type { PlayerUrls } from './player-urls.js';
import { ProvenCredentials } from './proven-credentials.js';
import { sessionIsOver } from '../sessions/session-end.js';
import { clientParam, userAgent } from './request-credentials.js';
import { keyOfImplicit, keyOfToken, SESSION_TOKEN, type SessionKey } from '../sessions/session-key.js';
import type { SessionRecord, SessionStore } from '../sessions/session-store.js';
import type { SessionTokens } from '../sessions/session-token.js';
import type { UnauthenticatedThrottle } from '../throttle/unauthenticated-throttle.js';

/** Dependencies that authenticate callers, built once at start. */
export interface IdentityParts {
  readonly reader: CredentialReader;
  readonly sessions: SessionStore;
  readonly throttle: LoginThrottle;
  readonly sessionTokens: SessionTokens;
  readonly mediaTokens: MediaTokens;
  readonly accessTokens: AccessTokens;
  /** True for a token that was signed under the server's secret and is not over. */
  readonly isOperatorToken: (token: string) => boolean;
  readonly playerUrls: PlayerUrls;
  readonly lastSeen: LastSeen;
  readonly unauthenticated: UnauthenticatedThrottle;
  readonly sealer: Sealer;
  readonly settings: AuthSettings;
  readonly log: Logger;
  readonly now: () => number;
}

/** An account that a credential proved, and how. */
export interface Identity {
  readonly stored: StoredAccount;
  readonly by: Caller['by'];
  readonly key?: StoredKey;
  /** The session that the credential names, or the implicit one of a key. */
  readonly sessionKey?: SessionKey;
  readonly session?: SessionRecord;
  /** The credential's text, where it serves as a token again. */
  readonly token?: string;
}

/** A session and the account that it opens. */
export interface LiveSession {
  readonly stored: StoredAccount;
  readonly sessionKey: SessionKey;
  readonly session: SessionRecord;
}

const decoy = (seal: (text: string) => string): StoredAccount => {
  const id = 1 as UserId;
  const none = { fullName: null, fullNamePublic: false, email: null, disabled: true, catalogs: [] };
  const key = { keyId: 'nobody', userId: id, sha256: sha256Hex(randomToken()), sealedKey: seal(randomToken()) };
  return {
    account: { id, username: 'nobody', access: 5, ...none },
    sealedPasswordSha256: seal(sha256Hex(randomToken())),
    sealedPasswordArgon2id: null,
    sealedCompatPassword: seal(randomToken()),
    sealedStreamToken: null,
    passwordSetAtMs: null,
    keys: [key],
  };
};

/** The questions that all surfaces share: whose token is this, where does the call come from, may it come from there. */
export class Identities {
  /** The one place where credentials are checked and failures counted. */
  readonly checks: CredentialChecks;
  /** Credentials that need not be deciphered again. */
  readonly proven: ProvenCredentials;
  private readonly streamTokens = new WeakMap<StoredAccount, { readonly token: string | undefined }>();
  private readonly trusted: readonly Network[];
  private nobodys: StoredAccount | undefined;

  constructor(readonly parts: IdentityParts) {
    this.trusted = parseNetworks(parts.settings.TRUSTED_PROXIES);
    this.proven = new ProvenCredentials(parts.now);
    this.checks = new CredentialChecks(parts.throttle, (request) => this.address(request));
  }

  snapshot(): Promise<CredentialSnapshot> {
    return this.parts.reader.current();
  }

  address({ headers, peerAddress }: Pick<AuthRequest, 'headers' | 'peerAddress'>): string {
    return clientAddress(peerAddress, headers['x-forwarded-for'], this.trusted);
  }

  /** True when the request comes straight from a proxy that is believed. */
  isFromProxy({ peerAddress }: Pick<AuthRequest, 'peerAddress'>): boolean {
    return isTrustedProxy(peerAddress, this.trusted);
  }

  /** The check of a token that names no account beside it. */
  tokenCheck(snapshot: CredentialSnapshot, token: string): CredentialCheck<Identity> {
    return { find: () => this.byToken(snapshot, token), isOver: () => this.isOver(token), holderOf: this.holderOf };
  }

  /** Returns the holder of an identity's credential: sessions and signed tokens cannot be guessed. */
  readonly holderOf: CredentialCheck<Identity>['holderOf'] = ({ by, key, stored }) => {
    if (by === 'session' || by === 'media-token' || by === 'access-token') return 'unguessable';
    if (by === 'stream-token') return { keyId: `stream ${stored.account.id}` };
    return key && { keyId: key.keyId };
  };

  /** True for a token that this server gave out: what it opened has ended, or the account may not log in any more. */
  isOver(token: string, params: RequestParams = {}): boolean {
    const { sessionTokens, mediaTokens, accessTokens, playerUrls } = this.parts;
    return [sessionTokens, mediaTokens, accessTokens].some((tokens) => tokens.isOurs(token)) || playerUrls.isOurs(token, params);
  }

  /** Stands in for an account that there is not, or that may not log in: its secrets are opened and compared, too, so that it takes the same time. */
  get nobody(): StoredAccount {
    const { sealer } = this.parts;
    this.nobodys ??= decoy((text) => sealer.seal(text));
    return this.nobodys;
  }

  /** An account that may log in; undefined for a disabled one. */
  enabled(snapshot: CredentialSnapshot, id: UserId): StoredAccount | undefined {
    const stored = snapshot.userById(id);
    return stored?.account.disabled ? undefined : stored;
  }

  /** Authenticates a token as an API key, a live session, an access token of the web page, or SHA256(user + SHA256(key)), in this order. */
  async byToken(snapshot: CredentialSnapshot, token: string): Promise<Identity | undefined> {
    const key = snapshot.keyByText(token);
    if (key) return this.byKey(snapshot, key, token);
    const session = (await this.bySession(snapshot, token)) ?? (await this.byAccessToken(snapshot, token));
    if (session) return session;
    const hashed = snapshot.keyByUserHash(token);
    return hashed && this.byKey(snapshot, hashed, token);
  }

  /** Authenticates a signed media token. */
  byMediaToken(snapshot: CredentialSnapshot, token: string): Identity | undefined {
    const holder = this.parts.mediaTokens.check(token);
    const stored = holder && this.enabled(snapshot, holder.userId);
    if (!holder || !stored) return undefined;
    if (holder.apiKeyId === undefined) return { stored, by: 'media-token', token };
    const key = stored.keys.find(({ keyId }) => keyId === holder.apiKeyId);
    return key && { stored, by: 'media-token', key, token };
  }

  /** For whom the signed address of a player on the server plays; only as it was signed. */
  byPlayerUrl(snapshot: CredentialSnapshot, ssid: string, params: RequestParams): Identity | undefined {
    const userId = this.parts.playerUrls.check(ssid, params);
    const stored = userId && this.enabled(snapshot, userId);
    return stored && { stored, by: 'media-token' };
  }

  /** Authenticates a stream token, which is valid for playback only. */
  byStreamToken(snapshot: CredentialSnapshot, token: string): Identity | undefined {
    const stored = snapshot.userByStreamToken(token);
    return stored && !stored.account.disabled ? { stored, by: 'stream-token', token } : undefined;
  }

  private byKey(snapshot: CredentialSnapshot, key: StoredKey, token: string): Identity | undefined {
    const stored = this.enabled(snapshot, key.userId);
    if (!stored) return undefined;
    const sessionKey = keyOfImplicit(key.userId, key.keyId);
    const session = this.parts.sessions.peek(sessionKey);
    return { stored, by: 'api-key', key, sessionKey, token, ...(session ? { session } : {}) };
  }

  private async bySession(snapshot: CredentialSnapshot, token: string): Promise<Identity | undefined> {
    // Nothing else can be a session's token; looking it up elsewhere would cost a hop.
    if (!SESSION_TOKEN.test(token)) return undefined;
    const live = await this.liveSession(snapshot, keyOfToken(token));
    return live && { ...live, by: 'session', token };
  }

  /** Its token is no part of the identity: addresses of media are made with that of a session. */
  private async byAccessToken(snapshot: CredentialSnapshot, token: string): Promise<Identity | undefined> {
    const sessionKey = this.parts.accessTokens.check(token);
    const live = sessionKey && (await this.liveSession(snapshot, sessionKey));
    return live && { ...live, by: 'access-token' };
  }

  /** Session that has not ended, of an account that may log in. */
  async liveSession(snapshot: CredentialSnapshot, sessionKey: SessionKey): Promise<LiveSession | undefined> {
    const session = this.parts.sessions.peek(sessionKey) ?? (await this.parts.sessions.find(sessionKey));
    const stored = session && this.enabled(snapshot, session.userId);
    return !session || !stored || sessionIsOver(stored, session) ? undefined : { stored, sessionKey, session };
  }

  admits(snapshot: CredentialSnapshot, question: AccessQuestion): boolean {
    // With access control off there are no rows to ask: the API is closed, streams and the web are open.
    if (!this.parts.settings.ACCESS_CONTROL) return question.use === 'stream' || question.use === 'interface';
    return snapshot.admits(question);
  }

  /** @throws Rejection `access.address` when no row admits the account */
  requireAddress(snapshot: CredentialSnapshot, use: AccessUse, { stored }: Identity, address: string): void {
    if (!this.admits(snapshot, { use, address, userId: stored.account.id, level: LEAST_LEVEL })) {
      throw new Rejection('access.address', 'Access denied: the access list (ACL) does not admit you from this address', 'account');
    }
  }

  /** A stored secret's text; undefined when there is none, or when it was sealed under another server secret. */
  secret(sealed: string | null): string | undefined {
    if (sealed === null) return undefined;
    try {
      return this.parts.sealer.open(sealed);
    } catch (err) {
      this.parts.log.debug({ err }, 'a stored secret was sealed under another CONTINUO_SECRET');
      return undefined;
    }
  }

  /** The stream token of an account, deciphered once for each snapshot of it. */
  private streamToken(stored: StoredAccount): string | undefined {
    const kept = this.streamTokens.get(stored) ?? { token: this.secret(stored.sealedStreamToken) };
    this.streamTokens.set(stored, kept);
    return kept.token;
  }

  /** The key that an identity is proven by, be it through a session or a token that the key opened. */
  private keyBehind({ key, session, stored }: Identity): StoredKey | undefined {
    return key ?? (session?.apiKeyId === undefined ? undefined : stored.keys.find(({ keyId }) => keyId === session.apiKeyId));
  }

  /** The caller that an identity makes of a request. */
  caller(
    request: AuthRequest,
    identity: Identity,
    more: { readonly viaHeader: boolean; readonly session?: Session; readonly clientParam?: string },
  ): Caller {
    const { stored, by, key } = identity;
    const apiKeyId = key?.keyId ?? identity.session?.apiKeyId;
    const { scopes } = this.keyBehind(identity) ?? {};
    const streamToken = this.streamToken(stored);
    const artToken = this.parts.mediaTokens.sign({ userId: stored.account.id, apiKeyId });
    this.parts.lastSeen.note(stored.account.id);
    if (apiKeyId !== undefined) this.parts.lastSeen.noteKey(apiKeyId);
    const client = clientParam(request, more.clientParam) ?? more.session?.client ?? userAgent(request);
    return {
      account: stored.account,
      by,
      viaHeader: more.viaHeader,
      client,
      address: this.address(request),
      mediaToken: more.session?.token ?? artToken,
      artToken,
      ...(streamToken === undefined ? {} : { streamToken }),
      ...(apiKeyId === undefined ? {} : { apiKeyId }),
      ...(scopes ? { scopes } : {}),
      ...(more.session ? { session: more.session } : {}),
      ...(identity.session && identity.sessionKey && !key ? { sessionKey: identity.sessionKey } : {}),
    };
  }
}
