import type { Sealer } from '@continuo/chassis';
import { Rejection, type UserId } from '@continuo/contracts';
import type { Logger } from 'pino';
import { LEAST_LEVEL, type AccessQuestion } from './access-rules.js';
import type { AccessUse, AuthRequest, Caller, RequestParams, Session } from './auth.js';
import type { AuthSettings } from './auth-settings.js';
import { clientAddress, isTrustedProxy, parseNetworks, type Network } from './client-address.js';
import type { CredentialReader } from './credential-reader.js';
import type { CredentialSnapshot, StoredAccount, StoredKey } from './credential-snapshot.js';
import type { LastSeen } from './last-seen.js';
import type { LoginThrottle } from './login-throttle.js';
import type { MediaTokens } from './media-token.js';
import type { PlayerUrls } from './player-urls.js';
import { sessionIsOver } from './session-end.js';
import { clientParam, userAgent } from './request-credentials.js';
import { keyOfImplicit, keyOfToken, SESSION_TOKEN, type SessionKey, type SessionRecord, type SessionStore } from './session-store.js';
import type { StrangerThrottle } from './stranger-throttle.js';

/** What proves callers, put together by the composition root. */
export interface IdentityParts {
  readonly reader: CredentialReader;
  readonly sessions: SessionStore;
  readonly throttle: LoginThrottle;
  readonly mediaTokens: MediaTokens;
  readonly playerUrls: PlayerUrls;
  readonly lastSeen: LastSeen;
  readonly strangers: StrangerThrottle;
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

/** The questions that all surfaces share: whose token is this, where does the call come from, may it come from there. */
export class Identities {
  private readonly trusted: readonly Network[];

  constructor(readonly parts: IdentityParts) {
    this.trusted = parseNetworks(parts.settings.TRUSTED_PROXIES);
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

  /** An account that may log in; undefined for a disabled one. */
  enabled(snapshot: CredentialSnapshot, id: UserId): StoredAccount | undefined {
    const stored = snapshot.userById(id);
    return stored?.account.disabled ? undefined : stored;
  }

  /** Whose token it is, tried as an API key, a live session, and SHA256(user + SHA256(key)), in this order (native README section 4). */
  async byToken(snapshot: CredentialSnapshot, token: string): Promise<Identity | undefined> {
    const key = snapshot.keyByText(token);
    if (key) return this.byKey(snapshot, key, token);
    const session = await this.bySession(snapshot, token);
    if (session) return session;
    const hashed = snapshot.keyByUserHash(token);
    return hashed && this.byKey(snapshot, hashed, token);
  }

  /** Whom a signed media token stands for. */
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

  /** Whose stream token it is; only media are played by it. */
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
    const sessionKey = keyOfToken(token);
    const session = this.parts.sessions.peek(sessionKey) ?? (await this.parts.sessions.find(sessionKey));
    const stored = session && this.enabled(snapshot, session.userId);
    return !session || !stored || sessionIsOver(stored, session) ? undefined : { stored, by: 'session', sessionKey, session, token };
  }

  admits(snapshot: CredentialSnapshot, question: AccessQuestion): boolean {
    // With access control off there are no rows to ask: the API is closed, streams and the web are open (native README section 5).
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

  /** The caller that an identity makes of a request. */
  caller(
    request: AuthRequest,
    identity: Identity,
    more: { readonly viaHeader: boolean; readonly session?: Session; readonly clientParam?: string },
  ): Caller {
    const { stored, by, key } = identity;
    const apiKeyId = key?.keyId ?? identity.session?.apiKeyId;
    const streamToken = this.secret(stored.sealedStreamToken);
    this.parts.lastSeen.note(stored.account.id);
    const client = clientParam(request, more.clientParam) ?? more.session?.client ?? userAgent(request);
    return {
      account: stored.account,
      by,
      viaHeader: more.viaHeader,
      client,
      address: this.address(request),
      mediaToken: more.session?.token ?? this.parts.mediaTokens.sign({ userId: stored.account.id, apiKeyId: key?.keyId }),
      ...(streamToken === undefined ? {} : { streamToken }),
      ...(apiKeyId === undefined ? {} : { apiKeyId }),
      ...(more.session ? { session: more.session } : {}),
    };
  }
}
