import type { SongQuery } from './metadata.js';
import type { PluginCall } from './plugin-call.js';

/** A song as a sonic plug-in is told of it. */
export interface SonicSong extends SongQuery {
  /** The library's number of it. */
  readonly songId: number;
}

/** A song with a file that can be read; the plug-in's thread reads it itself. */
export interface SonicFile extends SonicSong {
  /** Path on the disk of the machine that the plug-in runs on. */
  readonly path: string;
  readonly mime?: string | undefined;
}

/**
 * Computes what a song sounds like. The server keeps the vectors, compares them and finds paths; it asks for each song once per `model`, as a job, and with a limit of time
 * that suits the length of the song.
 */
export interface SonicAnalyser {
  readonly form: 'vectors';
  /** Names the space that the vectors lie in; changed whenever vectors of before cannot be compared with those of now. */
  readonly model: string;
  readonly dimensions: number;
  /** The song's vector of `dimensions` finite numbers. Undefined: it cannot be analysed (too short, no sound). */
  analyse(song: SonicFile, call: PluginCall): Promise<readonly number[] | Float32Array | undefined>;
}

/** A song that sounds alike. */
export interface SonicMatch {
  readonly songId: number;
  /** 0: sounds the same; the larger the less. */
  readonly distance: number;
}

/** A back end elsewhere that knows the library and compares for itself. Undefined: it has not analysed the song. */
export interface SonicBackEnd {
  readonly form: 'remote';
  similar(query: { readonly song: SonicSong; readonly count: number }, call: PluginCall): Promise<readonly SonicMatch[] | undefined>;
  /** Songs from one to another, both included, with distances from the first. */
  path(
    query: { readonly from: SonicSong; readonly to: SonicSong; readonly count: number },
    call: PluginCall,
  ): Promise<readonly SonicMatch[] | undefined>;
}

export type SonicAnalysis = SonicAnalyser | SonicBackEnd;
