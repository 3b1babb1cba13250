import type { SonicFile } from '@continuo/plugins';

/** Works out what songs sound like. */
export interface Analyser {
  readonly name: string;
  readonly title: string;
  /** Names the space of the vectors. */
  readonly model: string;
  readonly dimensions: number;
  /**
   * The vector of a song; undefined when it cannot be analysed.
   * @throws AnalyserUnavailable, SongAnalysisFailed
   */
  analyse(song: SonicFile): Promise<Float32Array | undefined>;
}

/** The plug-in cannot be asked for the moment, whatever the song. */
export class AnalyserUnavailable extends Error {
  override readonly name = 'AnalyserUnavailable';
}

/** The plug-in came to nothing with this song: it broke, took too long, or answered something that is no vector. */
export class SongAnalysisFailed extends Error {
  override readonly name = 'SongAnalysisFailed';
}
