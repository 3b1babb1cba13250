import { Rejection } from '@continuo/contracts';
import { z } from 'zod';
import { parseArtSize, type HasArt } from '../../../../features/media/art-images.js';
import type { HasPlays, PlayedFile } from '../../../../features/media/play-counter.js';
import type { Exchange } from '../../../../features/media/send-bytes.js';
import { artHashOf, sendArt, sendAvatar } from '../../../../features/media/send-art.js';
import { sendEpisode } from '../../../../features/media/send-episode.js';
import { sendMedia } from '../../../../features/media/send-media.js';
import { sendVideo } from '../../../../features/media/send-video.js';
import { artReads, isPictured, type PicturedKind } from '../../../../kinds/index.js';
import { avatarOf } from '../../../../reads/art/avatars.reads.js';
import { episodeSource, type EpisodeSource } from '../../../../reads/podcasts/episode-file.reads.js';
import { songFile, type SongFile } from '../../../../reads/songs/songs.reads.js';
import { videoFile } from '../../../../reads/library/videos.reads.js';
import { requestedBitrateKbps, requestedMs, streamRequestFor } from '../../../../transcode/decision/stream-request.js';
import { prefixedSmartlistId, smartlistArt, smartlistIdOf } from '../../../../features/smartlists/index.js';
import { badValue, featureOff, missing, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { foundById, orNotFound, type Named } from '../../named-object.js';
import { flag, idOf, named, optional, required } from '../../params.js';
import type { NativeResult } from '../../result.js';
import { archiveBytes } from '../lists/archives.js';
import { openList, openSmartlist } from '../lists/reading-playlists.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasAuth } from '../../../../auth/auth.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasMediaStore, HasConfig, HasLog, HasCommands, HasArchiveSlots } from '../../../../server/needs.js';
import type { HasSmartlists } from '../../../../features/smartlists/running-smartlists.js';
import type { HasTranscodes } from '../../../../transcode/transcodes.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasStationTitles } from '../../../../features/live-stream/station-titles.js';
import { requireKind } from '../../require-kind.js';

/** Services that send media. */
export type Services = HasArt &
  HasAuth &
  HasReadModel &
  HasMediaStore &
  HasPlays &
  HasPreferences &
  HasConfig &
  HasSmartlists &
  HasTranscodes &
  HasArchiveSlots &
  HasCommands &
  HasLists &
  HasLog &
  HasStationTitles;
const { method } = methodsUsing<Services>();

/** Types that can be streamed. */
const streamable = ['song', 'video', 'podcast_episode', 'search', 'smartlist', 'playlist'];
/** Requested form of media. */
export interface FormParams {
  /** A format or `raw`. */
  readonly format?: string | undefined;
  /** Highest bitrate, bit/s. */
  readonly bitrate?: string | undefined;
  /** Start, seconds. */
  readonly offset?: string | undefined;
  /** 1: requests a length even when it is unknown. */
  readonly length?: string | undefined;
}

/** Download or stream, whether it counts as a play, and the form. */
interface Sending {
  readonly attachment: boolean;
  readonly counts: boolean;
  readonly form?: FormParams;
}

/** Counts a play once the file is found; `stats=0` counts none. */
const counting =
  ({ services, context }: CallerCall<unknown, Services>, played: PlayedFile, { attachment, counts }: Sending) =>
  ({ request }: Exchange) =>
  (): void =>
    services.plays.note(request, context, played, attachment ? 'download' : counts ? 'play' : 'cache');

const formOf = ({ format, bitrate, offset }: FormParams) => ({
  format,
  maxKbps: requestedBitrateKbps(bitrate),
  offsetMs: requestedMs(offset),
});

/** Rejects client addresses that the access list does not allow to stream. */
export const requireStreams = async ({ services, context: { caller } }: CallerCall<unknown, Services>): Promise<void> => {
  if (!(await services.auth.admits('stream', caller.address, caller.account.id))) throw new Rejection('access.address');
};

/**
 * Media of a song; counts a play once the file is found.
 * @throws Rejection `input.invalid` for an unsupported format, or a start beyond the end
 */
export const songBytes = (call: CallerCall<unknown, Services>, song: SongFile, how: Sending): NativeResult => {
  const { attachment, form = {} } = how;
  const common = { file: song, viewer: call.viewer, streamRequest: streamRequestFor(song, formOf(form)), attachment };
  const onFound = counting(call, song, how);
  return {
    kind: 'bytes',
    send: (exchange) => sendMedia(exchange, call.services, { ...common, needsLength: form.length === '1', onFound: onFound(exchange) }),
  };
};

/** Media of a video; counts a play once the file is found. */
export const videoBytes = (call: CallerCall<unknown, Services>, video: SongFile, how: Sending): NativeResult => {
  const { attachment, form = {} } = how;
  const common = { file: video, viewer: call.viewer, parameters: formOf(form), attachment };
  const onFound = counting(call, video, how);
  return { kind: 'bytes', send: (exchange) => sendVideo(exchange, call.services, { ...common, onFound: onFound(exchange) }) };
};

/** Kept file of an episode, or a redirect to its publisher; counts a play. */
const episodeBytes = (call: CallerCall<unknown, Services>, source: EpisodeSource, how: Sending): NativeResult => {
  const { attachment, form = {} } = how;
  const requestFor = (file: SongFile) => streamRequestFor(file, formOf(form));
  // Invalid parameters are rejected also when nothing is kept.
  const streamRequest = source.kept && requestFor(source.kept);
  const onFound = counting(call, source, how);
  return {
    kind: 'bytes',
    send: (exchange) => {
      const common = { source, viewer: call.viewer, attachment, needsLength: form.length === '1', onFound: onFound(exchange) };
      return sendEpisode(exchange, call.services, { ...common, streamRequestFor: (file) => streamRequest ?? requestFor(file) });
    },
  };
};

