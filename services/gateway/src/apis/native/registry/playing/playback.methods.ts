import { startPlayback, stopPlayback } from '@continuo/contracts';
import { z } from 'zod';
import { requireLevel } from '../../../../auth/index.js';
import { runCommand } from '../../../../server/commands.js';
import { playbackOf, playingMs, type PlayedFile } from '../../../../features/media/play-counter.js';
import { allowedTo } from '../../../../preferences/index.js';
import { listMd5 } from '../../../../reads/lists/id-list.js';
import { nowPlaying, type NowPlayingView } from '../../../../features/playback/now-playing.reads.js';
import { songNamed } from '../../../../reads/songs/song-match.reads.js';
import type { ReadDatabase, HasReadModel } from '../../../../reads/database/database.js';
import { playedEpisode } from '../../../../reads/podcasts/podcasts.reads.js';
import { songFile } from '../../../../reads/songs/songs.reads.js';
import { userByIdOrName } from '../../../../reads/people/users.reads.js';
import { videoFile } from '../../../../reads/library/videos.reads.js';
import type { Viewer } from '../../../../reads/visibility/viewer.js';
import { badValue, NativeRefusal, notFound, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { foundById, orNotFound } from '../../named-object.js';
import { nowPlayingObject } from '../../objects/now-playing.object.js';
import { slice } from '../../paging.js';
import { limit, named, offset, optional, required } from '../../params.js';
import { heldList, success, type NativeResult } from '../../result.js';
import type { HasPlaying } from '../../../../features/playback/playing-session-store.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasClock, HasCommands, HasConfig } from '../../../../server/needs.js';
import type { HasLists } from '../../../../kinds/index.js';
import { requireKind } from '../../require-kind.js';

type Services = HasCommands & HasConfig & HasReadModel & HasClock & HasPlaying & HasPreferences & HasLists;
const { method } = methodsUsing<Services>();

const ADMINISTRATOR = 100;
const MS_PER_SECOND = 1000;

/** Account of a play. */
interface Listener {
  readonly id: number;
  readonly username: string;
}

const fileOf = (
  call: CallerCall<unknown, Services>,
  text: string,
  read: (db: ReadDatabase, id: number, viewer: Viewer) => Promise<PlayedFile | undefined> = songFile,
): Promise<PlayedFile> => foundById(text, (id) => read(call.services.db, id, call.viewer));

/** Account of a play: the caller's own, or any for an administrator. Others cannot probe usernames. */
const listenerOf = async (call: CallerCall<{ user?: string | undefined }, Services>): Promise<Listener> => {
  const { account } = call.context.caller;
  const text = call.params.user?.trim() ?? '';
  if (text === '' || text === String(account.id) || text.toLowerCase() === account.username.toLowerCase()) return account;
  requireLevel(call.context.caller, ADMINISTRATOR);
  return orNotFound(await userByIdOrName(call.services.db, text), text, 'user');
};

/** Larger times are milliseconds. */
const MILLISECONDS_FROM = 100_000_000_000;

/** Parses the start of a play: epoch seconds until now; milliseconds are converted, 0 counts as absent. */
const startOf = (call: CallerCall<{ date?: string | undefined }, Services>): number => {
  const text = call.params.date?.trim() ?? '';
  const nowMs = call.services.now();
  if (text === '') return nowMs;
  if (!/^\d{1,15}$/.test(text)) throw badValue('date', text, 'must be a time in seconds since 1970');
  const date = Number(text);
  if (date === 0) return nowMs;
  return Math.min(date < MILLISECONDS_FROM ? date * MS_PER_SECOND : date, nowMs);
};

/** Start of a play, and whether it has just begun, so that a skip may follow, or is a scrobble. */
interface PlayTime {
  readonly startedAtMs: number;
  readonly as: 'begun' | 'said';
}

/** Records a play unless the same one was just recorded. */
const playFile = async (
  call: CallerCall<unknown, Services>,
  song: PlayedFile,
  listener: Listener,
  { startedAtMs, as }: PlayTime,
): Promise<void> => {
  const { services, context } = call;
  const who = { userId: listener.id, client: context.caller.client || 'api' };
  const isNow = startedAtMs + playingMs(song) > services.now();
  const counts = as === 'said' ? as : services.config.SKIP_TIMER_SECONDS;
  await runCommand(services, context, startPlayback, playbackOf(song, who, { startedAtMs, isNow }, counts));
};

/** Version 4 has one code for every failure of this method. */
const noMatch = ({ policy }: CallerCall<unknown, Services>): NativeRefusal =>
  policy.version < 5 ? new NativeRefusal(4710, 'song', 'Failed to scrobble: No item found!') : notFound('song', '');

const scrobbled = z.object({
  song: required,
  artist: required,
  album: required,
  songmbid: optional,
  artistmbid: optional,
  albummbid: optional,
  date: optional,
});

const scrobble = async (call: CallerCall<z.output<typeof scrobbled>, Services>): Promise<NativeResult> => {
  const { song: title, artist, album, songmbid: songMbid, artistmbid: artistMbid, albummbid: albumMbid } = call.params;
  const startedAtMs = startOf(call);
  const id = await songNamed(call.services.db, { title, artist, album, songMbid, artistMbid, albumMbid }, call.viewer);
  const song = id === undefined ? undefined : await songFile(call.services.db, id, call.viewer);
  if (!song) throw noMatch(call);
  await playFile(call, song, call.context.caller.account, { startedAtMs, as: 'said' });
  return success(`successfully scrobbled: ${song.id}`);
};

const paged = z.object({ offset, limit });

/** Playing media that their accounts let the caller see. */
const visiblePlaying = async (
  { services, viewer }: CallerCall<unknown, Services>,
  of: { readonly userId?: number } = {},
): Promise<NowPlayingView[]> => {
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

/** A bare list; only the empty one of version 6 has counters. */
const nowPlayingResult = (call: CallerCall<z.output<typeof paged>, Services>, views: readonly NowPlayingView[]): NativeResult => {
  const page = slice(views, call.params);
  const list = { total: views.length, md5: listMd5(Int32Array.from(views, (view) => view.objectId)) };
  return { ...heldList(nowPlayingObject, page), list, counted: call.policy.version === 6 && page.length === 0 };
};

const playing = z.object({
  ...named,
  type: z.string().default('song'),
  state: z.string().default('play'),
  time: z.string().default('0'),
  ...paged.shape,
});

/** Playable types and their readers. */
const playable = { song: songFile, podcast_episode: playedEpisode, video: videoFile } as const;
const isPlayable = (type: string): type is keyof typeof playable => Object.hasOwn(playable, type);

const player = async (call: CallerCall<z.output<typeof playing>, Services>): Promise<NativeResult> => {
  const { params, services, context } = call;
  const { type } = params;
  if (!isPlayable(type)) throw badValue('type', type, oneOf(Object.keys(playable)));
  if (params.state !== 'play' && params.state !== 'stop') throw badValue('state', params.state, oneOf(['play', 'stop']));
  if (!/^\d{1,9}$/.test(params.time.trim())) throw badValue('time', params.time, 'must be a number of seconds');
  requireKind(call, type);
  const song = await fileOf(call, params.filter, playable[type]);
  const userId = context.caller.account.id;
  if (params.state === 'play') {
    const playedMs = Math.min(Number(params.time) * MS_PER_SECOND, song.durationMs);
    await playFile(call, song, context.caller.account, { startedAtMs: services.now() - playedMs, as: 'begun' });
  } else {
    const { client, objectType } = playbackOf(song, { userId, client: context.caller.client || 'api' }, { startedAtMs: 0, isNow: false });
    await runCommand(services, context, stopPlayback, { userId, client, objectType, objectId: song.id });
  }
  return nowPlayingResult(call, await visiblePlaying(call, { userId }));
};

const aliases = { filter: ['id', 'filter'] };

/** Methods about plays and what is playing. */
export const playbackMethods = {
  record_play: method({
    versions: [4, 5, 6, 8],
    access: 5,
    aliases,
    params: z.object({ ...named, user: optional, date: optional }),
    run: async (call) => {
      const listener = await listenerOf(call);
      const startedAtMs = startOf(call);
      const song = await fileOf(call, call.params.filter);
      await playFile(call, song, listener, { startedAtMs, as: 'said' });
      return success(`successfully recorded play: ${song.id} for: ${listener.username}`);
    },
  }),
  scrobble: method({
    versions: [4, 5, 6, 8],
    access: 5,
    aliases: { songmbid: ['songmbid', 'song_mbid'], artistmbid: ['artistmbid', 'artist_mbid'], albummbid: ['albummbid', 'album_mbid'] },
    params: scrobbled,
    run: scrobble,
  }),
  now_playing: method({
    versions: [6, 8],
    access: 5,
    params: paged,
    run: async (call) => nowPlayingResult(call, await visiblePlaying(call)),
  }),
  player: method({ versions: [6, 8], access: 5, params: playing, run: player }),
};
