import type { NowPlayingView } from '../../../features/playback/now-playing.reads.js';
import type { EpisodeView } from '../../../reads/podcasts/podcasts.reads.js';
import type { SongView } from '../../../reads/songs/songs.reads.js';
import type { VideoView } from '../../../reads/library/videos.reads.js';
import { objectTable } from '../../../render/object-table.js';
import { songChild } from './child.object.js';
import { borrowed, concatenated, fieldsOf, OPEN, type CompatField, type CompatTable } from './fields.js';
import { episodeChild } from './podcast.object.js';
import { videoChild } from './video.object.js';

/** A medium that a client plays. */
export interface NowPlayingEntry<M> {
  readonly media: M;
  /** 0 when it is unknown. */
  readonly durationMs: number;
  readonly playing: NowPlayingView;
  readonly nowMs: number;
}

/** Everything that is playing. */
export interface NowPlayingEntries {
  readonly songs: readonly NowPlayingEntry<SongView>[];
  readonly videos: readonly NowPlayingEntry<VideoView>[];
  readonly episodes: readonly NowPlayingEntry<EpisodeView>[];
}

const MINUTE_MS = 60_000;
const of = fieldsOf<NowPlayingEntry<unknown>>();

const minutesAgo = ({ playing, nowMs }: NowPlayingEntry<unknown>): number =>
  Math.floor(Math.max(0, nowMs - playing.startedAtMs) / MINUTE_MS);
const positionMs = ({ playing, durationMs }: NowPlayingEntry<unknown>): number =>
  durationMs > 0 ? Math.min(playing.positionMs, durationMs) : playing.positionMs;

/** Player, account and position (schema type NowPlayingEntry). Clients that report nothing count as playing. */
const playingFields = [
  of.text('username', ({ playing }) => playing.username),
  of.int('minutesAgo', minutesAgo),
  of.int('playerId', () => 0),
  of.text('playerName', ({ playing }) => playing.client),
  of.text('state', ({ playing }) => playing.state, OPEN),
  of.int('positionMs', positionMs, OPEN),
  of.num('playbackRate', ({ playing }) => playing.playbackRate, OPEN),
];

const entryOf = <M>(media: CompatTable<M>): CompatTable<NowPlayingEntry<M>> =>
  objectTable<NowPlayingEntry<M>, undefined>(
    'entry',
    [
      ...media.rows.map((row: CompatField<M>) => borrowed(row, (entry: NowPlayingEntry<M>) => entry.media)),
      ...playingFields.map((row) => borrowed(row, (entry: NowPlayingEntry<M>) => entry)),
    ],
    `playing_${media.schema ?? media.kind}`,
  );

/** A playing song. */
export const nowPlayingSong = entryOf(songChild);
/** A playing video. */
export const nowPlayingVideo = entryOf(videoChild);
/** A playing episode. */
export const nowPlayingEpisode = entryOf(episodeChild);

const all = fieldsOf<NowPlayingEntries>();

/** Everything that is playing: songs, videos, episodes. */
export const nowPlayingList = objectTable<NowPlayingEntries, undefined>('nowPlaying', [
  concatenated(
    all.many('entry', nowPlayingSong, ({ songs }) => songs),
    all.many('entry', nowPlayingVideo, ({ videos }) => videos),
    all.many('entry', nowPlayingEpisode, ({ episodes }) => episodes),
  ),
]);
