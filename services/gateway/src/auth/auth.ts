import type { AccessLevel, KeyScope, UserId } from '@continuo/contracts';
import type { VisibleCatalogs } from '../reads/visibility/viewer.js';
import type { SessionKey } from './sessions/session-key.js';

/** Request parameters after the edge has merged them: path beats body beats query. Values are text, numbers of a JSON body, or lists of text. */
export type RequestParams = Readonly<Record<string, unknown>>;

/** Parts of a request that authentication reads. */
export interface AuthRequest {
  /** Header names in lower case, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly params: RequestParams;
  /** Address of the connection's other end; proxies are looked through by the configured list. */
  readonly peerAddress: string;
}

/** Kinds of use that the access list tells apart. */
export type AccessUse = 'rpc' | 'stream' | 'interface' | 'network';

/** An account as the edges may see it: no secret in it. */
export interface Account {
  readonly id: UserId;
  readonly username: string;
  readonly access: AccessLevel;
  readonly fullName: string | null;
  readonly fullNamePublic: boolean;
  readonly email: string | null;
  readonly disabled: boolean;
  /** The catalogs that it may see; every read asks for them. */
  readonly catalogs: VisibleCatalogs;
  /** Highest bit rate at which it is sent media, bit/s; null or absent: any. */
  readonly maxBitrateBps?: number | null;
}

/** A session as its holder may know it. */
export interface Session {
  /** Token that the client sends as `auth`; absent from an implicit session, which lives by its key alone. */
  readonly token?: string;
  /** The `version` text of the handshake or of the latest `ping` that named one, exactly as the client spelt it; empty when it named none. */
  readonly version: string;
  readonly client: string;
  readonly geo?: Geo;
  /** Epoch milliseconds; null when sessions never end. */
  readonly expiresAtMs: number | null;
}

/** Location that a client reports. */
export interface Geo {
  readonly latitude?: number;
  readonly longitude?: number;
  readonly name?: string;
}

/** Route kind of a media credential: a stream token is valid for playback only. */
export type MediaPlace = 'play' | 'picture';

/** Method of a web login. */
export interface WebSignIn {
  readonly by: 'password' | 'provider' | 'proxy';
  /** The identity provider's word about the login, sealed; it is handed back when signing out there. */
  readonly sealedIdToken?: string | undefined;
}

/** A web session that was opened; its token goes into a cookie and nowhere else. */
export interface OpenedWebSession {
  readonly token: string;
  readonly caller: Caller;
}

/** Account that is signed in to the web page. */
export interface WebCaller extends OpenedWebSession {
  readonly signIn: WebSignIn;
  /** When the session was opened, epoch milliseconds. */
  readonly openedAtMs: number;
}

/** A session as its owner sees it. `id` names it and opens nothing. */
export interface SessionView {
  readonly id: string;
  readonly kind: 'web' | 'player' | 'api-key';
  readonly client: string;
  /** Epoch milliseconds; undefined when it is not known. */
  readonly openedAtMs: number | undefined;
  readonly expiresAtMs: number | null;
}

/** A token by which the web page calls the APIs for a short time, and its end, epoch milliseconds. */
export interface AccessToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** Logins of the web page. Its sessions open the page and nothing else, and no credential of the APIs opens the page. */
export interface WebAuth {
  /**
   * Proves somebody by name and password, checked with Argon2id, and opens a session.
   * @throws Rejection `auth.failed`, the same for an unknown name, a wrong password and a disabled account, `auth.throttled`, `access.address`, `unavailable`
   */
  signIn(request: AuthRequest, given: { readonly username: string; readonly password: string }): Promise<OpenedWebSession>;
  /**
   * Opens a session for somebody whom a provider or a proxy has proven.
   * @throws Rejection `auth.failed` for an account that is gone or disabled, `access.address`, `unavailable`
   */
  open(request: AuthRequest, userId: UserId, how: WebSignIn): Promise<OpenedWebSession>;
  /** Returns the caller of a session cookie and extends the session; undefined for an expired or unknown one. @throws Rejection `access.address`, `unavailable` */
  caller(request: AuthRequest, token: string): Promise<WebCaller | undefined>;
  /** Makes an access token, by which a page with the session of a cookie's token calls the APIs. */
  accessToken(token: string): AccessToken;
  /** Asks somebody who is signed in for the password again. @throws Rejection `auth.failed`, `auth.throttled` */
  confirm(request: AuthRequest, userId: UserId, password: string): Promise<void>;
  /**
   * Runs a step that an unauthenticated client could use to guess credentials, such as the return from a provider: `auth.failed` counts as a failed login from their address.
   * @throws Rejection `auth.throttled` after too many, and what the work throws
   */
  throttled<T>(request: AuthRequest, work: () => Promise<T>): Promise<T>;
  /** True for an account that has a login password. */
  hasPassword(userId: UserId): Promise<boolean>;
  /** Ends the session of a cookie's token, on every gateway. */
  signOut(token: string): Promise<void>;
  /** An account's live sessions, newest first; `token` tells which of them is the asker's own. */
  sessions(userId: UserId): readonly SessionView[];
  /** The id under which {@link WebAuth.sessions} names the session of a token. */
  sessionId(token: string): string;
  /** Ends one session of an account; false when it has none of this id. */
  endSession(userId: UserId, id: string): Promise<boolean>;
  /** Ends the sessions of an account that began at the provider and that `isMeant`, on every gateway. Answers how many. */
  endSessionsOfProvider(userId: UserId, isMeant: (signIn: WebSignIn) => boolean): Promise<number>;
  /** The account that an identity at a provider opens. */
  accountByIdentity(identityDigest: string): Promise<Account | undefined>;
  /** The account of a name, in any letter case. */
  accountNamed(username: string): Promise<Account | undefined>;
  /** True when the request comes straight from one of `TRUSTED_PROXIES`. */
  isFromProxy(request: Pick<AuthRequest, 'peerAddress'>): boolean;
}

