import { Rejection } from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import { artHashOf, sendArt } from '../../../../features/media/send-art.js';
import type { Exchange } from '../../../../features/media/send-bytes.js';
import { albumContents, archiveContents, artistContents } from '../../../../features/media/archive-contents.js';
import { sendArchive } from '../../../../features/media/send-archive.js';
import { sendMedia } from '../../../../features/media/send-media.js';
import { sendEpisode } from '../../../../features/media/send-episode.js';
import { sendSong } from '../../../../features/media/send-song.js';
import { sendVideo } from '../../../../features/media/send-video.js';
import { playlistArt } from '../../../../reads/playlists/playlists.reads.js';
import { inScope } from '../../../../reads/visibility/catalog-scope.reads.js';
import { folderArt } from '../../../../reads/library/folder-tree.reads.js';
import { episodeSource, type EpisodeSource } from '../../../../reads/podcasts/episode-file.reads.js';
import { episodeArt, podcastArt } from '../../../../reads/podcasts/podcasts.reads.js';
import { songFile, type SongFile } from '../../../../reads/songs/songs.reads.js';
import { smartlistArt } from '../../../../features/smartlists/index.js';
import { videoFile } from '../../../../reads/library/videos.reads.js';
import type { Viewer } from '../../../../reads/visibility/viewer.js';
import { positiveKbps, requestedMs, streamRequestFor } from '../../../../transcode/decision/stream-request.js';
import { boxNamed } from '../../../../transcode/decision/video/decide-video.js';
import type { CompatId } from '../../ids.js';
import { anyId, flag, optionalInt, optionalText } from '../../parameters.js';
import { endpointsUsing, anybody, type Call, type UserCallBase, type Parsed } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasAuth } from '../../../../auth/auth.js';
import type { HasPlays } from '../../../../features/media/play-counter.js';
import type { HasConfig, HasMediaStore, HasArchiveSlots, HasLog } from '../../../../server/needs.js';
import type { HasSmartlists } from '../../../../features/smartlists/running-smartlists.js';
import type { HasTranscodes } from '../../../../transcode/transcodes.js';
import type { HasArt } from '../../../../features/media/art-images.js';

type Services = HasAuth &
  HasConfig &
  HasReadModel &
  HasMediaStore &
  HasPlays &
  HasArchiveSlots &
  HasArt &
  HasSmartlists &
  HasTranscodes &
  HasLog;
const { binary } = endpointsUsing<Services>();

/** File of a song or, if enabled, of a video. */
const fileOf = async ({ db, config }: Services, { kind, id }: CompatId, viewer: Viewer): Promise<SongFile | undefined> => {
  if (kind === 'video') return config.ALLOW_VIDEO ? videoFile(db, id, viewer) : undefined;
  return kind === 'song' ? songFile(db, id, viewer) : undefined;
};

/** File of a song or video, if the access list allows streaming to the caller's address. */
const fileFor = async ({ services, context: { caller }, viewer }: UserCallBase<Services>, { kind, id }: CompatId): Promise<SongFile> => {
  if (!(await services.auth.admits('stream', caller.address, caller.account.id))) throw new Rejection('access.address');
  const file = await fileOf(services, { kind, id }, viewer);
  if (!file) throw new Rejection('song.not-found');
  return file;
};

/** Hash of an object's picture; null or undefined without one. */
const artOf = async ({ services, viewer }: UserCallBase<Services>, { kind, id }: CompatId): Promise<string | null | undefined> => {
  const { db, config } = services;
  switch (kind) {
    case 'song':
    case 'album':
    case 'artist':
      return artHashOf(services, { kind, id, viewer });
    case 'folder': {
      const art = await folderArt(db, id);
      return art && inScope(viewer.catalogs, art.catalogId) ? art.hash : undefined;
    }
    case 'podcast':
      return config.PODCAST ? podcastArt(db, id, viewer) : undefined;
    case 'episode':
      return config.PODCAST ? episodeArt(db, id, viewer) : undefined;
    case 'playlist':
      return playlistArt(db, id, viewer);
    case 'smartlist':
      return smartlistArt({ services, viewer }, id);
    default:
      return undefined;
  }
};

/** Requested form of a stream. */
const streamed = {
  id: anyId('song'),
  maxBitRate: optionalInt,
  format: optionalText,
  timeOffset: optionalText,
  size: optionalText,
  estimateContentLength: flag(false),
  converted: flag(false),
};

/** Lengths of converted videos are not estimated. */
const videoStream = (call: Call<Parsed<typeof streamed>, Services>, http: Exchange, file: SongFile): Promise<FastifyReply> => {
  const { format, maxBitRate, timeOffset, size, converted } = call.params;
  const parameters = {
    format,
    maxKbps: positiveKbps(maxBitRate),
    offsetMs: requestedMs(timeOffset),
    box: boxNamed(size),
    isConverted: converted,
  };
  const onFound = (): void => call.services.plays.note(http.request, call.context, file, 'show');
  return sendVideo(http, call.services, { file, viewer: call.viewer, parameters, attachment: false, onFound });
};

