import { startPlayback, stopPlayback } from '@continuo/contracts';
import { z } from 'zod';
import { requireLevel } from '../../auth/index.js';
import { runCommand } from '../../commands.js';
import { playbackOf, playingMs, type PlayedFile } from '../../media/play-counter.js';
import { allowedTo } from '../../preferences/index.js';
import { listMd5 } from '../../reads/id-list.js';
import { nowPlaying, type NowPlayingView } from '../../reads/now-playing.reads.js';
import { songNamed } from '../../reads/song-match.reads.js';
import type { ReadDatabase } from '../../reads/database.js';
import { playedEpisode } from '../../reads/podcasts.reads.js';
import { songFile } from '../../reads/songs.reads.js';
import { userByIdOrName } from '../../reads/users.reads.js';
import { videoFile } from '../../reads/videos.reads.js';
import type { Viewer } from '../../reads/viewer.js';
import { badValue, NativeRefusal, notFound } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { nowPlayingObject } from '../objects/now-playing.object.js';
import { idOf, limit, offset, required } from '../params.js';
import { itemsFrom, type NativeResult } from '../result.js';
import { requirePodcasts } from './podcast.methods.js';
import { requireVideos } from './video.methods.js';

const ADMINISTRATOR = 100;
const MS_PER_SECOND = 1000;

/** Who listened. */
interface Listener {
  readonly id: number;
  readonly username: string;
}

const fileOf = async (
  call: CallerCall<unknown>,
  text: string,
  read: (db: ReadDatabase, id: number, viewer: Viewer) => Promise<PlayedFile | undefined> = songFile,
): Promise<PlayedFile> => {
  const id = idOf(text);
  const file = id === undefined ? undefined : await read(call.services.db, id, call.viewer);
  if (!file) throw notFound('filter', text);
  return file;
};

/** The account that a play is for: the caller's own, or any for an administrator. Who may not is not told which accounts there are. */
const listenerOf = async (call: CallerCall<{ user?: string | undefined }>): Promise<Listener> => {
  const { account } = call.request.caller;
  const text = call.params.user?.trim() ?? '';
  if (text === '' || text === String(account.id) || text.toLowerCase() === account.username.toLowerCase()) return account;
  requireLevel(call.request.caller, ADMINISTRATOR);
  const user = await userByIdOrName(call.services.db, text);
  if (!user) throw notFound('user', text);
  return user;
};

/** Beyond this a number is no time in seconds, but one in milliseconds. */
const MILLISECONDS_FROM = 100_000_000_000;

/** Epoch seconds, from 1970 to now: nothing is played in the future. Milliseconds are taken for what they are, and 0 for a clock that says nothing. */
const startOf = (call: CallerCall<{ date?: string | undefined }>): number => {
  const text = call.params.date?.trim() ?? '';
  const nowMs = call.services.now();
  if (text === '') return nowMs;
  if (!/^\d{1,15}$/.test(text)) throw badValue('date', text);
  const date = Number(text);
  if (date === 0) return nowMs;
  return Math.min(date < MILLISECONDS_FROM ? date * MS_PER_SECOND : date, nowMs);
};

/** Since when something is played, and how it counts: as what has just begun, which a skip may follow, or as what is said to have been played. */
interface Counting {
  readonly startedAtMs: number;
  readonly as: 'begun' | 'said';
}

/** Tells of something that somebody plays since then: a play, unless the same has just been one. */
const playFile = async (call: CallerCall<unknown>, song: PlayedFile, listener: Listener, { startedAtMs, as }: Counting): Promise<void> => {
  const { services, request } = call;
  const who = { userId: listener.id, client: request.caller.client || 'api' };
  const isNow = startedAtMs + playingMs(song) > services.now();
  const counts = as === 'said' ? as : services.config.SKIP_TIMER_SECONDS;
  await runCommand(services, request, startPlayback, playbackOf(song, who, { startedAtMs, isNow }, counts));
};

/** Version 4 has one code for every failure of this method. */
const noMatch = ({ policy }: CallerCall<unknown>): NativeRefusal =>
  policy.version < 5 ? new NativeRefusal(4710, 'song', 'Failed to scrobble: No item found!') : notFound('song', '');

interface ScrobbleParams {
  readonly song: string;
  readonly artist: string;
  readonly album: string;
  readonly songmbid?: string | undefined;
  readonly artistmbid?: string | undefined;
  readonly albummbid?: string | undefined;
  readonly date?: string | undefined;
}