/** A credential to be checked: looked up, and counted when it is wrong. */
export interface CredentialCheck<T> {
  /** The account name beside the credential, as typed; absent for one that stands alone. */
  readonly username?: string | undefined;
  /** Looks up what the credential opens; undefined when that is nothing. */
  readonly find: () => Promise<T | undefined> | T | undefined;
  /** True for a credential that this server gave out and that has ended: whoever sends it does not guess. */
  readonly isOver?: () => boolean;
  /** Returns the key id of a found credential, or `unguessable` for random and signed tokens, which are accepted during a delay, too. */
  readonly holderOf: (found: T) => { readonly keyId: string } | 'unguessable' | undefined;
}

/** Rate-limited action of an unauthenticated client. */
export type UnauthenticatedAction = 'register' | 'confirm' | 'lost-password';

/** Authenticated caller of a request. */
export interface Caller {
  readonly account: Account;
  /** Kind of credential. */
  readonly by: 'session' | 'access-token' | 'api-key' | 'password' | 'stream-token' | 'media-token' | 'operator';
  /** True when a header carried the credential; such a call may name its own `version`. */
  readonly viaHeader: boolean;
  /** Present on calls of the native API: the session, implicit for a bare key. */
  readonly session?: Session;
  /** The session in the store whose token, or access token, was the credential. */
  readonly sessionKey?: SessionKey;
  /** Id of the API key, when one was used. */
  readonly apiKeyId?: string;
  /** Scopes of the API key, also of one behind a session or a token; absent: every scope. */
  readonly scopes?: readonly KeyScope[];
  /** `client` parameter (`c` of the compatibility API), else the session's client, else the user agent. */
  readonly client: string;
  /** The client's own address in canonical text, IPv4-mapped addresses as IPv4. */
  readonly address: string;
  /**
   * Token for play URLs handed to this caller (`ssid`): the session's token, or a signed token that expires
   * and opens nothing but media. The same text all through an hour, so that URLs stay cacheable.
   */
  readonly mediaToken: string;
  /** Token for the addresses of pictures: signed, it expires, and opens nothing but media. The same text all through an hour. */
  readonly artToken: string;
  /** The account's stream token, when it has one: what its play URLs carry in the place of {@link Caller.mediaToken}. */
  readonly streamToken?: string;
}

/** Why a call of the compatibility API is refused; the edge maps each to its number. */
export type CompatFailure =
  /** 10: `u`, or every credential, or the salt is missing; `parameter` names it. */
  | { readonly reason: 'missing-parameter'; readonly parameter: string }
  /** 40: unknown user, wrong password or token, an account without a password, a disabled account: all alike. */
  | { readonly reason: 'wrong-credentials' }
  /** 41: salted tokens are switched off on this server. */
  | { readonly reason: 'token-unsupported' }
  /** 42: this way of logging in is switched off on this server. */
  | { readonly reason: 'mechanism-unsupported' }
  /** 43: `apiKey` beside `u`, `p`, `t` or `s`, or `p` beside `t` or `s`. */
  | { readonly reason: 'conflicting-mechanisms' }
  /** 44: unknown or revoked key, bearer token included. */
  | { readonly reason: 'invalid-key' }
  /** 50: the key lacks the scope `listen`. */
  | { readonly reason: 'scope-denied' }
  /** 50: no access-list row admits this account from this address. */
  | { readonly reason: 'address-denied' }
  /** 40 with a text that says so: too many failed logins; `retryAfterMs` from now. */
  | { readonly reason: 'throttled'; readonly retryAfterMs: number };

/** Outcome of a login to the compatibility API. */
export type CompatResult = { readonly ok: true; readonly caller: Caller } | { readonly ok: false; readonly failure: CompatFailure };

/** Result of a handshake, or of a ping with a valid credential. */
export interface NativeSession {
  readonly caller: Caller;
  readonly session: Session;
  /** Value of `auth` in the answer: the session token; for `ping` with a bare key the key itself. */
  readonly token: string;
  /** Value of `session_expire`, epoch milliseconds: a minute before the true end; null when sessions never end. */
  readonly reportedExpiryMs: number | null;
}

