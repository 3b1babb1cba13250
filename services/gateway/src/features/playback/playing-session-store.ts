import type { PlayingSession } from './playing-session.js';

/** A client of an account. */
export interface Player {
  readonly userId: number;
  readonly client: string;
}

/** Most clients remembered per account; a further one replaces the one that was silent the longest. */
export const MAX_CLIENTS = 20;

/** Playback sessions of clients, shared by all gateways. Entries expire a day after the last report. */
export interface PlayingSessionStore {
  /** Last session of a client. */
  of(player: Player): PlayingSession | undefined;
  /** Last sessions of all accounts, or of one. */
  all(userId?: number): PlayingSession[];
  /**
   * Replaces a session by the result of `change`; undefined keeps it. `change` is repeated after a conflict with another gateway and runs before
   * the write, so its side effects must be idempotent.
   * @throws Rejection `unavailable` when it cannot be written
   */
  change(player: Player, change: (known: PlayingSession | undefined) => Promise<PlayingSession | undefined>): Promise<void>;
  /** True when the client reports its playback, so that its media requests say nothing about it. */
  isReporting(player: Player): boolean;
  close(): Promise<void>;
}

/** Sessions by account and client, in memory. */
export class PlayingSessions {
  readonly #byUser = new Map<number, Map<string, PlayingSession>>();

  get({ userId, client }: Player): PlayingSession | undefined {
    return this.#byUser.get(userId)?.get(client);
  }

  set(session: PlayingSession): void {
    const { userId, client } = session;
    const clients = this.#byUser.get(userId) ?? new Map<string, PlayingSession>();
    clients.set(client, session);
    this.#byUser.set(userId, clients);
  }

  delete({ userId, client }: Player): void {
    const clients = this.#byUser.get(userId);
    clients?.delete(client);
    if (clients?.size === 0) this.#byUser.delete(userId);
  }

  all(userId?: number): PlayingSession[] {
    if (userId !== undefined) return [...(this.#byUser.get(userId)?.values() ?? [])];
    return [...this.#byUser.values()].flatMap((clients) => [...clients.values()]);
  }

  /** Session to remove before another client of the account is added; undefined while there is room. */
  crowdedOut({ userId, client }: Player): PlayingSession | undefined {
    const clients = this.#byUser.get(userId);
    if (!clients || clients.size < MAX_CLIENTS || clients.has(client)) return undefined;
    return [...clients.values()].reduce((oldest, one) => (one.atMs < oldest.atMs ? one : oldest));
  }

  clear(): void {
    this.#byUser.clear();
  }
}

/** A read-only view of a store; changes are refused. */
export const readOnlySessions = (store: PlayingSessionStore, refuse: () => Promise<never>): PlayingSessionStore => ({
  of: (player) => store.of(player),
  all: (userId) => store.all(userId),
  isReporting: (player) => store.isReporting(player),
  change: refuse,
  close: () => store.close(),
});

/** Keeps the playback state that clients report. */
export interface HasPlaying {
  readonly playing: PlayingSessionStore;
}
