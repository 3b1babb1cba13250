import type { SongQuery } from './metadata.js';
import type { PluginCall } from './plugin-call.js';

/** Something that an account played to its end. */
export interface PlayedSong extends SongQuery {
  readonly albumArtist?: string | undefined;
  readonly trackNumber?: number | undefined;
  readonly releaseMbid?: string | undefined;
  readonly playedAtMs: number;
}

/** Why plays were not taken. */
export type ScrobbleOutcome =
  | { readonly outcome: 'taken' }
  /** They will not be sent again: the service does not want them. */
  | { readonly outcome: 'unwanted'; readonly reason: string }
  /** The secret is not valid (any more): nothing is sent until the account gives another. */
  | { readonly outcome: 'unlinked'; readonly reason: string }
  /** Later, at the earliest after this time. */
  | { readonly outcome: 'later'; readonly afterMs: number; readonly reason: string };

/** Tells another service what people play. Only accounts that gave a secret for it are told of. */
export interface Scrobbler {
  /** Hands over at most 25 plays, the oldest first. */
  scrobble(plays: { readonly secret: string; readonly plays: readonly PlayedSong[] }, call: PluginCall): Promise<ScrobbleOutcome>;
  /** Says what is being played now. Nobody waits for it, nothing is sent again. */
  nowPlaying?(play: { readonly secret: string; readonly song: SongQuery }, call: PluginCall): Promise<void>;
  /** Whether a secret is good, and whose it is there. */
  check?(link: { readonly secret: string }, call: PluginCall): Promise<{ readonly valid: boolean; readonly name?: string | undefined }>;
}
