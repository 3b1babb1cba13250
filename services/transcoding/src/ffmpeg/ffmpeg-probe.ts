/** Capabilities of a worker's ffmpeg. */
export interface FfmpegCapabilities {
  /** null when no usable program was found. */
  readonly ffmpeg: { readonly path: string; readonly version: string } | null;
  /** One sentence on what is missing and the remedy; null when all is well. */
  readonly problem: string | null;
  /** ffmpeg's own names of its audio encoders, sorted. */
  readonly audioEncoders: readonly string[];
  /** The same of its video encoders. */
  readonly videoEncoders: readonly string[];
}

/** Looks at the ffmpeg that this process would use. Never throws: what is wrong stands in `problem`. */
export type FfmpegProbe = () => Promise<FfmpegCapabilities>;
