import type { PlayerAction, PlayerBackEnd, PlayerEntry, PlayerStatus } from '@continuo/contracts';

/** Outcome of an action of a player. */
export interface Controlled {
  /** False when the player would not. */
  readonly isAccepted: boolean;
  /** Present status. */
  readonly status: PlayerStatus;
}

/** Part of a queue. */
export interface QueuePage {
  readonly offset: number;
  readonly limit: number;
}

/** Status of a player, and part of its queue. */
export interface PlayerReading {
  readonly status: PlayerStatus;
  readonly entries: readonly PlayerEntry[];
}

/**
 * A program that plays on the server itself. It keeps queue, volume and place; we keep nothing, so that any replica can ask it.
 * Both methods refuse with Rejection `player.unreachable` when it does not answer in time.
 */
export interface Player {
  control(action: PlayerAction): Promise<Controlled>;
  read(page: QueuePage): Promise<PlayerReading>;
}

/** The players of this server, by the name of their back end. */
export type Players = Readonly<Record<PlayerBackEnd, Player>>;
