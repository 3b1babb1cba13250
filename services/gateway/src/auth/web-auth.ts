import { randomToken } from '@continuo/chassis';
import { Rejection, type UserId } from '@continuo/contracts';
import type { AuthRequest, OpenedWebSession, SessionView, WebAuth, WebCaller, WebSignIn } from './auth.js';
import type { StoredAccount } from './credential-snapshot.js';
import type { Identities } from './identities.js';
import { tooManyLogins } from './native-login.js';
import { argon2Check } from './password-check.js';
import { userAgent } from './request-credentials.js';
import { sessionIsOver } from './session-end.js';
import { keyOfWeb, WEB_TOKEN, type SessionKey, type SessionRecord } from './session-store.js';

const TOKEN_BITS = 256;
const HOUR_MS = 3_600_000;

/** What is said of every wrong login, whatever is wrong with it. */
const wrongLogin = (): Rejection => new Rejection('auth.failed', 'Wrong user name or password.', 'account');

const kindOf = (key: SessionKey): SessionView['kind'] => (key.startsWith('w.') ? 'web' : key.startsWith('k.') ? 'api-key' : 'player');

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
    if (!WEB_TOKEN.test(token)) return undefined;
    const { sessions } = this.identities.parts;
    const key = keyOfWeb(token);
    const record = sessions.peek(key) ?? (await sessions.find(key));
    const snapshot = await this.identities.snapshot();
    const stored = record && this.identities.enabled(snapshot, record.userId);
    if (!record?.web || !stored || sessionIsOver(stored, record)) return undefined;
    if (this.isTooOld(record)) {
      await sessions.end(key);
      return undefined;
    }
    const identity = { stored, by: 'session' } as const;
    this.identities.requireAddress(snapshot, 'interface', identity, this.identities.address(request));
    sessions.extend(key);
    return {
      token,
      caller: this.identities.caller(request, identity, { viaHeader: false }),
      signIn: record.web,
      openedAtMs: record.openedAtMs ?? 0,
    };
  }

  async confirm(request: AuthRequest, userId: UserId, password: string): Promise<void> {
    const stored = this.identities.enabled(await this.identities.snapshot(), userId);
    if (!stored || !(await this.isPassword(request, stored.account.username, stored, password)))
      throw new Rejection('auth.failed', 'That is not your current password.', 'account');
  }

  async throttled<T>(request: AuthRequest, work: () => Promise<T>): Promise<T> {
    const { throttle } = this.identities.parts;
    const attempt = { address: this.identities.address(request) };
    const delayMs = throttle.delayMs(attempt);
    if (delayMs > 0) throw tooManyLogins(delayMs);
    try {
      return await work();
    } catch (error) {
      if (error instanceof Rejection && error.code === 'auth.failed') await throttle.failed(attempt);
      throw error;
    }
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

  async accountByIdentity(identityDigest: string): ReturnType<WebAuth['accountByIdentity']> {
    return (await this.identities.snapshot()).userByIdentity(identityDigest)?.account;
  }

  async accountNamed(username: string): ReturnType<WebAuth['accountNamed']> {
    return (await this.identities.snapshot()).userByName(username)?.account;
  }

  isFromProxy(request: Pick<AuthRequest, 'peerAddress'>): boolean {
    return this.identities.isFromProxy(request);
  }

  /** Checks and counts. What is counted is looked at again in the check's place, so that tries that come at once are no more than a few too many. */
  private isPassword(request: AuthRequest, username: string, stored: StoredAccount | undefined, password: string): Promise<boolean> {
    const { throttle } = this.identities.parts;
    const attempt = { address: this.identities.address(request), username };
    const before = (): void => {
      const delayMs = throttle.delayMs(attempt);
      if (delayMs > 0) throw tooManyLogins(delayMs);
    };
    before();
    const after = async (isRight: boolean): Promise<void> => {
      if (isRight) throttle.succeeded(attempt);
      else await throttle.failed(attempt);
    };
    return this.passwords.check(this.identities.secret(stored?.sealedPasswordArgon2id ?? null), password, { before, after });
  }

  /** A session under a new token, whatever the request came with: nobody can be given a session that somebody else knows. */
  private async opened(request: AuthRequest, stored: StoredAccount, web: WebSignIn): Promise<OpenedWebSession> {
    const { sessions, now } = this.identities.parts;
    const identity = { stored, by: 'session' } as const;
    this.identities.requireAddress(await this.identities.snapshot(), 'interface', identity, this.identities.address(request));
    const token = randomToken(TOKEN_BITS);
    const session = { userId: stored.account.id, version: '', client: userAgent(request), openedAtMs: now(), web };
    await sessions.open(keyOfWeb(token), session);
    return { token, caller: this.identities.caller(request, identity, { viaHeader: false }) };
  }

  private isTooOld({ openedAtMs = 0 }: SessionRecord): boolean {
    const { settings, now } = this.identities.parts;
    return openedAtMs + settings.WEB_SESSION_MAX_HOURS * HOUR_MS <= now();
  }
}
