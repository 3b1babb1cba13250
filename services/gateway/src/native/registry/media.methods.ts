import { Rejection } from '@continuo/contracts';
import { z } from 'zod';
import { parseArtSize } from '../../media/art-images.js';
import type { Fetching } from '../../media/play-counter.js';
import { sendArt, sendAvatar } from '../../media/send-art.js';
import { sendEpisode } from '../../media/send-episode.js';
import { sendMedia } from '../../media/send-media.js';
import { sendVideo } from '../../media/send-video.js';
import { artReads, isPictured, type PicturedKind } from '../../reads/art-kinds.js';
import { avatarOf } from '../../reads/avatars.reads.js';
import { episodeSource, type EpisodeSource } from '../../reads/episode-file.reads.js';
import { songFile, type SongFile } from '../../reads/songs.reads.js';
import { videoFile } from '../../reads/videos.reads.js';
import { bitrateWish, secondsWish, wishFor } from '../../transcode/decision/read-wish.js';
import { prefixedSmartlistId, smartlistArt, smartlistIdOf } from '../../smartlists/index.js';
import { badValue, featureOff, missing, notFound } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { flag, idOf, required } from '../params.js';
import type { NativeResult } from '../result.js';
import { archiveBytes } from './archives.js';
import { requireLiveStreams } from './live-stream.methods.js';
import { openList, openSmartlist } from './reading-playlists.js';
import { requirePodcasts } from './podcast.methods.js';
import { requireVideos } from './video.methods.js';

/** Kinds that stream, and the feature that each waits for; songs wait for nothing. */
const streamable: Readonly<Record<string, string>> = {
  song: '',
  video: '',
  podcast_episode: '',
  search: '',
  smartlist: '',
  playlist: '',
};
/** What the parameters of a call say of the form that its bytes are to have. */
export interface FormParams {
  /** A format, or `raw`. */
  readonly format?: string | undefined;
  /** The highest bit rate, bit/s. */
  readonly bitrate?: string | undefined;
  /** Where to start, in seconds. */
  readonly offset?: string | undefined;
  /** 1: a length is wanted even where it is not known. */
  readonly length?: string | undefined;
}

/** How bytes are sent: to be kept or to be heard, whether that counts as a play, and in which form. */
interface Sending {
  readonly attachment: boolean;
  readonly counts: boolean;
  readonly form?: FormParams;
}

/** `stats=0` asks that nothing be counted. */
const fetchingOf = ({ attachment, counts }: Sending): Fetching => {
  if (attachment) return 'download';
  return counts ? 'play' : 'cache';
};

/** Refuses addresses that get no media: bytes are under the access list's own kind for streams, as they are behind play addresses. */
export const requireStreams = async ({ services, request: { caller } }: CallerCall<unknown>): Promise<void> => {
  if (!(await services.auth.admits('stream', caller.address, caller.account.id))) throw new Rejection('access.address');
};

/**
 * The bytes of a song, which are counted once its file is found.
 * @throws Rejection `input.invalid` for a format that cannot be made, or a start behind the end
 */
export const songBytes = (call: CallerCall<unknown>, song: SongFile, { attachment, counts, form = {} }: Sending): NativeResult => {
  const { format, bitrate, offset, length } = form;
  const wish = wishFor(song, { format, maxKbps: bitrateWish(bitrate), offsetMs: secondsWish(offset) });
  return {
    kind: 'bytes',
    send: (exchange) => {
      const onFound = (): void => call.services.plays.note(exchange.request, call.request, song, fetchingOf({ attachment, counts }));
      const { viewer } = call;
      return sendMedia(exchange, call.services, { file: song, viewer, wish, attachment, needsLength: length === '1', onFound });
    },
  };
};

