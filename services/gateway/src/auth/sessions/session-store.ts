import type { UserId } from '@continuo/contracts';
import type { Geo, WebSignIn } from '../auth.js';
import type { SessionKey } from './session-key.js';

/** Stored session. It does not hold its token: the key is the token's digest. */
export interface SessionRecord {
  readonly userId: UserId;
  /** The API key with which it was opened; revoking the key ends the session. */
  readonly apiKeyId?: string;
  /** `version` as the client spelt it; empty when it named none. */
  readonly version: string;
  readonly client: string;
  /** Epoch milliseconds; absent from sessions of an earlier release. */
  readonly openedAtMs?: number;
  readonly geo?: Geo;
  /** Present on sessions of the web page, which open nothing else. */
  readonly web?: WebSignIn;
  /** Epoch milliseconds; null = never. */
  readonly expiresAtMs: number | null;
}

/** Fields of a new session. */
export type NewSession = Omit<SessionRecord, 'expiresAtMs'>;

/** Sessions, shared by all gateways. Finding one that is in use costs no message hop. */
export interface SessionStore {
  /** Keeps a new session durably, so that every gateway finds it from now on. */
  open(key: SessionKey, session: NewSession): Promise<SessionRecord>;
  /** As {@link SessionStore.open}, written behind the request: for sessions that come into being again by themselves. */
  openBehind(key: SessionKey, session: NewSession): SessionRecord;
  /** The session as this gateway has it in memory; undefined when it is unknown here, has ended or is over. */
  peek(key: SessionKey): SessionRecord | undefined;
  /** The version of a session that is live or has been, as long as this gateway remembers it; undefined for any other. */
  versionOf(key: SessionKey): string | undefined;
  /** The live session; asks the other gateways' writes when it is unknown here. */
  find(key: SessionKey): Promise<SessionRecord | undefined>;
  /**
   * Lets the session live on from now. Written behind the request, and only once a tenth of the lifetime has passed since the last time, unless
   * `always` is set.
   */
  extend(key: SessionKey, always?: boolean): SessionRecord | undefined;
  /** Returns the number of live sessions. */
  count(): number;
  /** Changes the session's version durably. */
  setVersion(key: SessionKey, version: string): Promise<SessionRecord | undefined>;
  /** Ends the session everywhere; false when there was none. */
  end(key: SessionKey): Promise<boolean>;
  /** The live sessions of an account, as this gateway has them in memory. */
  ofUser(userId: UserId): readonly (readonly [SessionKey, SessionRecord])[];
  /** Ends every session of which the test says so, everywhere; answers how many. */
  endWhere(isOver: (record: SessionRecord) => boolean): Promise<number>;
  /** Writes what is still waiting and lets go. */
  close(): Promise<void>;
}
