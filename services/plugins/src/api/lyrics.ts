import type { SongQuery } from './metadata.js';
import type { PluginCall } from './plugin-call.js';

/** Words of a song, as a text or as LRC. */
export interface FoundLyrics {
  /** Lines separated by line feeds. */
  readonly plain?: string | undefined;
  /** LRC with a time before each line. */
  readonly synced?: string | undefined;
  /** ISO 639 code. */
  readonly language?: string | undefined;
  /** True for a song without words; then the others are absent. */
  readonly instrumental?: boolean | undefined;
}

/** Finds the words of songs. Undefined: none. */
export interface LyricsProvider {
  find(song: SongQuery, call: PluginCall): Promise<FoundLyrics | undefined>;
}
