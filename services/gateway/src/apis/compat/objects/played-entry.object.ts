import type { PlayedObjectView } from '../../../reads/plays/played-objects.reads.js';
import { objectTable } from '../../../render/object-table.js';
import { songChild } from './child.object.js';
import { either } from './fields.js';
import { episodeChild } from './podcast.object.js';
import { videoChild } from './video.object.js';

/** A song, video or episode in a mixed list. */
export type PlayedEntry = PlayedObjectView;

/** An entry of a mixed list (schema type Child). */
export const playedEntry = objectTable<PlayedEntry, undefined>(
  'entry',
  [
    ...songChild.rows.map((row) => either(row, ({ song }: PlayedEntry) => song)),
    ...videoChild.rows.map((row) => either(row, ({ video }: PlayedEntry) => video)),
    ...episodeChild.rows.map((row) => either(row, ({ episode }: PlayedEntry) => episode)),
  ],
  'played_entry',
);
