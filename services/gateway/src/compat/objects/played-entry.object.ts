import type { SongView } from '../../reads/songs.reads.js';
import type { VideoView } from '../../reads/videos.reads.js';
import { objectTable } from '../../render/object-table.js';
import { songChild } from './child.object.js';
import { either } from './fields.js';
import { videoChild } from './video.object.js';

/** A song or a video, as lists have them that hold both in one order. */
export type PlayedEntry =
  | { readonly song: SongView; readonly video?: undefined }
  | { readonly song?: undefined; readonly video: VideoView };

/** Either of them as every list shows it (schema type Child). */
export const playedEntry = objectTable<PlayedEntry, undefined>('entry', [
  ...songChild.rows.map((row) => either(row, ({ song }: PlayedEntry) => song)),
  ...videoChild.rows.map((row) => either(row, ({ video }: PlayedEntry) => video)),
]);