/** Source of an episode, if the access list allows streaming to the caller's address. */
const episodeFor = async ({ services, context: { caller }, viewer }: UserCallBase<Services>, id: number): Promise<EpisodeSource> => {
  if (!(await services.auth.admits('stream', caller.address, caller.account.id))) throw new Rejection('access.address');
  const source = services.config.PODCAST ? await episodeSource(services.db, id, viewer) : undefined;
  if (!source) throw new Rejection('podcast-episode.not-found');
  return source;
};

/** An episode without a kept file is redirected to its publisher. */
const episodeStream = async (
  call: Call<Parsed<typeof streamed> & { readonly id: CompatId; readonly estimateContentLength: boolean }, Services>,
  http: Exchange,
): Promise<FastifyReply> => {
  const { format, maxBitRate, timeOffset, estimateContentLength: needsLength } = call.params;
  const source = await episodeFor(call, call.params.id.id);
  const parameters = { format, maxKbps: positiveKbps(maxBitRate), offsetMs: requestedMs(timeOffset) };
  const onFound = (): void => call.services.plays.note(http.request, call.context, source, 'show');
  const how = { viewer: call.viewer, attachment: false, needsLength, onFound };
  return sendEpisode(http, call.services, { source, ...how, streamRequestFor: (file) => streamRequestFor(file, parameters) });
};

const episodeDownload = (call: UserCallBase<Services>, http: Exchange, source: EpisodeSource): Promise<FastifyReply> => {
  const onFound = (): void => call.services.plays.note(http.request, call.context, source, 'download');
  return sendEpisode(http, call.services, {
    source,
    viewer: call.viewer,
    attachment: true,
    onFound,
    streamRequestFor: () => ({ format: 'raw' }),
  });
};

/** Downloads of albums and artists are archives. */
const archive = async (
  { services, viewer, context: { caller } }: UserCallBase<Services>,
  http: Exchange,
  { kind, id }: { readonly kind: 'album' | 'artist'; readonly id: number },
): Promise<FastifyReply> => {
  if (!(await services.auth.admits('stream', caller.address, caller.account.id))) throw new Rejection('access.address');
  const held = await (kind === 'album' ? albumContents : artistContents)(services.db, id, viewer);
  if (!held || held.ids.length === 0) throw new Rejection(`${kind}.not-found`);
  return sendArchive(http, services, await archiveContents(services, held, viewer));
};

/** Operations that answer with media and pictures. */
export const mediaEndpoints = {
  /** The file, or what is made of it: as streamRequest, as the account's preferences say, or as its limit demands. */
  stream: binary({
    access: { ...anybody, role: 'stream' },
    params: streamed,
    send: async (call, http) => {
      if (call.params.id.kind === 'episode') return episodeStream(call, http);
      const file = await fileFor(call, call.params.id);
      if (file.video) return videoStream(call, http, file);
      // Clients of this API count plays by `scrobble`.
      const onFound = (): void => call.services.plays.note(http.request, call.context, file, 'show');
      const { format, maxBitRate, timeOffset, estimateContentLength: needsLength } = call.params;
      const parameters = { format, maxKbps: positiveKbps(maxBitRate), offsetMs: requestedMs(timeOffset) };
      const streamRequest = file.sound ? streamRequestFor(file, parameters) : {};
      return sendMedia(http, call.services, { file, viewer: call.viewer, streamRequest, attachment: false, needsLength, onFound });
    },
  }),

  download: binary({
    access: { ...anybody, role: 'download' },
    params: { id: anyId('song') },
    send: async (call, http) => {
      const { kind, id } = call.params.id;
      if (kind === 'album' || kind === 'artist') return archive(call, http, { kind, id });
      if (kind === 'episode') return episodeDownload(call, http, await episodeFor(call, id));
      const file = await fileFor(call, call.params.id);
      const onFound = (): void => call.services.plays.note(http.request, call.context, file, 'download');
      // A song of a shared file is cut out.
      if (file.sound?.part)
        return sendMedia(http, call.services, { file, viewer: call.viewer, streamRequest: { format: 'raw' }, attachment: true, onFound });
      return sendSong(http, call.services, file, { attachment: true, onFound });
    },
  }),

  /**
   * Every visible object has a picture, possibly a placeholder: some clients wait forever for a missing one. Unknown and hidden objects are
   * not found.
   */
  getCoverArt: binary({
    access: anybody,
    params: { id: anyId('album'), size: optionalInt },
    send: async (call, http) => {
      const { id, size } = call.params;
      const box = size !== undefined && size > 0 ? { widthPx: size, heightPx: size } : undefined;
      const hash = await artOf(call, id);
      return sendArt(http, call.services, { hash, size: box, orPlaceholder: hash !== undefined });
    },
  }),
} as const;
