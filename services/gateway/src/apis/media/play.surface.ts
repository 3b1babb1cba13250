import { requireRole } from '../../preferences/index.js';
import { Rejection } from '@continuo/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuthRequest, MediaPlace, RequestParams } from '../../auth/index.js';
import { paramsOfPairs, textParam } from '../../server/requests/parameters.js';
import { requestContext, type CallerContext } from '../../server/requests/request-context.js';
import { asRejection, type Surface } from '../../server/server.js';
import { isPictured } from '../../kinds/index.js';
import { smartlistArt } from '../../features/smartlists/index.js';
import { isSongContainer, randomSong, randomSongIn } from '../../reads/songs/random-song.reads.js';
import { nextDemocraticSong } from '../../features/democratic/next-song.js';
import { avatarOf } from '../../reads/art/avatars.reads.js';
import { episodeSource } from '../../reads/podcasts/episode-file.reads.js';
import { songFile, type SongFile } from '../../reads/songs/songs.reads.js';
import { liveStreamsByIds } from '../../reads/podcasts/live-streams.reads.js';
import { randomVideo, videoFile } from '../../reads/library/videos.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { playShared } from '../../features/share/play-shared.js';
import type { ShareAccess } from '../../features/share/share-access.js';
import { listenerOf } from '../../transcode/decision/listener.js';
import { parseArtSize, type ArtSize, type HasArt } from '../../features/media/art-images.js';
import type { Fetching, HasPlays } from '../../features/media/play-counter.js';
import { artHashOf, sendArt, sendAvatar } from '../../features/media/send-art.js';
import { sendEpisode } from '../../features/media/send-episode.js';
import { playRequest } from '../../features/media/play-request.js';
import { retryAfterSeconds, sendMedia } from '../../features/media/send-media.js';
import { playVideoParameters, sendVideo } from '../../features/media/send-video.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasAuth } from '../../auth/auth.js';
import type { HasPreferences } from '../../preferences/preferences.js';
import type { HasConfig, HasLog, HasMediaStore, HasCommands } from '../../server/needs.js';
import type { HasSmartlists } from '../../features/smartlists/running-smartlists.js';
import type { HasTranscodes } from '../../transcode/transcodes.js';

type Services = HasArt &
  HasAuth &
  HasConfig &
  HasReadModel &
  HasLog &
  HasMediaStore &
  HasPlays &
  HasPreferences &
  HasCommands &
  HasSmartlists &
  HasTranscodes;

const statusOf: Readonly<Partial<Record<Rejection['code'], number>>> = {
  'auth.expired': 403,
  'auth.failed': 403,
  'auth.throttled': 429,
  'access.address': 403,
  'access.level': 403,
  'access.denied': 403,
  'feature.disabled': 403,
  'song.not-found': 404,
  'share.not-found': 404,
  'live-stream.not-found': 404,
  'podcast-episode.not-found': 404,
  'media.not-found': 404,
  'art.not-found': 404,
  'transcode.busy': 429,
  'transcode.failed': 500,
  unavailable: 503,
  internal: 500,
};

/** The parameters of the path form: `/play/ssid/x/oid/7/…` is the same as `/play/index.php?ssid=x&oid=7…`. */
export const pathPairs = (path: string): RequestParams => {
  const parts = path.split('/').filter((part) => part !== '' && part !== 'index.php');
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) pairs.push([parts[index] ?? '', parts[index + 1] ?? '']);
  return paramsOfPairs(pairs);
};

const idIn = (params: RequestParams, name: string): number | undefined => {
  const text = textParam(params, name)?.trim() ?? '';
  return /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
};

interface Media {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly services: Services;
  readonly context: CallerContext;
  readonly viewer: Viewer;
}

/** The song that an address names, or one that chance picks for it: of a thing with songs, or of all. */
const wantedSong = async (params: RequestParams, { db }: Services, viewer: Viewer): Promise<number | undefined> => {
  if (textParam(params, 'random') !== '1') return idIn(params, 'oid');
  const type = textParam(params, 'random_type') ?? '';
  const id = idIn(params, 'random_id');
  const isOfThing = isSongContainer(type) && id !== undefined;
  const picked = isOfThing ? await randomSongIn(db, type, id, viewer) : await randomSong(db, viewer);
  if (picked === undefined) throw new Rejection('song.not-found');
  return picked;
};

