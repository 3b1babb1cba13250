import { Rejection } from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import { sendArt } from '../../media/send-art.js';
import type { Exchange } from '../../media/send-bytes.js';
import { albumContents, archiveContents, artistContents } from '../../media/archive-contents.js';
import { sendArchive } from '../../media/send-archive.js';
import { sendMedia } from '../../media/send-media.js';
import { sendEpisode } from '../../media/send-episode.js';
import { sendSong } from '../../media/send-song.js';
import { sendVideo } from '../../media/send-video.js';
import { albumArt } from '../../reads/albums.reads.js';
import { playlistArt } from '../../reads/playlists.reads.js';
import { artistArt } from '../../reads/artists.reads.js';
import { inScope } from '../../reads/catalog-scope.reads.js';
import { folderArt } from '../../reads/folder-tree.reads.js';
import { episodeSource, type EpisodeSource } from '../../reads/episode-file.reads.js';
import { episodeArt, podcastArt } from '../../reads/podcasts.reads.js';
import { songArt, songFile, type SongFile } from '../../reads/songs.reads.js';
import { smartlistArt } from '../../smartlists/index.js';
import { videoFile } from '../../reads/videos.reads.js';
import type { Viewer } from '../../reads/viewer.js';
import { kbpsWish, secondsWish, wishFor } from '../../transcode/decision/read-wish.js';
import { boxNamed } from '../../transcode/decision/video/decide-video.js';
import type { CompatId } from '../ids.js';
import { anyId, flag, optionalInt, optionalText } from '../parameters.js';
import { anybody, binary, type Call, type CompatServices, type UserCallBase } from './endpoint.js';

/** The file that an id stands for: a song, or a video where there are any. */
const fileOf = async ({ db, config }: CompatServices, { kind, id }: CompatId, viewer: Viewer): Promise<SongFile | undefined> => {
  if (kind === 'video') return config.ALLOW_VIDEO ? videoFile(db, id, viewer) : undefined;
  return kind === 'song' ? songFile(db, id, viewer) : undefined;
};

/** The file behind a song or a video, for somebody who may be sent media from where the call comes from. */
const fileFor = async ({ services, context: { caller }, viewer }: UserCallBase, { kind, id }: CompatId): Promise<SongFile> => {
  if (!(await services.auth.admits('stream', caller.address, caller.account.id))) throw new Rejection('access.address');
  const file = await fileOf(services, { kind, id }, viewer);
  if (!file) throw new Rejection('song.not-found');
  return file;
};