const openers = { playlist: openList, search: openSmartlist, smartlist: openSmartlist } as const;
/** List types that can be streamed: a random song of them is played. */
export type ListType = keyof typeof openers;
const isList = (type: string): type is ListType => Object.hasOwn(openers, type);

/** A random visible song of a list; undefined when there is none. */
export const randomMember = async (call: CallerCall<Named, Services>, type: ListType): Promise<number | undefined> => {
  const { ids } = await (await openers[type](call)).songs({ isContinued: true });
  return ids[Math.floor(Math.random() * ids.length)];
};

/** Media of an episode. @throws NativeRefusal 4703, 4704 */
export const episodeOf = async (call: CallerCall<Named, Services>, how: Sending): Promise<NativeResult> => {
  requireKind(call, 'podcast');
  return episodeBytes(call, await foundById(call.params.filter, (id) => episodeSource(call.services.db, id, call.viewer)), how);
};

const bytesOf = async (call: CallerCall<{ filter: string; type: string }, Services>, how: Sending): Promise<NativeResult> => {
  const { filter, type } = call.params;
  await requireStreams(call);
  if (how.attachment && !(await call.services.preferences.isOn(call.viewer.userId, 'download'))) throw featureOff('download');
  if (!streamable.includes(type)) throw badValue('type', type, oneOf(streamable));
  requireKind(call, type);
  if (type === 'podcast_episode') return episodeOf(call, how);
  const id = isList(type) ? await randomMember(call, type) : idOf(filter);
  const read = type === 'video' ? videoFile : songFile;
  const file = orNotFound(id === undefined ? undefined : await read(call.services.db, id, call.viewer), filter);
  return type === 'video' ? videoBytes(call, file, how) : songBytes(call, file, how);
};

/** Archive of an object's files, for callers that may download. */
const archive = async (call: CallerCall<{ filter: string; type: string }, Services>): Promise<NativeResult> => {
  await requireStreams(call);
  if (!(await call.services.preferences.isOn(call.viewer.userId, 'download'))) throw featureOff('download');
  return archiveBytes(call, call.params.type);
};

/** Types with pictures, by the first version that has them. */
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

const pictured = z.object({ ...named, type: required, size: optional, fallback: flag });
type ArtCall = CallerCall<z.output<typeof pictured>, Services>;

const avatar = async ({ params: { filter, size, fallback }, services }: ArtCall): Promise<NativeResult> => {
  const id = idOf(filter);
  const hash = id === undefined ? undefined : await avatarOf(services.db, id);
  return { kind: 'bytes', send: (exchange) => sendAvatar(exchange, services, { hash, size: parseArtSize(size), orPlaceholder: fallback }) };
};

/** Smartlist id of a picture request; undefined for other types. */
const smartlistOf = (type: string, filter: string): number | undefined => {
  if (type === 'playlist') return prefixedSmartlistId(filter);
  return type === 'search' || type === 'smartlist' ? (smartlistIdOf(filter) ?? 0) : undefined;
};

const artOf = async (call: ArtCall): Promise<NativeResult> => {
  const { filter, type, size, fallback } = call.params;
  if (type === 'user') return avatar(call);
  const picture = (hash: string | null | undefined): NativeResult => ({
    kind: 'bytes',
    send: (exchange) => sendArt(exchange, call.services, { hash, size: parseArtSize(size), orPlaceholder: fallback }),
  });
  const smart = smartlistOf(type, filter);
  if (smart !== undefined) return picture(await smartlistArt(call, smart));
  if (!isPictured(type) || (picturedSince[type] ?? Infinity) > call.policy.version)
    throw badValue('type', type, oneOf(Object.keys(artReads).toSorted()));
  requireKind(call, type);
  const id = idOf(filter);
  return picture(id === undefined ? undefined : await artHashOf(call.services, { kind: type, id, viewer: call.viewer }));
};

const aliases = { filter: ['id', 'filter'] };

/** Form parameters of `stream`. */
export const streamed = {
  format: optional,
  bitrate: optional,
  offset: optional,
  stats: z.string().default('1'),
};

/** Methods that answer with media and pictures. Format and bitrate apply to songs; videos are sent as they are. */
export const mediaMethods = {
  stream: method({
    versions: [4, 5, 6, 8],
    access: 5,
    binary: true,
    aliases,
    params: z.object({ ...named, type: required, ...streamed, length: optional }),
    run: (call) => bytesOf(call, { attachment: false, counts: call.params.stats !== '0', form: call.params }),
  }),
  download: method({
    versions: [4, 5, 6, 8],
    access: 5,
    binary: true,
    aliases,
    params: z.object({
      ...named,
      type: optional,
      zip: flag,
      format: optional,
      bitrate: optional,
    }),
    run: (call) => {
      const { filter, type, zip, format, bitrate } = call.params;
      if (type === undefined && call.policy.version < 8) throw missing('type');
      if (zip && call.policy.version >= 8) return archive({ ...call, params: { filter, type: type ?? 'song' } });
      // Downloads are the original file unless a format is given.
      const form = { format: format ?? 'raw', bitrate };
      return bytesOf({ ...call, params: { filter, type: type ?? 'song' } }, { attachment: true, counts: false, form });
    },
  }),
  get_art: method({ versions: [4, 5, 6, 8], access: 5, binary: true, aliases, params: pictured, run: artOf }),
};
