import { Rejection } from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import type { RequestParams } from '../auth/index.js';
import { textParam } from '../http/parameters.js';
import { requestContext } from '../http/request-context.js';
import type { Exchange } from '../media/send-bytes.js';
import { playWish } from '../media/play-wish.js';
import { playVideoWish, sendVideo } from '../media/send-video.js';
import { sendEpisode } from '../media/send-episode.js';
import { sendMedia } from '../media/send-media.js';
import type { SongFile } from '../reads/songs.reads.js';
import type { GatewayServices } from '../services.js';
import type { ShareDoor } from './share-door.js';

/**
 * Answers a play address that holds a share instead of a login (native README section 12): `share_id` and `share_secret` beside `oid`. Undefined for any
 * other address. Such plays are nobody's, so that they count for the share alone.
 * @throws Rejection `share.not-found`, `access.denied` when the share allows no such use
 */
export const playShared = async (
  { request, reply }: Exchange,
  services: GatewayServices,
  door: ShareDoor,
  path: RequestParams,
): Promise<FastifyReply | undefined> => {
  const { log, config } = services;
  const context = requestContext(request, { log, ...(config.PUBLIC_URL && { publicUrl: config.PUBLIC_URL }) }, path);
  // A request that names a login is one; nothing falls back from the one to the other.
  const isLogin = ['ssid', 'auth', 'apikey', 'apiKey', 'u'].some((name) => textParam(context.params, name) !== undefined);
  if (isLogin || textParam(context.params, 'share_id') === undefined) return undefined;
  const open = await door.bySecret(context, { id: 'share_id', secret: 'share_secret' }, 'stream');
  const attachment = textParam(context.params, 'action') === 'download';
  if (!(attachment ? open.share.allowDownload : open.share.allowStream))
    throw new Rejection('access.denied', 'This share does not allow that');
  const type = textParam(context.params, 'type') ?? 'song';
  const oid = textParam(context.params, 'oid') ?? '';
  const id = /^\d{1,9}$/.test(oid) ? Number(oid) : 0;
  if (type === 'podcast_episode') {
    const wishOf = (file: SongFile) => playWish(context.params, file).wish;
    const needsLength = textParam(context.params, 'content_length') === 'required';
    const source = await door.episode(open, id);
    return sendEpisode({ request, reply }, services, { source, viewer: open.viewer, attachment, needsLength, wishFor: wishOf });
  }
  if (type !== 'song' && type !== 'video') throw new Rejection('share.not-found');
  const file = await door[type](open, id);
  if (file.video)
    return sendVideo({ request, reply }, services, { file, viewer: open.viewer, spoken: playVideoWish(context.params), attachment });
  const wished = file.sound ? playWish(context.params, file) : {};
  return sendMedia({ request, reply }, services, { file, viewer: open.viewer, attachment, ...wished });
};
