import type { Sound } from '../sound.js';
import type { ExpectedSong } from '../expected.js';

/** One file of the corpus, before it is written. */
export interface CorpusFile {
  /** Path below the corpus, `/` between segments. */
  readonly path: string;
  readonly bytes: Buffer;
}

/** One case: files, and the songs or reasons that a scan must make of them. */
export interface CorpusCase {
  /** The row of what is judged that it covers. */
  readonly row: string;
  readonly files: readonly CorpusFile[];
  readonly songs: readonly {
    readonly path: string;
    readonly sound: string;
    readonly song: ExpectedSong;
    /** Its number in a file that it shares with others, and how long it lasts. */
    readonly part?: { readonly number: number; readonly lengthMs: number };
  }[];
  /** Files that must be left out, with the reason. */
  readonly skipped?: readonly { readonly path: string; readonly reason: string }[];
}

/** Inputs of the cases. */
export interface Materials {
  readonly sounds: ReadonlyMap<string, Sound>;
  /** Pictures of different content. */
  readonly pictures: readonly Buffer[];
}

/** The sound of a name. @throws Error for a name that is not among the sounds */
export const soundByName = ({ sounds }: Materials, name: string): Sound => {
  const sound = sounds.get(name);
  if (!sound) throw new Error(`no sound ${name}`);
  return sound;
};

/** A MusicBrainz id that belongs to a case and one of its things. */
export const idOf = (number: number, thing: number): string =>
  `${String(number).padStart(8, '0')}-${String(thing).padStart(4, '0')}-4000-8000-000000000000`;
