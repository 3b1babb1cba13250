/** A listen, as it is sent to scrobble services. Unknown fields are absent. */
export interface Listen {
  /** Place of the play in the log. */
  readonly position: number;
  readonly songId: number;
  /** When it began, epoch milliseconds. */
  readonly playedAtMs: number;
  /** Name of the player. */
  readonly client: string;
  readonly artist: string;
  readonly title: string;
  readonly album?: string | undefined;
  readonly albumArtist?: string | undefined;
  readonly durationMs: number;
  readonly track?: number | undefined;
  readonly disk?: number | undefined;
  /** MusicBrainz ids. */
  readonly recordingMbid?: string | undefined;
  readonly trackMbid?: string | undefined;
  readonly releaseMbid?: string | undefined;
  readonly artistMbids: readonly string[];
  readonly isrc?: string | undefined;
}

/** A song, and whether somebody loves it. */
export type LovedSong = Pick<Listen, 'artist' | 'title' | 'recordingMbid'> & { readonly loved: boolean };

/** Outcome of one listen at a service. */
export type ListenOutcome = 'taken' | { readonly ignored: string };

/** Outcome of a submission. */
export type Submission =
  /** An outcome for each listen, in their order; how long nothing more may be sent, where the service says so. */
  | { readonly kind: 'taken'; readonly outcomes: readonly ListenOutcome[]; readonly pauseMs?: number | undefined }
  /** It will never take this, whatever is tried. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It does not know the account any more. */
  | { readonly kind: 'unauthorized'; readonly reason: string }
  /** It may take it later. */
  | {
      readonly kind: 'later';
      readonly reason: string;
      /** Pause that the service asked for, ms. */
      readonly retryAfterMs?: number | undefined;
      /** True when it may be that these very listens break it: after some tries they are put aside one by one. */
      readonly isSuspect?: boolean | undefined;
      /** Of the answer, where that says more. */
      readonly status?: number | undefined;
    };

/** Address and credential of an account at a service. */
export interface RelayTarget {
  /** Base URL of the API, without a slash at the end. */
  readonly baseUrl: string;
  readonly credential: string;
}

/** An account that a service knows. */
export interface KnownAccount {
  readonly name: string;
  readonly credential: string;
}

/** A scrobble service, by its protocol. No method throws for a fault of the service; each throws the reason of `signal` when that fires. */
export interface Scrobbler {
  /** Listens of one request. */
  readonly maxListens: number;
  /** Listens that began before that are not taken; undefined where any age will do. */
  readonly maxAgeMs: number | undefined;
  submit(target: RelayTarget, listens: readonly Listen[], signal?: AbortSignal): Promise<Submission>;
  /** Says what is being played; it counts as nothing. */
  nowPlaying(target: RelayTarget, listen: Listen, signal?: AbortSignal): Promise<Submission>;
  /** Sends that the account loves a song, or does so no more. `refused` when the service does not accept this one. */
  love(target: RelayTarget, song: LovedSong, signal?: AbortSignal): Promise<Submission>;
}
