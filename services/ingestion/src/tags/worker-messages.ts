import type { PictureFileResult, TrackRequest, TrackResult } from './tag-reader.js';

/** Task of a tag worker. */
export type WorkerTask =
  | { readonly id: number; readonly kind: 'track'; readonly request: TrackRequest }
  | { readonly id: number; readonly kind: 'picture'; readonly path: string };

/** Reply of a tag worker. */
export type WorkerReply =
  | { readonly id: number; readonly result: TrackResult | PictureFileResult }
  | { readonly id: number; readonly error: string };
