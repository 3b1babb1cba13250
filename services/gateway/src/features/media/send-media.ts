import type { Readable } from 'node:stream';
import { Rejection } from '@continuo/contracts';
import { ServerBusy } from '../../server/concurrency-limiter.js';
import type { FastifyReply } from 'fastify';
import type { SongFile } from '../../reads/songs/songs.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { decideStream, type ConvertedStream, type StreamDecision, type StreamRequest } from '../../transcode/decision/decide-stream.js';
import { convertedMs, estimatedBytes } from '../../transcode/decision/length-estimate.js';
import { NO_RULES } from '../../transcode/decision/stream-rules.js';
import { transcodeRequestOf } from '../../transcode/source-of.js';
import type { FinishedTranscode, GrowingTranscode, HasTranscodes } from '../../transcode/transcodes.js';
import { padOrTruncate } from './exact-length.js';
import { contentDisposition, sendBytes, type Exchange } from './send-bytes.js';
import { sendSong, songFileName } from './send-song.js';
import type { HasLog, HasMediaStore } from '../../server/needs.js';

/** Medium to send, its viewer and options. */
export interface WantedMedia {
  readonly file: SongFile;
  readonly viewer: Pick<Viewer, 'streams' | 'userId'>;
  readonly streamRequest?: StreamRequest;
  /** True for a download. */
  readonly attachment: boolean;
  /** True to announce a length even where it is not known yet. */
  readonly needsLength?: boolean;
  /** Runs once it is known that bytes will be sent. */
  readonly onFound?: () => void;
}

/** A conversion that has been decided already. */
export interface WantedConversion extends Omit<WantedMedia, 'streamRequest' | 'viewer'> {
  readonly viewer: Pick<Viewer, 'userId'>;
  readonly stream: ConvertedStream;
}

type MediaServices = HasMediaStore & HasTranscodes & HasLog;

const MS = 1000;
/** Seconds to wait where nobody says how many. */
const RETRY_AFTER_SECONDS = 5;

/** Returns the seconds for `Retry-After` of a rejection for lack of capacity; undefined for any other error. */
export const retryAfterSeconds = (error: unknown): number | undefined => {
  if (error instanceof ServerBusy) return error.retryAfterSeconds;
  if (!(error instanceof Rejection) || error.code !== 'transcode.busy') return undefined;
  return Math.max(1, Math.ceil(Number(error.subject) || RETRY_AFTER_SECONDS));
};

/** Decides the stream of a file; a file without sound is sent as it is. */
const decisionOf = ({ file, viewer, streamRequest = {} }: WantedMedia): StreamDecision =>
  file.sound ? decideStream(file.sound, streamRequest, viewer.streams ?? NO_RULES) : { kind: 'direct' };

/**
 * Sends a song, converted where that is requested, set or needed (see `decideStream`).
 * @throws Rejection `media.not-found`; what {@link sendConverted} throws, unless the original may stand in
 */
export const sendMedia = async (exchange: Exchange, services: MediaServices, wanted: WantedMedia): Promise<FastifyReply> => {
  const decision = decisionOf(wanted);
  if (decision.kind === 'direct') return sendOriginal(exchange, services, wanted);
  try {
    return await sendConverted(exchange, services, { ...wanted, stream: decision });
  } catch (error) {
    const isNobody = error instanceof Rejection && error.code === 'unavailable';
    if (!decision.isOptional || !isNobody || exchange.reply.sent) throw error;
    services.log.warn({ err: error, songId: wanted.file.id }, 'nothing can be converted; the original is sent');
    return sendOriginal(exchange, services, wanted);
  }
};

const sendOriginal = (exchange: Exchange, services: MediaServices, wanted: WantedMedia): Promise<FastifyReply> => {
  const { file, attachment, onFound } = wanted;
  if (file.durationMs > 0) exchange.reply.header('x-content-duration', String(file.durationMs / MS));
  return sendSong(exchange, services, file, { attachment, ...(onFound && { onFound }) });
};

