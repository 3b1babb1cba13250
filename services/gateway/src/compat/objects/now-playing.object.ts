import type { NowPlayingView } from '../../reads/now-playing.reads.js';
import type { EpisodeView } from '../../reads/podcasts.reads.js';
import type { SongView } from '../../reads/songs.reads.js';
import type { VideoView } from '../../reads/videos.reads.js';
import { objectTable } from '../../render/object-table.js';
import { songChild } from './child.object.js';
import { borrowed, concatenated, fieldsOf, OPEN, type CompatField, type CompatTable } from './fields.js';
import { episodeChild } from './podcast.object.js';
import { videoChild } from './video.object.js';

/** Something that somebody plays. */
export interface NowPlayingEntry<M> {
  readonly media: M;
  /** 0 when it is unknown. */
  readonly durationMs: number;
  readonly playing: NowPlayingView;
  readonly nowMs: number;
}

/** All that is playing. */
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

/** Who plays it, where, since when, and where in it (schema type NowPlayingEntry). What clients do not tell is taken for plain playing. */
const playingFields = [
  of.text('username', ({ playing }) => playing.username),
  of.num('minutesAgo', minutesAgo),
  of.num('playerId', () => 0),
  of.text('playerName', ({ playing }) => playing.client),
  of.text('state', ({ playing }) => playing.state, OPEN),
  of.num('positionMs', positionMs, OPEN),
  of.num('playbackRate', ({ playing }) => playing.playbackRate, OPEN),
];

const entryOf = <M>(media: CompatTable<M>): CompatTable<NowPlayingEntry<M>> =>
  objectTable<NowPlayingEntry<M>, undefined>('entry', [
    ...media.rows.map((row: CompatField<M>) => borrowed(row, (entry: NowPlayingEntry<M>) => entry.media)),
    ...playingFields.map((row) => borrowed(row, (entry: NowPlayingEntry<M>) => entry)),
  ]);

/** A song that somebody plays. */
export const nowPlayingSong = entryOf(songChild);
/** A video that somebody plays. */
export const nowPlayingVideo = entryOf(videoChild);
/** An episode of a podcast that somebody plays. */
export const nowPlayingEpisode = entryOf(episodeChild);

const all = fieldsOf<NowPlayingEntries>();

/** Everything that is playing, songs before videos before episodes. */
export const nowPlayingList = objectTable<NowPlayingEntries, undefined>('nowPlaying', [
  concatenated(
    all.many('entry', nowPlayingSong, ({ songs }) => songs),
    all.many('entry', nowPlayingVideo, ({ videos }) => videos),
    all.many('entry', nowPlayingEpisode, ({ episodes }) => episodes),
  ),
]);
