/** Artist, album artist or album that a remote song names. */
export interface RemoteName {
  readonly name: string;
  readonly mbid?: string | undefined;
}

/** Metadata of a song on another server, for every API. Playing or rating the song does not change it. */
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
  /** Time at which the server added it, epoch ms; 0 when it does not say. */
  readonly addedAtMs: number;
  /** Under what the server shows its picture. */
  readonly artId?: string | undefined;
}

const suffixes: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'audio/ogg': 'ogg',
  'application/ogg': 'ogg',
  'audio/opus': 'opus',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
};

/** The suffix of a file, of what a server says; where it says none, by the kind of media. What is no sound by either has one that no catalog takes in. */
export const suffixFrom = (said: string, mime: string): string =>
  /^[a-z0-9]{1,8}$/i.test(said) ? said.toLowerCase() : (suffixes[mime.toLowerCase()] ?? 'bin');