/** The bytes of a video, which are counted once its file is found. */
export const videoBytes = (call: CallerCall<unknown>, video: SongFile, { attachment, counts, form = {} }: Sending): NativeResult => {
  const { format, bitrate, offset } = form;
  const spoken = { format, maxKbps: bitrateWish(bitrate), offsetMs: secondsWish(offset) };
  return {
    kind: 'bytes',
    send: (exchange) => {
      const onFound = (): void => call.services.plays.note(exchange.request, call.request, video, fetchingOf({ attachment, counts }));
      return sendVideo(exchange, call.services, { file: video, viewer: call.viewer, spoken, attachment, onFound });
    },
  };
};

/** What is kept of an episode, or else where its publisher has it; counted as a song is. */
const episodeBytes = (call: CallerCall<unknown>, source: EpisodeSource, { attachment, counts, form = {} }: Sending): NativeResult => {
  const { format, bitrate, offset, length } = form;
  const wish = (file: SongFile) => wishFor(file, { format, maxKbps: bitrateWish(bitrate), offsetMs: secondsWish(offset) });
  // Wrong words are refused before anything is sent, also where nothing is kept.
  const wished = source.kept && wish(source.kept);
  return {
    kind: 'bytes',
    send: (exchange) => {
      const onFound = (): void => call.services.plays.note(exchange.request, call.request, source, fetchingOf({ attachment, counts }));
      const how = { viewer: call.viewer, attachment, needsLength: length === '1', onFound };
      return sendEpisode(exchange, call.services, { source, ...how, wishFor: (file) => wished ?? wish(file) });
    },
  };
};

const openers = { playlist: openList, search: openSmartlist, smartlist: openSmartlist } as const;
/** Lists that are heard by one of their songs (methods.json, `stream`). */
export type ListType = keyof typeof openers;
const isList = (type: string): type is ListType => Object.hasOwn(openers, type);

/** A song of a list by chance; undefined when there is none that the caller may see. */
export const randomMember = async (call: CallerCall<{ readonly filter: string }>, type: ListType): Promise<number | undefined> => {
  const { ids } = await (await openers[type](call)).songs({ isContinued: true });
  return ids[Math.floor(Math.random() * ids.length)];
};

/** The bytes of the episode that a call names. @throws NativeRefusal 4703, 4704 */
export const episodeOf = async (call: CallerCall<{ filter: string }>, how: Sending): Promise<NativeResult> => {
  requirePodcasts(call);
  const { filter } = call.params;
  const id = idOf(filter);
  const source = id === undefined ? undefined : await episodeSource(call.services.db, id, call.viewer);
  if (!source) throw notFound('filter', filter);
  return episodeBytes(call, source, how);
};

const bytesOf = async (call: CallerCall<{ filter: string; type: string }>, how: Sending): Promise<NativeResult> => {
  const { filter, type } = call.params;
  await requireStreams(call);
  if (how.attachment && !(await call.services.preferences.isOn(call.viewer.userId, 'download'))) throw featureOff('download');
  const feature = Object.hasOwn(streamable, type) ? streamable[type] : undefined;
  if (feature === undefined) throw badValue('type', type);
  if (feature !== '') throw featureOff(feature);
  if (type === 'video') requireVideos(call);
  if (type === 'podcast_episode') return episodeOf(call, how);
  const id = isList(type) ? await randomMember(call, type) : idOf(filter);
  const read = type === 'video' ? videoFile : songFile;
  const file = id === undefined ? undefined : await read(call.services.db, id, call.viewer);
  if (!file) throw notFound('filter', filter);
  return type === 'video' ? videoBytes(call, file, how) : songBytes(call, file, how);
};

/** The files of a thing as an archive, for whom they may be kept. */
const archive = async (call: CallerCall<{ filter: string; type: string }>): Promise<NativeResult> => {
  await requireStreams(call);
  if (!(await call.services.preferences.isOn(call.viewer.userId, 'download'))) throw featureOff('download');
  return archiveBytes(call, call.params.type);
};

