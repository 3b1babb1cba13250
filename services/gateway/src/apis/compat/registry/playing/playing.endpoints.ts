import { Rejection } from '@continuo/contracts';
import { allowedTo } from '../../../../preferences/index.js';
import { objectTypeOf, playerOf } from '../../../../features/media/play-counter.js';
import { reportPlayback, type PlaybackReport } from '../../../../features/playback/index.js';
import { albumsByIds } from '../../../../reads/library/albums.reads.js';
import { nowPlaying } from '../../../../features/playback/now-playing.reads.js';
import { episodesByIds, playedEpisode } from '../../../../reads/podcasts/podcasts.reads.js';
import { findSimilarSongs, findSongsLikeArtist } from '../../../../features/external-metadata/similar.js';
import { songFile, songsByIds, type SongView } from '../../../../reads/songs/songs.reads.js';
import { videoFile, videosByIds } from '../../../../reads/library/videos.reads.js';
import { containerBody, objectBody } from '../../documents.js';
import { CompatError } from '../../errors.js';
import type { CompatId } from '../../ids.js';
import { songChild } from '../../objects/child.object.js';
import { nowPlayingList, type NowPlayingEntries, type NowPlayingEntry } from '../../objects/now-playing.object.js';
import { anyId, count, flag, idOf, rate, requiredCount, requiredWord } from '../../parameters.js';
import { endpointsUsing, anybody, type Call, type UserCallBase, type Parsed } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasPlaying } from '../../../../features/playback/playing-session-store.js';
import type { HasClock, HasCommands, HasConfig } from '../../../../server/needs.js';
import type { HasPlugins } from '../../../../features/external-metadata/plugin-directory.js';

type Services = HasCommands & HasConfig & HasReadModel & HasClock & HasPlaying & HasPlugins;
const { document, action } = endpointsUsing<Services>();

const entries = async ({ services, viewer, preferences }: UserCallBase<Services>): Promise<NowPlayingEntries> => {
  const nowMs = services.now();
  const query = { nowMs, sessions: services.playing.all(), videos: services.config.ALLOW_VIDEO, episodes: services.config.PODCAST };
  const playing = allowedTo(preferences, viewer, 'allow_personal_info_now', await nowPlaying(services.db, viewer, query));
  const idsOf = (type: string): number[] => [...new Set(playing.filter((one) => one.objectType === type).map(({ objectId }) => objectId))];
  const songs = new Map((await songsByIds(services.db, idsOf('song'), viewer)).map((song) => [song.doc.id, song]));
  const videos = new Map((await videosByIds(services.db, idsOf('video'), viewer)).map((video) => [video.id, video]));
  const episodes = new Map((await episodesByIds(services.db, idsOf('podcast_episode'), viewer)).map((episode) => [episode.id, episode]));
  const shown = <M>(type: string, media: ReadonlyMap<number, M>, durationMs: (one: M) => number): NowPlayingEntry<M>[] =>
    playing.flatMap((one) => {
      const found = one.objectType === type ? media.get(one.objectId) : undefined;
      return found ? [{ media: found, durationMs: durationMs(found), playing: one, nowMs }] : [];
    });
  return {
    songs: shown('song', songs, ({ doc }) => doc.durationMs),
    videos: shown('video', videos, (video) => video.durationMs),
    episodes: shown('podcast_episode', episodes, ({ durationMs }) => durationMs ?? 0),
  };
};

const reported = {
  mediaId: anyId('song'),
  mediaType: requiredWord('song', 'podcast'),
  positionMs: requiredCount,
  state: requiredWord('starting', 'playing', 'paused', 'stopped'),
  playbackRate: rate,
  ignoreScrobble: flag(false),
};
type ReportParams = Parsed<typeof reported>;

/** Reader of a kind of medium, if it is enabled. */
const readerOf = ({ ALLOW_VIDEO, PODCAST }: Services['config'], { mediaId: { kind }, mediaType }: ReportParams) => {
  if (mediaType === 'podcast') return kind === 'episode' && PODCAST ? playedEpisode : undefined;
  // Videos count as songs: the protocol has no word for them.
  if (kind === 'video') return ALLOW_VIDEO ? videoFile : undefined;
  return kind === 'song' ? songFile : undefined;
};

/** Medium of a report. @throws CompatError 70 */
const reportedMedia = async (
  { services, viewer }: UserCallBase<Services>,
  params: ReportParams,
): Promise<Pick<PlaybackReport, 'objectType' | 'objectId' | 'durationMs'>> => {
  const file = await readerOf(services.config, params)?.(services.db, params.mediaId.id, viewer);
  if (!file) throw new CompatError(70, `There is no such ${params.mediaType}`);
  return { objectType: objectTypeOf(file), objectId: file.id, durationMs: file.durationMs };
};

const report = async (call: Call<ReportParams, Services>): Promise<void> => {
  const { positionMs, state, playbackRate, ignoreScrobble: isUncounted } = call.params;
  const media = await reportedMedia(call, call.params);
  await reportPlayback(call.services, call.context, {
    ...playerOf(call.context.caller),
    ...media,
    state,
    positionMs,
    rate: playbackRate,
    isUncounted,
  });
};

/** Songs similar to a song, to an album's first artist, or to an artist. */
const idsLike = async (call: UserCallBase<Services>, { kind, id }: CompatId, limit: number): Promise<number[]> => {
  const { services, viewer } = call;
  const wanted = { id, viewer, limit };
  if (kind === 'song') return known(await findSimilarSongs(call, wanted), 'song.not-found');
  if (kind === 'artist') return known(await findSongsLikeArtist(call, wanted), 'artist.not-found');
  const [album] = kind === 'album' ? await albumsByIds(services.db, [id], viewer) : [];
  if (!album) throw new Rejection('album.not-found');
  const [artist] = album.doc.artists;
  return (artist && (await findSongsLikeArtist(call, { ...wanted, id: artist.id }))) ?? [];
};

const known = (ids: number[] | undefined, code: 'song.not-found' | 'artist.not-found'): number[] => {
  if (!ids) throw new Rejection(code);
  return ids;
};

const songsAlike = async (call: UserCallBase<Services>, id: CompatId, limit: number): Promise<SongView[]> =>
  songsByIds(call.services.db, await idsLike(call, id, limit), call.viewer);

const MOST = 500;
const USUAL = 50;

/** Operations about what is playing, and about similar songs. */
export const playingEndpoints = {
  getNowPlaying: document({ access: anybody, params: {}, body: objectBody('nowPlaying', nowPlayingList), answer: entries }),
  /** Extension `playbackReport`. */
  reportPlayback: action({
    access: anybody,
    open: true,
    params: reported,
    act: report,
  }),
  getSimilarSongs: document({
    access: anybody,
    params: { id: anyId('song'), count: count(USUAL, MOST) },
    body: containerBody('similarSongs', 'song', songChild),
    answer: (call) => songsAlike(call, call.params.id, call.params.count),
  }),
  getSimilarSongs2: document({
    access: anybody,
    params: { id: idOf('artist'), count: count(USUAL, MOST) },
    body: containerBody('similarSongs2', 'song', songChild),
    answer: (call) => songsAlike(call, { kind: 'artist', id: call.params.id }, call.params.count),
  }),
} as const;