/** Waits until a transcode has brought something forth, so that one that brings forth nothing is an error and no empty answer. */
const begun = (body: Readable): Promise<void> =>
  new Promise((resolve, reject) => {
    // An error before another listener is attached must not end the process.
    body.on('error', () => undefined);
    const settle = (error?: unknown): void => {
      for (const [event, listener] of listeners) body.removeListener(event, listener);
      if (error === undefined) return resolve();
      body.destroy();
      reject(error instanceof Rejection ? error : new Rejection('transcode.failed', undefined, undefined, { cause: error }));
    };
    const nothing = (): void => settle(new Rejection('transcode.failed', 'nothing comes of this file in this form'));
    const listeners = [
      ['readable', () => (body.readableLength > 0 ? settle() : nothing())],
      ['end', nothing],
      ['close', nothing],
      ['error', settle],
    ] as const;
    for (const [event, listener] of listeners) body.on(event, listener);
    if (body.readableLength > 0) settle();
  });

/** Returns the file name of a conversion. */
const convertedName = (file: SongFile, { output }: ConvertedStream): string => songFileName({ ...file, format: output.suffix });

const tellDuration = (reply: FastifyReply, { stream, file }: WantedConversion): void => {
  const lastsMs = convertedMs(stream, file.durationMs);
  if (lastsMs > 0) reply.header('x-content-duration', String(lastsMs / MS));
};

const sendFinished = (exchange: Exchange, found: FinishedTranscode, wanted: WantedConversion): Promise<FastifyReply> => {
  tellDuration(exchange.reply, wanted);
  return sendBytes(exchange, {
    sizeBytes: found.sizeBytes,
    mime: found.mime,
    etag: found.etag,
    fileName: convertedName(wanted.file, wanted.stream),
    attachment: wanted.attachment,
    cacheControl: 'private, no-cache',
    open: (range) => found.open(range),
  });
};

/** Sends an unfinished transcode: chunked, or under the announced length; a Range gets the whole. */
const sendGrowing = (
  { reply }: Pick<Exchange, 'reply'>,
  growing: Pick<GrowingTranscode, 'mime'> & { readonly body?: Readable },
  wanted: WantedConversion,
): FastifyReply => {
  const { stream, file, attachment, needsLength = false } = wanted;
  const sizeBytes = needsLength ? estimatedBytes(stream, file.durationMs) : undefined;
  tellDuration(reply, wanted);
  reply
    .code(200)
    .type(growing.mime)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('content-disposition', contentDisposition(convertedName(file, stream), attachment))
    .header('cache-control', 'private, no-cache');
  if (sizeBytes !== undefined) reply.header('content-length', sizeBytes);
  const { body } = growing;
  if (!body) return reply.send();
  return reply.send(sizeBytes === undefined ? body : padOrTruncate(body, sizeBytes));
};

/**
 * Sends a conversion. A finished one is a file like any other; one under way flows.
 * @throws Rejection `media.not-found`, `transcode.busy`, `transcode.failed` before the first byte, `unavailable` when there is nobody to convert
 */
export const sendConverted = async (exchange: Exchange, services: MediaServices, wanted: WantedConversion): Promise<FastifyReply> => {
  const { request, reply } = exchange;
  const { file, stream } = wanted;
  const { catalogPath, path, durationMs } = file;
  const state = await services.mediaStore.stat(catalogPath, path);
  // HEAD must not start a transcode.
  if (request.method === 'HEAD') return sendGrowing(exchange, { mime: stream.output.mime }, wanted);
  const { source, target } = transcodeRequestOf({ catalogPath, path, durationMs, part: file.sound?.part }, state, stream.target);
  const found = await services.transcodes.open(source, target, wanted.viewer.userId);
  if (found.state === 'growing') await begun(found.body);
  if (reply.raw.destroyed && found.state === 'growing') {
    found.body.destroy();
    return reply;
  }
  wanted.onFound?.();
  return found.state === 'finished' ? sendFinished(exchange, found, wanted) : sendGrowing(exchange, found, wanted);
};
