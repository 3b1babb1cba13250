import { Rejection, type UserId } from '@continuo/contracts';
import type { AccessToken, AuthRequest, OpenedWebSession, SessionView, WebAuth, WebCaller, WebSignIn } from './auth.js';
import type { CredentialSnapshot, StoredAccount } from './credentials/credential-snapshot.js';
import type { Identities, LiveSession } from './credentials/identities.js';
import { argon2Check } from './credentials/password-check.js';
import { userAgent } from './credentials/request-credentials.js';
import { keyOfWeb, WEB_KEY, WEB_TOKEN, type SessionKey } from './sessions/session-key.js';
import type { SessionRecord } from './sessions/session-store.js';

const HOUR_MS = 3_600_000;

/** Builds the rejection of a failed login, the same for every cause. */
const wrongLogin = (): Rejection => new Rejection('auth.failed', 'Wrong user name or password.', 'account');

const kindOf = (key: SessionKey): SessionView['kind'] => (key.startsWith(WEB_KEY) ? 'web' : key.startsWith('k.') ? 'api-key' : 'player');

interface LiveWebSession extends LiveSession {
  readonly web: WebSignIn;
}

/** Logins of the web page: same accounts, same throttle, same bucket of sessions as the APIs, but credentials of its own. */
export const webAuth = (identities: Identities): WebAuth => new WebLogins(identities);

class WebLogins implements WebAuth {
  private readonly passwords = argon2Check();

  constructor(private readonly identities: Identities) {}

  async signIn(
    request: AuthRequest,
    { username, password }: { readonly username: string; readonly password: string },
  ): Promise<OpenedWebSession> {
    const snapshot = await this.identities.snapshot();
    const known = snapshot.userByName(username);
    const stored = known?.account.disabled ? undefined : known;
    if (!(await this.isPassword(request, username, stored, password)) || !stored) throw wrongLogin();
    return this.opened(request, stored, { by: 'password' });
  }

  async open(request: AuthRequest, userId: UserId, how: WebSignIn): Promise<OpenedWebSession> {
    const stored = this.identities.enabled(await this.identities.snapshot(), userId);
    if (!stored) throw new Rejection('auth.failed', 'This account is disabled.', 'account');
    return this.opened(request, stored, how);
  }

  async caller(request: AuthRequest, token: string): Promise<WebCaller | undefined> {
    const snapshot = await this.identities.snapshot();
    const live = await this.identities.checks.check(request, {
      find: () => this.liveSession(snapshot, token),
      isOver: () => this.identities.isOver(token),
      holderOf: () => 'unguessable',
    });
    if (!live) return undefined;
    const { sessions } = this.identities.parts;
    const { sessionKey, stored, web, session } = live;
    if (this.isTooOld(session)) {
      await sessions.end(sessionKey);
      return undefined;
    }
    const identity = { stored, by: 'session' } as const;
    this.identities.requireAddress(snapshot, 'interface', identity, this.identities.address(request));
    sessions.extend(sessionKey);
    const { openedAtMs = 0 } = session;
    return { token, caller: this.identities.caller(request, identity, { viaHeader: false }), signIn: web, openedAtMs };
  }

  private async liveSession(snapshot: CredentialSnapshot, token: string): Promise<LiveWebSession | undefined> {
    if (!WEB_TOKEN.test(token)) return undefined;
    const live = await this.identities.liveSession(snapshot, keyOfWeb(token));
    return live?.session.web && { ...live, web: live.session.web };
  }

  accessToken(token: string): AccessToken {
    return this.identities.parts.accessTokens.sign(keyOfWeb(token));
  }

  async confirm(request: AuthRequest, userId: UserId, password: string): Promise<void> {
    const stored = this.identities.enabled(await this.identities.snapshot(), userId);
    if (!stored || !(await this.isPassword(request, stored.account.username, stored, password)))
      throw new Rejection('auth.failed', 'That is not your current password.', 'account');
  }

