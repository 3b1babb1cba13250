import type { ScannedVideo, SkipReason } from '@continuo/contracts';

/** One video file to read. */
export interface VideoRequest {
  /** Absolute path. */
  readonly path: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

export type VideoResult =
  | { readonly ok: true; readonly video: ScannedVideo }
  | { readonly ok: false; readonly reason: SkipReason; readonly message: string };

/** Reads what a video file says of itself. A bad file is an answer, never an error. */
export interface VideoReader {
  readVideo(request: VideoRequest): Promise<VideoResult>;
}