/** `cache=1` is a client that fetches ahead. */
const fetchingOf = (params: RequestParams): Fetching => {
  if (textParam(params, 'action') === 'download') return 'download';
  return textParam(params, 'cache') === '1' ? 'cache' : 'play';
};

/** A video, converted where that is requested. */
const playVideo = async ({ request, reply, services, context, viewer }: Media): Promise<FastifyReply> => {
  const { params } = context;
  if (!services.config.ALLOW_VIDEO) throw new Rejection('feature.disabled', 'Enable: video', 'video');
  const isRandom = textParam(params, 'random') === '1';
  const id = isRandom ? await randomVideo(services.db, viewer) : idIn(params, 'oid');
  if (id === undefined && !isRandom) throw new Rejection('input.missing', 'oid names no video', 'oid');
  const video = id === undefined ? undefined : await videoFile(services.db, id, viewer);
  if (!video) throw new Rejection('media.not-found', 'there is no such video');
  const attachment = textParam(params, 'action') === 'download';
  const onFound = (): void => services.plays.note(request, context, video, fetchingOf(params));
  return sendVideo({ request, reply }, services, { file: video, viewer, parameters: playVideoParameters(params), attachment, onFound });
};

/** A radio station is heard at its own address: nothing of it passes through this server, and nothing is counted. */
const playStation = async ({ reply, services, context, viewer }: Media): Promise<FastifyReply> => {
  if (!services.config.LIVE_STREAM) throw new Rejection('feature.disabled', 'Enable: live_stream', 'live_stream');
  const id = idIn(context.params, 'oid');
  if (id === undefined) throw new Rejection('input.missing', 'oid names no station', 'oid');
  const [station] = await liveStreamsByIds(services.db, [id], viewer);
  if (!station) throw new Rejection('live-stream.not-found');
  return (
    reply
      // The address that sends there names a token: the station must not be told it.
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'private, no-store')
      .redirect(new URL(station.url).href, 302)
  );
};

/** An episode: what is kept of it here, or else where its publisher has it. */
const playEpisode = async ({ request, reply, services, context, viewer }: Media): Promise<FastifyReply> => {
  const { params } = context;
  if (!services.config.PODCAST) throw new Rejection('feature.disabled', 'Enable: podcast', 'podcast');
  const id = idIn(params, 'oid');
  if (id === undefined) throw new Rejection('input.missing', 'oid names no episode', 'oid');
  const source = await episodeSource(services.db, id, viewer);
  if (!source) throw new Rejection('podcast-episode.not-found');
  const attachment = textParam(params, 'action') === 'download';
  const onFound = (): void => services.plays.note(request, context, source, fetchingOf(params));
  const streamRequestFor = (file: SongFile) => playRequest(params, file).streamRequest;
  const needsLength = textParam(params, 'content_length') === 'required';
  return sendEpisode({ request, reply }, services, { source, viewer, attachment, onFound, streamRequestFor, needsLength });
};

const requireDownload = async ({ services, context, viewer }: Media): Promise<void> => {
  if (textParam(context.params, 'action') !== 'download' || (await services.preferences.isOn(viewer.userId, 'download'))) return;
  throw new Rejection('feature.disabled', 'this account may not download', 'download');
};

const play = async (media: Media): Promise<FastifyReply> => {
  const { request, reply, services, context, viewer } = media;
  await requireDownload(media);
  if (fetchingOf(context.params) !== 'download') requireRole(await services.preferences.current(), viewer.userId, 'stream');
  const type = textParam(context.params, 'type') ?? 'song';
  if (type === 'video') return playVideo({ request, reply, services, context, viewer });
  if (type === 'live_stream') return playStation(media);
  if (type === 'podcast_episode') return playEpisode(media);
  if (type !== 'song') throw new Rejection('input.invalid', `nothing of the kind ${type.slice(0, 40)} can be played`, 'type');
  const isVotedOn = textParam(context.params, 'demo_id') !== undefined;
  const id = isVotedOn ? await nextDemocraticSong(media) : await wantedSong(context.params, services, viewer);
  if (id === undefined) throw new Rejection('input.missing', 'oid names no song', 'oid');
  const song = await songFile(services.db, id, viewer);
  if (!song) throw new Rejection('song.not-found');
  const attachment = textParam(context.params, 'action') === 'download';
  const onFound = (): void => services.plays.note(request, context, song, fetchingOf(context.params));
  return sendMedia({ request, reply }, services, { file: song, viewer, attachment, onFound, ...playRequest(context.params, song) });
};

