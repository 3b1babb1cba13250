/** Expected sound properties in the read model. */
export interface ExpectedSound {
  readonly format: string;
  readonly mime: string;
  /** Regular expression for the codec's name, case ignored; empty where none is known. */
  readonly codec: string;
  readonly lossless: boolean;
  readonly sampleRateHz: number;
  readonly channels?: number;
  readonly bitDepth?: number;
  readonly bitrateMode?: 'cbr' | 'vbr' | 'abr';
  readonly durationMs: number;
}

/** A file without tags that others are made of. */
export interface Sound {
  /** Usual suffix of a file's name. */
  readonly suffix: string;
  readonly expected: ExpectedSound;
  /** False for a file whose sound a decoder refuses: its header was written by hand. */
  readonly plays: boolean;
  readonly bytes: Buffer;
}
