import type { RelayService } from '../messages/events/relay.events.js';

/** Accounts that are linked with scrobble services. Published by the playback service in the schema `playback`; `sealed_*` open with the account's key only. */
export interface RelayLinkTable {
  user_id: number;
  service: RelayService;
  run: number;
  host: string;
  sealed_address: string | null;
  sealed_credential: string;
  sealed_name: string;
  /** False once the service has refused the credential. */
  enabled: boolean;
  /** Place in the log of plays behind which this run began. */
  after_position: number;
  /** When this run began. */
  since_ms: number;
  linked_at_ms: number;
  changed_at_ms: number;
}

/** Progress of a link, and its holder. Kept beside the log: without it, a link goes on where its cursor says. */
export interface RelayProgressTable {
  user_id: number;
  service: RelayService;
  run: number;
  /** Holder of the link; a word made up for each turn, so that a former holder notices. */
  holder: string | null;
  held_until_ms: number;
  /** Time of the next turn; null when only new plays cause one. */
  next_at_ms: number | null;
  /** Failed tries in a row. */
  attempts: number;
  fault: string | null;
  taken: number;
  last_taken_at_ms: number | null;
  /** Position in the log of the latest start that was sent as "now playing". */
  playing_position: number;
}

/** Outcomes of scrobbled plays: kept for a while, and not part of the log. */
export interface RelayedPlayTable {
  user_id: number;
  service: RelayService;
  /** Place of the play in the log. */
  position: number;
  song_id: number;
  played_at_ms: number;
  outcome: 'taken' | 'ignored' | 'dropped' | 'dead';
  reason: string | null;
  at_ms: number;
}

/** Plays that an operator sends once more. */
export interface RelayReplayTable {
  user_id: number;
  service: RelayService;
  position: number;
  /** The event, as JSON text. */
  event: string;
}

/** Favourites to send to scrobble services: of each song the latest state, until it was sent. */
export interface RelayOpinionTable {
  user_id: number;
  service: RelayService;
  song_id: number;
  loved: boolean;
  /** Place of the word in the log. */
  position: number;
  attempts: number;
  next_at_ms: number;
}
