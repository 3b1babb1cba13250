import type { PictureFileResult, TrackRequest, TrackResult } from './tag-reader.js';

/** What the main thread asks of a tag worker. */
export type WorkerTask =
  | { readonly id: number; readonly kind: 'track'; readonly request: TrackRequest }
  | { readonly id: number; readonly kind: 'picture'; readonly path: string };

/** What a tag worker answers. */
export type WorkerReply =
  | { readonly id: number; readonly result: TrackResult | PictureFileResult }
  | { readonly id: number; readonly error: string };
