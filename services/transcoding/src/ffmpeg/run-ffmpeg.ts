import type { TranscodePlan } from '../target/transcode-plan.js';

/** One run of ffmpeg. */
export interface FfmpegJob {
  readonly plan: TranscodePlan;
  /** Real path of the source, or its address on this machine. */
  readonly path: string;
  /** Takes what is made, in order; the next piece comes when the promise is kept, and ffmpeg waits meanwhile. Rejecting ends the run. */
  readonly take: (piece: Buffer) => Promise<void>;
}

/**
 * Why a run ended without a result. `details` is for the log: it may name files. `wasCutOff` tells that a signal ended ffmpeg which nobody here sent, such as that of a
 * system without memory, `neverBegan` that the program could not be started at all: the file need not be at fault then.
 */
export class FfmpegFailed extends Error {
  override readonly name = 'FfmpegFailed';
  readonly wasCutOff: boolean;
  readonly neverBegan: boolean;
  constructor(
    message: string,
    readonly details: string = '',
    options: ErrorOptions & { readonly wasCutOff?: boolean; readonly neverBegan?: boolean } = {},
  ) {
    super(message, options);
    this.wasCutOff = options.wasCutOff ?? false;
    this.neverBegan = options.neverBegan ?? false;
  }
}

/** An ffmpeg that runs. */
export interface FfmpegRun {
  /** Kept when ffmpeg has ended well and all that it made is taken; breaks with {@link FfmpegFailed}. The process is gone either way. */
  readonly done: Promise<void>;
  /** Ends it at once; `done` breaks. */
  kill(): void;
}

/** Starts ffmpeg. */
export type RunFfmpeg = (job: FfmpegJob) => FfmpegRun;