const scrobble = async (call: CallerCall<ScrobbleParams>): Promise<NativeResult> => {
  const { song: title, artist, album, songmbid: songMbid, artistmbid: artistMbid, albummbid: albumMbid } = call.params;
  const startedAtMs = startOf(call);
  const id = await songNamed(call.services.db, { title, artist, album, songMbid, artistMbid, albumMbid }, call.viewer);
  const song = id === undefined ? undefined : await songFile(call.services.db, id, call.viewer);
  if (!song) throw noMatch(call);
  await playFile(call, song, call.request.caller.account, { startedAtMs, as: 'said' });
  return { kind: 'success', message: `successfully scrobbled: ${song.id}` };
};

interface PageParams {
  readonly offset: number;
  readonly limit: number | undefined;
}

/** What is playing, as far as those who play it let the caller see. */
const seenPlaying = async ({ services, viewer }: CallerCall<unknown>, of: { readonly userId?: number } = {}): Promise<NowPlayingView[]> => {
  const query = {
    nowMs: services.now(),
    sessions: services.playing.all(of.userId),
    videos: services.config.ALLOW_VIDEO,
    episodes: services.config.PODCAST,
    ...of,
  };
  const playing = await nowPlaying(services.db, viewer, query);
  return allowedTo(await services.preferences.current(), viewer, 'allow_personal_info_now', playing);
};

/** A bare list, which only the empty one of version 6 counts (versions.md section 3.2). */
const nowPlayingResult = (call: CallerCall<PageParams>, views: readonly NowPlayingView[]): NativeResult => {
  const { offset: from, limit: size } = call.params;
  const page = views.slice(from, size === undefined ? undefined : from + size);
  const batches = (async function* () {
    yield page;
  })();
  return {
    kind: 'list',
    name: nowPlayingObject.kind,
    counted: call.policy.version === 6 && page.length === 0,
    list: { total: views.length, md5: listMd5(Int32Array.from(views, (view) => view.objectId)) },
    items: itemsFrom(nowPlayingObject, batches, { isEmpty: page.length === 0, isLong: false }),
  };
};

interface PlayerParams extends PageParams {
  readonly filter: string;
  readonly type: string;
  readonly state: string;
  readonly time: string;
}

/** Kinds that play, by what reads them. */
const playable = { song: songFile, podcast_episode: playedEpisode, video: videoFile } as const;
const isPlayable = (type: string): type is keyof typeof playable => Object.hasOwn(playable, type);

const player = async (call: CallerCall<PlayerParams>): Promise<NativeResult> => {
  const { params, services, request } = call;
  const { type } = params;
  if (!isPlayable(type)) throw badValue('type', type);
  if (params.state !== 'play' && params.state !== 'stop') throw badValue('state', params.state);
  if (!/^\d{1,9}$/.test(params.time.trim())) throw badValue('time', params.time);
  if (type === 'video') requireVideos(call);
  if (type === 'podcast_episode') requirePodcasts(call);
  const song = await fileOf(call, params.filter, playable[type]);
  const userId = request.caller.account.id;
  if (params.state === 'play') {
    const playedMs = Math.min(Number(params.time) * MS_PER_SECOND, song.durationMs);
    await playFile(call, song, request.caller.account, { startedAtMs: services.now() - playedMs, as: 'begun' });
  } else {
    const { client, objectType } = playbackOf(song, { userId, client: request.caller.client || 'api' }, { startedAtMs: 0, isNow: false });
    await runCommand(services, request, stopPlayback, { userId, client, objectType, objectId: song.id });
  }
  return nowPlayingResult(call, await seenPlaying(call, { userId }));
};

const aliases = { filter: ['id', 'filter'] };
const text = z.string().optional();

/** Methods that say and tell what is played. */
export const playbackMethods = {
  record_play: method({
    versions: [4, 5, 6, 8],
    access: 5,
    aliases,
    params: z.object({ filter: required, user: text, date: text }),
    run: async (call) => {
      const listener = await listenerOf(call);
      const startedAtMs = startOf(call);
      const song = await fileOf(call, call.params.filter);
      await playFile(call, song, listener, { startedAtMs, as: 'said' });
      return { kind: 'success', message: `successfully recorded play: ${song.id} for: ${listener.username}` };
    },
  }),
  scrobble: method({
    versions: [4, 5, 6, 8],
    access: 5,
    aliases: { songmbid: ['songmbid', 'song_mbid'], artistmbid: ['artistmbid', 'artist_mbid'], albummbid: ['albummbid', 'album_mbid'] },
    params: z.object({ song: required, artist: required, album: required, songmbid: text, artistmbid: text, albummbid: text, date: text }),
    run: scrobble,
  }),
  now_playing: method({
    versions: [6, 8],
    access: 5,
    params: z.object({ offset, limit }),
    run: async (call) => nowPlayingResult(call, await seenPlaying(call)),
  }),
  player: method({
    versions: [6, 8],
    access: 5,
    params: z.object({
      filter: required,
      type: z.string().default('song'),
      state: z.string().default('play'),
      time: z.string().default('0'),
      offset,
      limit,
    }),
    run: player,
  }),
};