  async throttled<T>(request: AuthRequest, work: () => Promise<T>): Promise<T> {
    const { checks } = this.identities;
    checks.requireNoDelay(request);
    let refused: Rejection | undefined;
    const find = async (): Promise<{ readonly done: T } | undefined> => {
      try {
        return { done: await work() };
      } catch (error) {
        if (!(error instanceof Rejection) || error.code !== 'auth.failed') throw error;
        refused = error;
        return undefined;
      }
    };
    const outcome = await checks.check(request, { find, holderOf: () => undefined });
    if (!outcome) throw refused ?? wrongLogin();
    return outcome.done;
  }

  async hasPassword(userId: UserId): Promise<boolean> {
    return ((await this.identities.snapshot()).userById(userId)?.sealedPasswordArgon2id ?? null) !== null;
  }

  async signOut(token: string): Promise<void> {
    if (WEB_TOKEN.test(token)) await this.identities.parts.sessions.end(keyOfWeb(token));
  }

  sessions(userId: UserId): readonly SessionView[] {
    const known = this.identities.parts.sessions.ofUser(userId);
    const views = known.map(([key, { client, openedAtMs, expiresAtMs }]) => ({
      id: key,
      kind: kindOf(key),
      client,
      openedAtMs,
      expiresAtMs,
    }));
    return views.toSorted((a, b) => (b.openedAtMs ?? 0) - (a.openedAtMs ?? 0));
  }

  sessionId(token: string): string {
    return keyOfWeb(token);
  }

  async endSession(userId: UserId, id: string): Promise<boolean> {
    const { sessions } = this.identities.parts;
    const own = sessions.ofUser(userId).find(([key]) => key === id);
    return own !== undefined && sessions.end(own[0]);
  }

  async endSessionsOfProvider(userId: UserId, isMeant: (signIn: WebSignIn) => boolean): Promise<number> {
    const { sessions } = this.identities.parts;
    const meant = sessions.ofUser(userId).filter(([, { web }]) => web?.by === 'provider' && isMeant(web));
    const ended = await Promise.all(meant.map(([key]) => sessions.end(key)));
    return ended.filter(Boolean).length;
  }

  async accountByIdentity(identityDigest: string): ReturnType<WebAuth['accountByIdentity']> {
    return (await this.identities.snapshot()).userByIdentity(identityDigest)?.account;
  }

  async accountNamed(username: string): ReturnType<WebAuth['accountNamed']> {
    return (await this.identities.snapshot()).userByName(username)?.account;
  }

  isFromProxy(request: Pick<AuthRequest, 'peerAddress'>): boolean {
    return this.identities.isFromProxy(request);
  }

  private async isPassword(request: AuthRequest, username: string, stored: StoredAccount | undefined, password: string): Promise<boolean> {
    const { checks } = this.identities;
    // Asked again in the check's place: tries that come at once are no more than a few too many.
    const before = (): void => checks.requireNoDelay(request, username);
    before();
    const kept = this.identities.secret(stored?.sealedPasswordArgon2id ?? null);
    const find = async (): Promise<true | undefined> => (await this.passwords.check(kept, password, before)) || undefined;
    return (await checks.check(request, { username, find, holderOf: () => undefined })) === true;
  }

  /** A session under a new token, whatever the request came with: nobody can be given a session that somebody else knows. */
  private async opened(request: AuthRequest, stored: StoredAccount, web: WebSignIn): Promise<OpenedWebSession> {
    const { sessions, sessionTokens, now } = this.identities.parts;
    const identity = { stored, by: 'session' } as const;
    this.identities.requireAddress(await this.identities.snapshot(), 'interface', identity, this.identities.address(request));
    const token = sessionTokens.forWeb();
    const session = { userId: stored.account.id, version: '', client: userAgent(request), openedAtMs: now(), web };
    await sessions.open(keyOfWeb(token), session);
    return { token, caller: this.identities.caller(request, identity, { viaHeader: false }) };
  }

  private isTooOld({ openedAtMs = 0 }: SessionRecord): boolean {
    const { settings, now } = this.identities.parts;
    return openedAtMs + settings.WEB_SESSION_MAX_HOURS * HOUR_MS <= now();
  }
}