/** The picture of a thing; a smartlist has that of a song that it finds. */
const pictureOf = async (services: Services, type: string, id: number, viewer: Viewer): Promise<string | null | undefined> => {
  if (type === 'search' || type === 'smartlist') return smartlistArt({ services, viewer }, id);
  return isPictured(type) ? artHashOf(services, { kind: type, id, viewer }) : undefined;
};

/** Sides of the small pictures that clients name by number in `thumb`. */
const THUMB_SIDES_PX: ReadonlyMap<string, number> = new Map([
  ['2', 256],
  ['32', 768],
  ['64', 128],
]);
const USUAL_THUMB_SIDE_PX = 400;

/** The size that an address of a picture asks for, as `size` or as `thumb`. */
const artSizeIn = (params: RequestParams): ArtSize | undefined => {
  const thumb = textParam(params, 'thumb');
  const size = parseArtSize(textParam(params, 'size'));
  if (size || thumb === undefined) return size;
  const sidePx = THUMB_SIDES_PX.get(thumb) ?? USUAL_THUMB_SIDE_PX;
  return { widthPx: sidePx, heightPx: sidePx };
};

const image = async ({ request, reply, services, context, viewer }: Media): Promise<FastifyReply> => {
  const type = textParam(context.params, 'object_type') ?? 'album';
  const id = idIn(context.params, 'object_id');
  const size = artSizeIn(context.params);
  if (type === 'user' && id !== undefined) {
    return sendAvatar({ request, reply }, services, { hash: await avatarOf(services.db, id), size, orPlaceholder: true });
  }
  const hash = id === undefined ? undefined : await pictureOf(services, type, id, viewer);
  return sendArt({ request, reply }, services, { hash, size, orPlaceholder: true });
};

const guarded = async (
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  answer: { readonly place: MediaPlace; readonly params: RequestParams; readonly send: (media: Media) => Promise<FastifyReply> },
): Promise<FastifyReply> => {
  const context = requestContext(request, services, answer.params);
  const caller = await services.auth.authenticateMedia(context.auth satisfies AuthRequest, answer.place);
  return answer.send({
    request,
    reply,
    services,
    context: { ...context, caller },
    viewer: listenerOf(caller.account, await services.preferences.current()),
  });
};

const METHODS = ['GET', 'HEAD', 'POST'];

/** The addresses inside objects: `/play/index.php` in both forms, and `/image.php`. Errors are plain text. */
export const playSurface =
  (services: Services, shares: ShareAccess): Surface =>
  async (app: FastifyInstance) => {
    await app.register(async (scope) => {
      scope.setErrorHandler((error, request, reply) => {
        const refused = asRejection(error, services.log.child({ correlationId: request.id }));
        const seconds = retryAfterSeconds(refused);
        if (seconds !== undefined) reply.header('retry-after', seconds);
        return reply
          .code(statusOf[refused.code] ?? 400)
          .type('text/plain; charset=utf-8')
          .send(`${refused.message}\n`);
      });
      scope.route<{ Params: { '*': string } }>({
        method: METHODS,
        url: '/play/*',
        handler: async (request, reply) => {
          const params = pathPairs(request.params['*']);
          const shared = await playShared({ request, reply }, services, shares, params);
          return shared ?? guarded(request, reply, services, { place: 'play', params, send: play });
        },
      });
      scope.route({
        method: METHODS,
        url: '/image.php',
        handler: (request, reply) => guarded(request, reply, services, { place: 'picture', params: {}, send: image }),
      });
    });
  };
