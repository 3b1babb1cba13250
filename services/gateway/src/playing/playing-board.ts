import { tells, type PlayingSession } from './playing-session.js';

/** Who plays with what. */
export interface Player {
  readonly userId: number;
  readonly client: string;
}

/** As many clients of one account are remembered; a further one takes the place of the one that was quiet the longest. */
export const MOST_CLIENTS = 20;

/** What clients say of what they play, the same on every gateway. Forgotten a day after the last word, since nothing durable depends on it. */
export interface PlayingBoard {
  /** What a client last said. */
  of(player: Player): PlayingSession | undefined;
  /** What everybody last said, or one account. */
  all(userId?: number): PlayingSession[];
  /**
   * Writes what `change` makes of what is known; undefined leaves it. It may be asked again, when another gateway was faster: what it does besides must be
   * harmless when done twice, and is done before anything is written.
   * @throws Rejection `unavailable` when it cannot be written
   */
  change(player: Player, change: (known: PlayingSession | undefined) => Promise<PlayingSession | undefined>): Promise<void>;
  /** True when the client is known to say by itself what it plays, so that what it fetches means nothing. */
  isTold(player: Player): boolean;
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

  /** The client that has to go before another one of the account can come; undefined while there is room. */
  crowdedOut({ userId, client }: Player): PlayingSession | undefined {
    const clients = this.#byUser.get(userId);
    if (!clients || clients.size < MOST_CLIENTS || clients.has(client)) return undefined;
    return [...clients.values()].reduce((oldest, one) => (one.atMs < oldest.atMs ? one : oldest));
  }

  clear(): void {
    this.#byUser.clear();
  }
}

/** A board of one process alone, for specs; `shared` lets several be one. */
export const inMemoryPlaying = (now: () => number, shared: PlayingSessions = new PlayingSessions()): PlayingBoard => ({
  of: (player) => shared.get(player),
  all: (userId) => shared.all(userId),
  change: async (player, change) => {
    let known: PlayingSession | undefined;
    let next: PlayingSession | undefined;
    do {
      known = shared.get(player);
      next = await change(known);
      if (!next) return;
    } while (shared.get(player) !== known);
    const oldest = shared.crowdedOut(player);
    if (oldest) shared.delete(oldest);
    shared.set(next);
  },
  isTold: (player) => {
    const known = shared.get(player);
    return known !== undefined && tells(known, now());
  },
  close: async () => undefined,
});

/** A board that can be looked at, while every change is refused. */
export const unchanging = (board: PlayingBoard, refuse: () => Promise<never>): PlayingBoard => ({
  of: (player) => board.of(player),
  all: (userId) => board.all(userId),
  isTold: (player) => board.isTold(player),
  change: refuse,
  close: () => board.close(),
});
