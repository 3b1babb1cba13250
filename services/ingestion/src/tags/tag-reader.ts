import type { ArtRef, ScannedTrack, SkipReason } from '@continuo/contracts';
import type { TagRules } from './tag-rules.js';

/** One media file to read. */
export interface TrackRequest {
  /** Absolute path. */
  readonly path: string;
  readonly fileName: string;
  /** Folder relative to the catalog's root, `/` between segments. */
  readonly folderPath: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Absolute paths of lyrics files that belong to the track. */
  readonly lyricsPaths: readonly string[];
  /** Absolute paths of cue sheets that may cut the file into songs. */
  readonly cuePaths?: readonly string[];
}

/** Something left out of a file that stays in the library all the same. */
export interface Notice {
  readonly reason: SkipReason;
  readonly message: string;
}

/** A picture that was found and checked. */
export interface FoundPicture {
  readonly ref: ArtRef;
  readonly bytes: Uint8Array;
}

export type TrackResult =
  | {
      readonly ok: true;
      readonly track: ScannedTrack;
      /** The songs that a cue sheet makes of the file, in place of the one that it is otherwise. */
      readonly parts?: readonly ScannedTrack[];
      readonly picture?: FoundPicture;
      /** The print under which earlier releases recorded this sound, where that is another than now. */
      readonly earlierPrint?: string;
      readonly notices: readonly Notice[];
    }
  | { readonly ok: false; readonly reason: SkipReason; readonly message: string };

export type PictureFileResult = { readonly ok: true; readonly picture: FoundPicture } | { readonly ok: false; readonly why: string };

/** Caps for one file. */
export interface ReadLimits {
  readonly parseTimeoutMs: number;
  readonly maxPictureBytes: number;
  readonly maxPicturePixels: number;
  /** Rules for reading tags; default rules without it. */
  readonly rules?: TagRules;
}

/** Reads tags, sound properties, lyrics and pictures. A bad file is an answer, never an error. */
export interface TagReader {
  readTrack(request: TrackRequest): Promise<TrackResult>;
  /** Reads a picture file that lies in a folder. */
  readPicture(path: string): Promise<PictureFileResult>;
  close(): Promise<void>;
}
