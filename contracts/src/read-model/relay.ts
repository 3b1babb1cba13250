import type { RelayService } from '../messages/events/relay.events.js';

/** Accounts that are linked with services elsewhere. Published by the playback service in the schema `playback`; `sealed_*` open with the account's key only. */
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

/** How far a link is, and who works on it. Kept beside the log: without it, a link goes on where its cursor says. */
export interface RelayProgressTable {
  user_id: number;
  service: RelayService;
  run: number;
  /** Who works on it; a word made up for each turn, so that a former holder notices. */
  holder: string | null;
  held_until_ms: number;
  /** When there is something to do; null: when something happens. */
  next_at_ms: number | null;
  /** Failed tries in a row. */
  attempts: number;
  fault: string | null;
  taken: number;
  last_taken_at_ms: number | null;
  /** Place in the log of the latest start that was told. */
  playing_position: number;
}

/** What became of plays: kept for a while, and not part of the log. */
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

/** Favourites that services are to be told of: of each song the latest word, until it was said. */
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
