/** Somebody that a remote song names. */
export interface RemoteName {
  readonly name: string;
  readonly mbid?: string | undefined;
}

/** What another server says of one of its songs, whatever its API. Nothing in it changes by playing or rating the song. */
export interface RemoteSong {
  /** As the server calls it. */
  readonly id: string;
  readonly title: string;
  readonly artists: readonly RemoteName[];
  readonly displayArtist?: string | undefined;
  readonly album: string;
  readonly albumArtists: readonly RemoteName[];
  readonly contributors: readonly { readonly role: string; readonly subRole?: string | undefined; readonly name: string }[];
  readonly composers: readonly string[];
  readonly track?: number | undefined;
  readonly disk?: number | undefined;
  readonly year?: number | undefined;
  readonly genres: readonly string[];
  readonly moods: readonly string[];
  readonly durationMs: number;
  readonly bitrateBps: number;
  /** 0 when the server does not tell. */
  readonly sizeBytes: number;
  /** Suffix of the file, lower case. */
  readonly suffix: string;
  readonly mime: string;
  readonly sampleRateHz: number;
  readonly channels?: number | undefined;
  readonly bitDepth?: number | undefined;
  readonly bpm?: number | undefined;
  readonly comment?: string | undefined;
  readonly mbid?: string | undefined;
  readonly isrcs: readonly string[];
  readonly sortTitle?: string | undefined;
  readonly trackGainDb?: number | undefined;
  readonly albumGainDb?: number | undefined;
  readonly trackPeak?: number | undefined;
  readonly albumPeak?: number | undefined;
  /** When the server took it in, epoch ms; 0 when it does not tell. */
  readonly addedAtMs: number;
  /** Under what the server shows its picture. */
  readonly artId?: string | undefined;
}
