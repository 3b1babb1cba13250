import type { TranscodePlan } from '../target/transcode-plan.js';

/** One run of ffmpeg. */
export interface FfmpegJob {
  readonly plan: TranscodePlan;
  /** Real path of the source. */
  readonly path: string;
  /** Takes what is made, in order; the next piece comes when the promise is kept, and ffmpeg waits meanwhile. Rejecting ends the run. */
  readonly take: (piece: Buffer) => Promise<void>;
}

/** Why a run ended without a result. `details` is for the log: it may name files. */
export class FfmpegFailed extends Error {
  override readonly name = 'FfmpegFailed';
  constructor(
    message: string,
    readonly details: string = '',
    options?: ErrorOptions,
  ) {
    super(message, options);
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