/** Everything the HTTP surfaces ask about who is calling. In the steady state no call costs a message hop or a statement. */
export interface Auth {
  /** False when the access list is switched off: the native edge answers 4700 to everything but media. */
  readonly accessControl: boolean;

  /**
   * Reads the call's session without authenticating: chooses the dialect before the other checks. A session that is
   * over is answered in its version, too. `version` is absent when no session is named that this gateway knows or remembers. Costs nothing.
   */
  peekNative(request: AuthRequest): { readonly version?: string; readonly viaHeader: boolean };

  /**
   * Proves the caller of a native method that is not public, checks the access list for `rpc` at level 5, extends the session.
   * Identity comes from `Authorization: Bearer`, `Authorization: ApiKey`, header `auth`, parameter `auth`, the first one named deciding.
   * @param scope that a key needs; `listen` when absent
   * @throws Rejection `feature.disabled` (4700: access control off), `auth.expired` (4701 `Session Expired`), `auth.throttled` (4701),
   *   `access.address` and `access.scope` (4742), `unavailable` (4702) while accounts cannot be read
   */
  authenticateNative(request: AuthRequest, scope?: KeyScope): Promise<Caller>;

  /** The server's operator when the request bears a token under the server's secret; undefined for anything else. No access list and no account stands in the way. */
  operator(request: AuthRequest): Caller | undefined;

  /**
   * Opens a session. A live session token extends its session instead of opening another.
   * @param version the `version` parameter as the client spelt it, empty when absent
   * @throws Rejection `auth.failed` with the text to report and subject `account` (4701), `auth.throttled` (4701), `access.address` (4742),
   *   `feature.disabled` (4700), `unavailable` (4702)
   */
  handshake(request: AuthRequest, version: string): Promise<NativeSession>;

  /**
   * Extends the caller's session, gives it another dialect when `version` is not empty, and answers undefined (never throws) when the
   * request names no live credential, so that ping stays public.
   */
  ping(request: AuthRequest, version: string): Promise<NativeSession | undefined>;

  /**
   * Ends the session that the `auth` parameter (else the header) names and answers the token for the success text.
   * @throws Rejection `input.missing` subject `auth` (4710), `input.invalid` subject `account` (4710) for an unknown token, `auth.throttled` (4701)
   */
  goodbye(request: AuthRequest): Promise<string>;

  /** Proves the caller of the compatibility API and checks the access list for `rpc`. Never throws but `unavailable`. */
  authenticateCompat(request: AuthRequest): Promise<CompatResult>;

  /**
   * Proves the caller of `/play/index.php` and `/image.php`: header credentials as in {@link Auth.authenticateNative}, else `ssid` or `auth`
   * (session or media token; at play addresses a stream token as `ssid`, too), else `apikey`, else `u` with `p`. Checks the access list for `stream`.
   * @throws Rejection `auth.expired`, `auth.throttled`, `access.address`, `unavailable`
   */
  authenticateMedia(request: AuthRequest, place?: MediaPlace): Promise<Caller>;

  /**
   * Answers how to ask, as often as one likes, whether what let the caller in still holds: the account, its session, key or password, and the access list. For
   * answers that go on for long. The question throws `unavailable` while accounts cannot be read.
   */
  authorizationCheckOf(caller: Caller): Promise<() => Promise<boolean>>;

  /** An account by id, as of the latest projected change; undefined when there is none. */
  account(id: UserId): Promise<Account | undefined>;

  /** True when the access list admits the account (null: nobody in particular) from the address for this use at this level. */
  admits(use: AccessUse, address: string, userId: UserId | null, level?: AccessLevel): Promise<boolean>;

  /** When an account was last seen, epoch milliseconds, to the minute; undefined when it never was, or very long ago. */
  lastSeenAtMs(id: UserId): number | undefined;

  /** When an API key was last used, epoch milliseconds, to the minute; undefined when it never was, or before that was kept. */
  keyLastUsedAtMs(keyId: string): number | undefined;

  /**
   * Counts what somebody does who is not logged in, by address and, when one is given, by what it is about; the counts are shared by all gateways.
   * @throws Rejection `auth.throttled` after too many in the window of failed logins, `access.address` when no row admits anybody from the address
   */
  limitUnauthenticated(request: AuthRequest, act: UnauthenticatedAction, about?: string): Promise<void>;

  /**
   * Checks a credential of another kind, such as the secret of a share: wrong ones count as failed logins from their address.
   * @throws Rejection `auth.throttled` while there were too many, and what the lookup throws
   */
  checkCredential<T>(request: AuthRequest, check: CredentialCheck<T>): Promise<T | undefined>;

  /** The client's own address, looking through trusted proxies. */
  clientAddress(request: Pick<AuthRequest, 'headers' | 'peerAddress'>): string;

  /** Logins of the web page. */
  readonly web: WebAuth;

  /** Stops watching and writes the session extensions that are still waiting. */
  close(): Promise<void>;
}

/** Authenticates callers. */
export interface HasAuth {
  readonly auth: Auth;
}
