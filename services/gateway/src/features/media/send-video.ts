import { Rejection } from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import type { RequestParams } from '../../auth/index.js';
import { drawnCaptions } from '../captions/video-captions.js';
import { textParam } from '../../server/requests/parameters.js';
import type { SongFile } from '../../reads/songs/songs.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { requestedBitrateKbps, requestedMs } from '../../transcode/decision/stream-request.js';
import type { StreamDecision } from '../../transcode/decision/decide-stream.js';
import { NO_RULES, type StreamRules } from '../../transcode/decision/stream-rules.js';
import { boxNamed, decideVideo } from '../../transcode/decision/video/decide-video.js';
import { videoRequestFor, type VideoParameters } from '../../transcode/decision/video/video-request.js';
import type { Exchange } from './send-bytes.js';
import { sendConverted } from './send-media.js';
import { sendSong } from './send-song.js';
import type { HasTranscodes } from '../../transcode/transcodes.js';
import type { HasLog, HasMediaStore } from '../../server/needs.js';

/** A video that is to be sent. */
export interface WantedVideo {
  readonly file: SongFile;
  readonly viewer: Pick<Viewer, 'streams' | 'userId'>;
  readonly parameters: VideoParameters;
  /** True for what is to be kept rather than seen. */
  readonly attachment: boolean;
  /** Runs once the file is known to be there, or to be made. */
  readonly onFound?: () => void;
}

/** `segment` counts slices of this length. */
const SLICE_MS = 10_000;
const SLICE = /^\d{1,20}$/;
const MOST_SLICES = 60_000;

/** Reads the requested form of a video from a play URL. */
export const playVideoParameters = (params: RequestParams): VideoParameters => {
  const text = (name: string): string | undefined => textParam(params, name)?.trim() || undefined;
  const slice = SLICE.exec(text('segment') ?? '')?.[0];
  const format = text('format') ?? text('transcode_to');
  return {
    format: format ?? (slice === undefined ? undefined : 'ts'),
    formatParameter: text('format') === undefined ? 'transcode_to' : 'format',
    maxKbps: requestedBitrateKbps(text('bitrate')),
    box: boxNamed(text('size')),
    subtitle: text('subtitle'),
    ...(slice === undefined
      ? { offsetMs: requestedMs(text('frame')), lengthMs: requestedMs(text('duration')) }
      : { offsetMs: Math.min(Number(slice), MOST_SLICES) * SLICE_MS, lengthMs: SLICE_MS }),
  };
};

const decisionFor = async (
  services: HasMediaStore & HasTranscodes & HasLog,
  file: SongFile,
  parameters: VideoParameters,
  rules: StreamRules,
): Promise<StreamDecision> => {
  const { video } = file;
  if (!video) return { kind: 'direct' };
  const subtitle = parameters.subtitle?.trim() ?? '';
  const captions = subtitle === '' ? undefined : await drawnCaptions(services, { ...file, doc: video }, subtitle);
  return decideVideo(video, videoRequestFor(video, parameters, captions), rules);
};

/**
 * Sends a video: its original bytes, with Range, or converted where that is requested or needed.
 * @throws Rejection `input.invalid`, `media.not-found`, and what transcoding throws, unless the original may stand in
 */
export const sendVideo = async (
  exchange: Exchange,
  services: HasMediaStore & HasTranscodes & HasLog,
  { file, viewer, parameters, attachment, onFound }: WantedVideo,
): Promise<FastifyReply> => {
  const decision = await decisionFor(services, file, parameters, viewer.streams ?? NO_RULES);
  const how = { attachment, ...(onFound && { onFound }) };
  if (decision.kind === 'direct') return sendSong(exchange, services, file, how);
  try {
    return await sendConverted(exchange, services, { file, viewer, stream: decision, ...how });
  } catch (error) {
    const isNobody = error instanceof Rejection && error.code === 'unavailable';
    if (!decision.isOptional || !isNobody || exchange.reply.sent) throw error;
    services.log.warn({ err: error, videoId: file.id }, 'nothing can be converted; the original is sent');
    return sendSong(exchange, services, file, how);
  }
};
