import { Rejection } from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import type { RequestParams } from '../auth/index.js';
import { drawnCaptions } from '../captions/video-captions.js';
import { textParam } from '../http/parameters.js';
import type { SongFile } from '../reads/songs.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';
import { bitrateWish, secondsWish } from '../transcode/decision/read-wish.js';
import type { StreamDecision } from '../transcode/decision/decide-stream.js';
import { NO_RULES, type StreamRules } from '../transcode/decision/stream-rules.js';
import { boxNamed, decideVideo } from '../transcode/decision/video/decide-video.js';
import { videoWishFor, type SpokenVideoWish } from '../transcode/decision/video/read-video-wish.js';
import type { Exchange } from './send-bytes.js';
import { sendConverted } from './send-media.js';
import { sendSong } from './send-song.js';

/** A video that is to be sent. */
export interface WantedVideo {
  readonly file: SongFile;
  readonly viewer: Pick<Viewer, 'streams'>;
  readonly spoken: SpokenVideoWish;
  /** True for what is to be kept rather than seen. */
  readonly attachment: boolean;
  /** Runs once the file is known to be there, or to be made. */
  readonly onFound?: () => void;
}

/** `segment` counts slices of this length (native README section 12). */
const SLICE_MS = 10_000;
const SLICE = /^\d{1,20}$/;
const MOST_SLICES = 60_000;

/** What a play address says of the form in which its video is wanted (native README section 12). */
export const playVideoWish = (params: RequestParams): SpokenVideoWish => {
  const text = (name: string): string | undefined => textParam(params, name)?.trim() || undefined;
  const slice = SLICE.exec(text('segment') ?? '')?.[0];
  const format = text('format') ?? text('transcode_to');
  return {
    format: format ?? (slice === undefined ? undefined : 'ts'),
    formatParameter: text('format') === undefined ? 'transcode_to' : 'format',
    maxKbps: bitrateWish(text('bitrate')),
    box: boxNamed(text('size')),
    subtitle: text('subtitle'),
    ...(slice === undefined
      ? { offsetMs: secondsWish(text('frame')), lengthMs: secondsWish(text('duration')) }
      : { offsetMs: Math.min(Number(slice), MOST_SLICES) * SLICE_MS, lengthMs: SLICE_MS }),
  };
};

const decisionFor = async (
  services: Pick<GatewayServices, 'mediaStore' | 'transcodes' | 'log'>,
  file: SongFile,
  spoken: SpokenVideoWish,
  rules: StreamRules,
): Promise<StreamDecision> => {
  const { video } = file;
  if (!video) return { kind: 'direct' };
  const subtitle = spoken.subtitle?.trim() ?? '';
  const captions = subtitle === '' ? undefined : await drawnCaptions(services, { ...file, doc: video }, subtitle);
  return decideVideo(video, videoWishFor(video, spoken, captions), rules);
};

/**
 * Sends a video: its original bytes, with Range, or converted where that is wished or needed.
 * @throws Rejection `input.invalid`, `media.not-found`, and what transcoding throws, unless the original may stand in
 */
export const sendVideo = async (
  exchange: Exchange,
  services: Pick<GatewayServices, 'mediaStore' | 'transcodes' | 'log'>,
  { file, viewer, spoken, attachment, onFound }: WantedVideo,
): Promise<FastifyReply> => {
  const decision = await decisionFor(services, file, spoken, viewer.streams ?? NO_RULES);
  const how = { attachment, ...(onFound && { onFound }) };
  if (decision.kind === 'direct') return sendSong(exchange, services, file, how);
  try {
    return await sendConverted(exchange, services, { file, stream: decision, ...how });
  } catch (error) {
    const isNobody = error instanceof Rejection && error.code === 'unavailable';
    if (!decision.isOptional || !isNobody || exchange.reply.sent) throw error;
    services.log.warn({ err: error, videoId: file.id }, 'nothing can be converted; the original is sent');
    return sendSong(exchange, services, file, how);
  }
};
