import { Rejection } from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import type { RequestParams } from '../../auth/index.js';
import { textParam } from '../../server/requests/parameters.js';
import { requestContext } from '../../server/requests/request-context.js';
import type { Exchange } from '../media/send-bytes.js';
import { playRequest } from '../media/play-request.js';
import { playVideoParameters, sendVideo } from '../media/send-video.js';
import { sendEpisode } from '../media/send-episode.js';
import { sendMedia } from '../media/send-media.js';
import type { SongFile } from '../../reads/songs/songs.reads.js';
import type { ShareAccess } from './share-access.js';
import type { HasConfig, HasLog, HasMediaStore } from '../../server/needs.js';
import type { HasTranscodes } from '../../transcode/transcodes.js';

type Services = HasConfig & HasLog & HasMediaStore & HasTranscodes;

/**
 * Answers a play address with a share instead of a login: `share_id` and `share_secret` beside `oid`. Undefined for other addresses. Such
 * plays count for the share only.
 * @throws Rejection `share.not-found`, `access.denied` when the share does not allow this use
 */
export const playShared = async (
  { request, reply }: Exchange,
  services: Services,
  access: ShareAccess,
  path: RequestParams,
): Promise<FastifyReply | undefined> => {
  const context = requestContext(request, services, path);
  // A request with a login uses the login; there is no fallback.
  const isLogin = ['ssid', 'auth', 'apikey', 'apiKey', 'u'].some((name) => textParam(context.params, name) !== undefined);
  if (isLogin || textParam(context.params, 'share_id') === undefined) return undefined;
  const open = await access.bySecret(context, { id: 'share_id', secret: 'share_secret' }, 'stream');
  const attachment = textParam(context.params, 'action') === 'download';
  if (!(attachment ? open.share.allowDownload : open.share.allowStream))
    throw new Rejection('access.denied', 'This share does not allow that');
  const type = textParam(context.params, 'type') ?? 'song';
  const oid = textParam(context.params, 'oid') ?? '';
  const id = /^\d{1,9}$/.test(oid) ? Number(oid) : 0;
  if (type === 'podcast_episode') {
    const requestFor = (file: SongFile) => playRequest(context.params, file).streamRequest;
    const needsLength = textParam(context.params, 'content_length') === 'required';
    const source = await access.episode(open, id);
    return sendEpisode({ request, reply }, services, {
      source,
      viewer: open.viewer,
      attachment,
      needsLength,
      streamRequestFor: requestFor,
    });
  }
  if (type !== 'song' && type !== 'video') throw new Rejection('share.not-found');
  const file = await access[type](open, id);
  if (file.video)
    return sendVideo({ request, reply }, services, {
      file,
      viewer: open.viewer,
      parameters: playVideoParameters(context.params),
      attachment,
    });
  const streamRequest = file.sound ? playRequest(context.params, file) : {};
  return sendMedia({ request, reply }, services, { file, viewer: open.viewer, attachment, ...streamRequest });
};
