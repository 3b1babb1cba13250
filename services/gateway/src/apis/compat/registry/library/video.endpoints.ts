import { Rejection } from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import { captionKey, captionsOf, captionText, type CaptionForm } from '../../../../features/captions/video-captions.js';
import { videosByIds, type VideoView } from '../../../../reads/library/videos.reads.js';
import { containerBody, objectBody } from '../../documents.js';
import { CompatError } from '../../errors.js';
import { parseId } from '../../ids.js';
import { videoChild, videoInfo } from '../../objects/video.object.js';
import { anyId, optionalText, requiredText } from '../../parameters.js';
import { endpointsUsing, anybody, type UserCallBase } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasAuth } from '../../../../auth/auth.js';
import type { HasConfig, HasMediaStore, HasLog } from '../../../../server/needs.js';
import type { HasTranscodes } from '../../../../transcode/transcodes.js';

type Services = HasAuth & HasConfig & HasReadModel & HasLists & HasMediaStore & HasTranscodes & HasLog;
const { document, binary } = endpointsUsing<Services>();

const noVideo = (): CompatError => new CompatError(70, 'There is no such video');

/** A video that the viewer sees, if videos are on. @throws CompatError 70 */
const findVideo = async ({ services, viewer }: UserCallBase<Services>, id: number | undefined): Promise<VideoView> => {
  const isShareKindEnabled = services.config.ALLOW_VIDEO && id !== undefined;
  const [video] = isShareKindEnabled ? await videosByIds(services.db, [id], viewer) : [];
  if (!video) throw noVideo();
  return video;
};

/** `vi-7`: first captions of a video, `vi-7-s0`: those of a stream, `vi-7-f0a1b2c3d`: those of a file beside it. */
const CAPTIONS = /^(?<video>.+?)(?:-(?<key>s\d{1,2}|f[0-9a-f]{8}))?$/i;

const captionIdOf = (text: string): { readonly videoId: number | undefined; readonly key: string | undefined } => {
  const { video = '', key } = CAPTIONS.exec(text.trim())?.groups ?? {};
  const id = parseId(video, 'video');
  return { videoId: id?.kind === 'video' ? id.id : undefined, key: key?.toLowerCase() };
};

const captionMimes = { srt: 'application/x-subrip; charset=utf-8', vtt: 'text/vtt; charset=utf-8' } as const;

const formOf = (text: string | undefined): CaptionForm => {
  const form = text?.trim().toLowerCase() ?? 'srt';
  if (form !== 'srt' && form !== 'vtt') throw new CompatError(10, 'Parameter format is srt or vtt');
  return form;
};

/** Operations about videos. When they are off there are none. */
export const videoEndpoints = {
  getVideos: document({
    access: anybody,
    params: {},
    body: containerBody('videos', 'video', videoChild),
    answer: async ({ services, viewer }) => {
      if (!services.config.ALLOW_VIDEO) return [];
      const list = await services.lists.ids({ kind: 'video', where: [], sort: { name: 'title', descending: false } }, viewer);
      return videosByIds(services.db, list.ids, viewer);
    },
  }),
  getVideoInfo: document({
    access: anybody,
    params: { id: anyId('video') },
    body: objectBody('videoInfo', videoInfo),
    answer: async (call) => {
      const { id } = call.params;
      const video = await findVideo(call, id.kind === 'video' ? id.id : undefined);
      return { video, captions: await captionsOf(call.services, video) };
    },
  }),
  /** Captions as text. `id` is that of the video, or of captions listed by `getVideoInfo`. */
  getCaptions: binary({
    access: anybody,
    params: { id: requiredText, format: optionalText },
    send: async (call, { request, reply }): Promise<FastifyReply> => {
      const { services, params, context } = call;
      const form = formOf(params.format);
      const { videoId, key } = captionIdOf(params.id);
      const video = await findVideo(call, videoId);
      const { caller } = context;
      if (!(await services.auth.admits('stream', caller.address, caller.account.id))) throw new Rejection('access.address');
      const captions = (await captionsOf(services, video)).find((one) => key === undefined || captionKey(one) === key);
      if (!captions) throw new CompatError(70, 'There are no such captions');
      const text = await captionText(services, video, captions, { form, isGone: () => reply.raw.destroyed });
      reply
        .type(captionMimes[form])
        .header('cache-control', 'private, no-cache')
        .header('content-security-policy', "default-src 'none'; sandbox");
      return request.method === 'HEAD' ? reply.header('content-length', Buffer.byteLength(text)).send() : reply.send(text);
    },
  }),
} as const;
