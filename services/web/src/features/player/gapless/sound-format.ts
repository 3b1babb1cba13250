/** Properties of the sound in a file. */
export interface SoundInfo {
  readonly rate: number;
  /** Of one channel, to be heard; 0 for unknown. */
  readonly samples: number;
  /** Samples that the encoder put before those. */
  readonly leadSamples: number;
  readonly firstFrameByte: number;
  /** Where the frames end. */
  readonly endByte: number;
  /** Initialization segment for Media Source; undefined where the frames describe themselves. */
  readonly initSegment: Uint8Array<ArrayBuffer> | undefined;
  /** Takes the frames out of the bytes from a place on. @throws UnjoinableError where nothing tells which frames those are */
  readonly framesFrom: (byte: number) => FrameReader;
}

/** A frame of sound. */
export interface SoundFrame {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Position of its first sample in the stream. */
  readonly sample: number;
  readonly samples: number;
}

/** Takes frames out of a stream that comes in pieces. */
export interface FrameReader {
  /** Takes more bytes, and returns the frames that are complete. `isEnd`: no more will come. @throws UnjoinableError */
  take(piece: Uint8Array, isEnd?: boolean): readonly SoundFrame[];
}

/** A format whose files can be joined without a gap. */
export interface SoundFormat {
  /** Type of its segments, as Media Source names it. */
  readonly mime: string;
  /** Makes a segment of frames that follow each other. */
  readonly segmentOf: (frames: readonly SoundFrame[]) => Uint8Array<ArrayBuffer>;
  /** False when segments follow each other wherever the first one was put. */
  readonly tellsTime: boolean;
  /** Reads what stands before the frames, or says how many bytes that takes. @throws UnjoinableError */
  readonly readInfo: (bytes: Uint8Array) => SoundInfo | number;
}

/** The file is none that can be joined with others. */
export class UnjoinableError extends Error {}
