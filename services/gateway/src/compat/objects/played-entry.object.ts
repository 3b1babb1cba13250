import type { SongView } from '../../reads/songs.reads.js';
import type { EpisodeView } from '../../reads/podcasts.reads.js';
import type { VideoView } from '../../reads/videos.reads.js';
import { objectTable } from '../../render/object-table.js';
import { songChild } from './child.object.js';
import { either } from './fields.js';
import { episodeChild } from './podcast.object.js';
import { videoChild } from './video.object.js';

/** A song, a video or an episode, as lists have them that hold all of them in one order. */
export interface PlayedEntry {
  readonly song?: SongView;
  readonly video?: VideoView;
  readonly episode?: EpisodeView;
}

/** Whatever it is as every list shows it (schema type Child). */
export const playedEntry = objectTable<PlayedEntry, undefined>('entry', [
  ...songChild.rows.map((row) => either(row, ({ song }: PlayedEntry) => song)),
  ...videoChild.rows.map((row) => either(row, ({ video }: PlayedEntry) => video)),
  ...episodeChild.rows.map((row) => either(row, ({ episode }: PlayedEntry) => episode)),
]);