/** The hash of the picture that an id stands for; null or undefined when there is none. */
const artOf = async ({ services, viewer }: UserCallBase, { kind, id }: CompatId): Promise<string | null | undefined> => {
  const { db, config } = services;
  switch (kind) {
    case 'song':
      return songArt(db, id, viewer);
    case 'album':
      return albumArt(db, id, viewer);
    case 'artist':
      return artistArt(db, id, viewer);
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

/** What a client says of the stream that it wants. */
interface StreamParams {
  readonly maxBitRate: number | undefined;
  readonly format: string | undefined;
  readonly timeOffset: string | undefined;
  readonly size: string | undefined;
  readonly converted: boolean;
}

/** The lengths of videos are not estimated: what is made of them has none until it is there. */
const videoStream = (call: Call<StreamParams>, http: Exchange, file: SongFile): Promise<FastifyReply> => {
  const { format, maxBitRate, timeOffset, size, converted } = call.params;
  const spoken = { format, maxKbps: kbpsWish(maxBitRate), offsetMs: secondsWish(timeOffset), box: boxNamed(size), isConverted: converted };
  const onFound = (): void => call.services.plays.note(http.request, call.context, file, 'show');
  return sendVideo(http, call.services, { file, viewer: call.viewer, spoken, attachment: false, onFound });
};

/** Where an episode is heard from, for somebody who may be sent media from where the call comes from. */
const episodeFor = async ({ services, context: { caller }, viewer }: UserCallBase, id: number): Promise<EpisodeSource> => {
  if (!(await services.auth.admits('stream', caller.address, caller.account.id))) throw new Rejection('access.address');
  const source = services.config.PODCAST ? await episodeSource(services.db, id, viewer) : undefined;
  if (!source) throw new Rejection('podcast-episode.not-found');
  return source;
};

/** An episode that is not kept here is heard where its publisher has it. */
const episodeStream = async (
  call: Call<StreamParams & { readonly id: CompatId; readonly estimateContentLength: boolean }>,
  http: Exchange,
): Promise<FastifyReply> => {
  const { format, maxBitRate, timeOffset, estimateContentLength: needsLength } = call.params;
  const source = await episodeFor(call, call.params.id.id);
  const spoken = { format, maxKbps: kbpsWish(maxBitRate), offsetMs: secondsWish(timeOffset) };
  const onFound = (): void => call.services.plays.note(http.request, call.context, source, 'show');
  const how = { viewer: call.viewer, attachment: false, needsLength, onFound };
  return sendEpisode(http, call.services, { source, ...how, wishFor: (file) => wishFor(file, spoken) });
};

const episodeDownload = (call: UserCallBase, http: Exchange, source: EpisodeSource): Promise<FastifyReply> => {
  const onFound = (): void => call.services.plays.note(http.request, call.context, source, 'download');
  return sendEpisode(http, call.services, { source, viewer: call.viewer, attachment: true, onFound, wishFor: () => ({ format: 'raw' }) });
};

/** Albums and artists are downloaded as archives (endpoints.json, `download`). */
const archive = async (
  { services, viewer, context: { caller } }: UserCallBase,
  http: Exchange,
  { kind, id }: { readonly kind: 'album' | 'artist'; readonly id: number },
): Promise<FastifyReply> => {
  if (!(await services.auth.admits('stream', caller.address, caller.account.id))) throw new Rejection('access.address');
  const held = await (kind === 'album' ? albumContents : artistContents)(services.db, id, viewer);
  if (!held || held.ids.length === 0) throw new Rejection(`${kind}.not-found`);
  return sendArchive(http, services, await archiveContents(services, held, viewer));
};

/** Bytes of media and pictures. */
export const mediaEndpoints = {
  /** The file, or what is made of it: as wished, as the account's preferences say, or as its limit demands (compat facts, section 8.1). */
  stream: binary({
    access: { ...anybody, role: 'stream' },
    params: {
      id: anyId('song'),
      maxBitRate: optionalInt,
      format: optionalText,
      timeOffset: optionalText,
      size: optionalText,
      estimateContentLength: flag(false),
      converted: flag(false),
    },
    send: async (call, http) => {
      if (call.params.id.kind === 'episode') return episodeStream(call, http);
      const file = await fileFor(call, call.params.id);
      if (file.video) return videoStream(call, http, file);
      // Clients of this API say themselves what counts as a play, by `scrobble`.
      const onFound = (): void => call.services.plays.note(http.request, call.context, file, 'show');
      const { format, maxBitRate, timeOffset, estimateContentLength: needsLength } = call.params;
      const spoken = { format, maxKbps: kbpsWish(maxBitRate), offsetMs: secondsWish(timeOffset) };
      const wish = file.sound ? wishFor(file, spoken) : {};
      return sendMedia(http, call.services, { file, viewer: call.viewer, wish, attachment: false, needsLength, onFound });
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
      // Of a file that several songs share, the song is cut out.
      if (file.sound?.part)
        return sendMedia(http, call.services, { file, viewer: call.viewer, wish: { format: 'raw' }, attachment: true, onFound });
      return sendSong(http, call.services, file, { attachment: true, onFound });
    },
  }),

  /**
   * Whatever the caller may see has a picture, be it the one that stands for a missing one: clients exist that wait for ever when an envelope comes instead. What
   * is not there, or hidden, is not found (compat facts, section 8.3).
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