/** Kinds whose pictures this action names (methods.json), by the oldest version that does. */
const picturedSince: Readonly<Partial<Record<PicturedKind, number>>> = {
  song: 4,
  album: 4,
  artist: 4,
  label: 4,
  album_disk: 8,
  video: 4,
  live_stream: 4,
  playlist: 4,
  podcast: 4,
};

interface ArtParams {
  readonly filter: string;
  readonly size?: string | undefined;
  readonly fallback: boolean;
}

const avatar = async ({ params: { filter, size, fallback }, services }: CallerCall<ArtParams>): Promise<NativeResult> => {
  const id = idOf(filter);
  const hash = id === undefined ? undefined : await avatarOf(services.db, id);
  return { kind: 'bytes', send: (exchange) => sendAvatar(exchange, services, { hash, size: parseArtSize(size), orPlaceholder: fallback }) };
};

/** The number of the smartlist whose picture is asked for; undefined for another kind of thing. */
const smartlistOf = (type: string, filter: string): number | undefined => {
  if (type === 'playlist') return prefixedSmartlistId(filter);
  return type === 'search' || type === 'smartlist' ? (smartlistIdOf(filter) ?? 0) : undefined;
};

const artOf = async (
  call: CallerCall<{ filter: string; type: string; size?: string | undefined; fallback: boolean }>,
): Promise<NativeResult> => {
  const { filter, type, size, fallback } = call.params;
  if (type === 'video') requireVideos(call);
  if (type === 'live_stream') requireLiveStreams(call);
  if (type === 'user') return avatar(call);
  if (type === 'podcast') requirePodcasts(call);
  const smart = smartlistOf(type, filter);
  if (smart !== undefined) {
    const picture = await smartlistArt(call, smart);
    return {
      kind: 'bytes',
      send: (exchange) => sendArt(exchange, call.services, { hash: picture, size: parseArtSize(size), orPlaceholder: fallback }),
    };
  }
  if (!isPictured(type) || (picturedSince[type] ?? Infinity) > call.policy.version) throw badValue('type', type);
  const id = idOf(filter);
  const hash = id === undefined ? undefined : await artReads[type](call.services.db, id, call.viewer);
  return {
    kind: 'bytes',
    send: (exchange) => sendArt(exchange, call.services, { hash, size: parseArtSize(size), orPlaceholder: fallback }),
  };
};

const aliases = { filter: ['id', 'filter'] };

/** How what is streamed can be asked for (methods.json). */
export const streamed = {
  format: z.string().optional(),
  bitrate: z.string().optional(),
  offset: z.string().optional(),
  stats: z.string().default('1'),
};

/** Methods that answer bytes (native README section 12, choices.md row 4). Videos are sent as they are: format and bit rate are for songs. */
export const mediaMethods = {
  stream: method({
    versions: [4, 5, 6, 8],
    access: 5,
    binary: true,
    aliases,
    params: z.object({ filter: required, type: required, ...streamed, length: z.string().optional() }),
    run: (call) => bytesOf(call, { attachment: false, counts: call.params.stats !== '0', form: call.params }),
  }),
  download: method({
    versions: [4, 5, 6, 8],
    access: 5,
    binary: true,
    aliases,
    params: z.object({
      filter: required,
      type: z.string().optional(),
      zip: flag,
      format: z.string().optional(),
      bitrate: z.string().optional(),
    }),
    run: (call) => {
      const { filter, type, zip, format, bitrate } = call.params;
      if (type === undefined && call.policy.version < 8) throw missing('type');
      if (zip && call.policy.version >= 8) return archive({ ...call, params: { filter, type: type ?? 'song' } });
      // What is kept is the file, unless another form is named.
      const form = { format: format ?? 'raw', bitrate };
      return bytesOf({ ...call, params: { filter, type: type ?? 'song' } }, { attachment: true, counts: false, form });
    },
  }),
  get_art: method({
    versions: [4, 5, 6, 8],
    access: 5,
    binary: true,
    aliases,
    params: z.object({ filter: required, type: required, size: z.string().optional(), fallback: flag }),
    run: artOf,
  }),
};
