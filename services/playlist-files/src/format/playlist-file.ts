/** Kinds of playlist file that are read and written. `m3u` and `m3u8` differ by name only: one may be in an old character set, the other is UTF-8. */
export const playlistFormats = ['m3u', 'm3u8', 'pls', 'xspf'] as const;
export type PlaylistFormat = (typeof playlistFormats)[number];

/** One entry as a playlist file has it. Nothing is known to be true: it is somebody's text. */
export interface PlaylistFileEntry {
  /** Paths or URIs, the preferred one first; none for an entry that only says what the music is called. */
  readonly locations: readonly string[];
  /** Title, or `artist - title` in one where the format has a single text and `artist` is absent. */
  readonly title?: string;
  readonly artist?: string;
  readonly album?: string;
  readonly trackNumber?: number;
  readonly durationMs?: number;
  /** Other names of the recording (XSPF `identifier`), for example the link to a recording at MusicBrainz. */
  readonly identifiers?: readonly string[];
}

/** Parsed playlist file. */
export interface PlaylistFile {
  /** Name of the list, when the file says one. */
  readonly title?: string;
  readonly comment?: string;
  readonly entries: readonly PlaylistFileEntry[];
}

/** Something of a file that could not be used; the rest of the file was. */
export interface PlaylistFileNotice {
  /** From 1; 0 where the format has no lines to speak of. */
  readonly line: number;
  readonly message: string;
}

/** A read file: its content, and how it was read. */
export interface ReadPlaylistFile {
  readonly format: PlaylistFormat;
  /** Name of the character set as `TextDecoder` knows it. */
  readonly encoding: string;
  /** Character sets that are likely, too, where this one was guessed: whoever knows the files can try them. */
  readonly otherEncodings: readonly string[];
  readonly content: PlaylistFile;
  readonly notices: readonly PlaylistFileNotice[];
}

/** Why a whole file is refused. */
export type PlaylistFaultReason = 'too-large' | 'too-many-entries' | 'binary' | 'stream' | 'malformed' | 'unknown-encoding';

/** A file that is no playlist, or one that is refused as a whole; the message is a sentence for people. */
export class PlaylistFileFault extends Error {
  override readonly name = 'PlaylistFileFault';

  constructor(
    readonly reason: PlaylistFaultReason,
    message: string,
  ) {
    super(message);
  }
}

/** Bounds of what is read. */
export interface PlaylistFileLimits {
  readonly maxBytes: number;
  readonly maxEntries: number;
}

/** Bounds that no list of a person meets, and that no file can hurt with. */
export const DEFAULT_LIMITS: PlaylistFileLimits = { maxBytes: 64 * 1024 * 1024, maxEntries: 200_000 };

/** Longest text of one field, in characters; paths are shorter on every system. */
export const MAX_TEXT_CHARS = 8192;

/** One line of text without control characters; undefined when nothing is left. Texts beyond the bound are cut. */
export const oneLine = (text: string | undefined): string | undefined => {
  const clean = text
    ?.replace(/[\p{Cc}\u2028\u2029\ufffe\uffff]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT_CHARS)
    .toWellFormed();
  return clean === '' ? undefined : clean;
};

/** `artist - title`, as formats with one text have it; undefined when neither is known. */
export const displayOf = ({ artist, title }: Pick<PlaylistFileEntry, 'artist' | 'title'>): string | undefined =>
  artist !== undefined && title !== undefined ? `${artist} - ${title}` : (title ?? artist);

/** Collects entries and what could not be used, within the bounds. */
export class PlaylistDraft {
  readonly entries: PlaylistFileEntry[] = [];
  readonly notices: PlaylistFileNotice[] = [];
  #unnoted = 0;

  constructor(private readonly limits: PlaylistFileLimits) {}

  /** @throws PlaylistFileFault beyond the largest number of entries */
  add(entry: PlaylistFileEntry): void {
    if (this.entries.length >= this.limits.maxEntries)
      throw new PlaylistFileFault('too-many-entries', `The file has more than ${this.limits.maxEntries} entries`);
    this.entries.push(entry);
  }

  /** Keeps the first hundred remarks and counts the others. */
  note(line: number, message: string): void {
    if (this.notices.length < 100) this.notices.push({ line, message });
    else {
      this.#unnoted += 1;
      this.notices[100] = { line: 0, message: `and ${this.#unnoted} more` };
    }
  }
}
