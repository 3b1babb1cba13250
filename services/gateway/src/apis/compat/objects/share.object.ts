import { objectTable } from '../../../render/object-table.js';
import type { EpisodeView } from '../../../reads/podcasts/podcasts.reads.js';
import type { SongView } from '../../../reads/songs/songs.reads.js';
import type { ShareView } from '../../../features/share/shares.reads.js';
import type { VideoView } from '../../../reads/library/videos.reads.js';
import { isoDate } from '../dates.js';
import { formatId } from '../ids.js';
import { songChild } from './child.object.js';
import { concatenated, fieldsOf, OPTIONAL } from './fields.js';
import { episodeChild } from './podcast.object.js';
import { videoChild } from './video.object.js';

/** A share with its address and contents. */
export interface CompatShare {
  readonly view: ShareView;
  /** Empty when the secret was sealed under another server secret. */
  readonly url: string;
  readonly songs: readonly SongView[];
  readonly videos: readonly VideoView[];
  readonly episodes: readonly EpisodeView[];
}

const share = fieldsOf<CompatShare>();

/** A share (schema type Share). */
export const shareObject = objectTable<CompatShare, undefined>('share', [
  share.text('id', ({ view }) => formatId('share', view.id)),
  share.text('url', ({ url }) => url),
  share.text('description', ({ view }) => (view.description === '' ? undefined : view.description), OPTIONAL),
  share.text('username', ({ view }) => view.owner),
  share.text('created', ({ view }) => isoDate(view.createdAtMs), OPTIONAL),
  share.text('expires', ({ view }) => isoDate(view.expiresAtMs), OPTIONAL),
  share.text('lastVisited', ({ view }) => isoDate(view.lastVisitedAtMs), OPTIONAL),
  share.int('visitCount', ({ view }) => view.visitCount),
  concatenated(
    share.many('entry', songChild, ({ songs }) => songs),
    share.many('entry', videoChild, ({ videos }) => videos),
    share.many('entry', episodeChild, ({ episodes }) => episodes),
  ),
]);
