import { Rejection } from '@continuo/contracts';
import type { FastifyReply } from 'fastify';
import type { EpisodeSource } from '../../reads/podcasts/episode-file.reads.js';
import type { SongFile } from '../../reads/songs/songs.reads.js';
import type { StreamRequest } from '../../transcode/decision/decide-stream.js';
import type { Exchange } from './send-bytes.js';
import { sendMedia, type WantedMedia } from './send-media.js';
import type { HasTranscodes } from '../../transcode/transcodes.js';
import type { HasLog, HasMediaStore } from '../../server/needs.js';

/** An episode that is to be sent. */
export interface WantedEpisode extends Omit<WantedMedia, 'file' | 'streamRequest'> {
  readonly source: EpisodeSource;
  /** The form of a kept file. */
  readonly streamRequestFor: (file: SongFile) => StreamRequest;
}

/** Sends a client on to where the publisher has the file: it is heard there as it is. */
const sendElsewhere = ({ reply }: Exchange, { source, onFound }: WantedEpisode): FastifyReply => {
  onFound?.();
  return (
    reply
      // The address that sends there names a token: the publisher must not be told it.
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'private, no-store')
      .redirect(new URL(source.mediaUrl).href, 302)
  );
};

/**
 * Sends an episode: the file that is kept here like any song, converted where that is requested; what is not kept, or not any more, is heard where its publisher has it.
 * @throws Rejection as `sendMedia` does
 */
export const sendEpisode = async (
  exchange: Exchange,
  services: HasMediaStore & HasTranscodes & HasLog,
  wanted: WantedEpisode,
): Promise<FastifyReply> => {
  const { source, streamRequestFor, ...how } = wanted;
  const { kept } = source;
  if (!kept) return sendElsewhere(exchange, wanted);
  const streamRequest = streamRequestFor(kept);
  const { sound, ...seen } = kept;
  // The sound of a film is sent to those alone who ask for a form of sound.
  const file = source.isVideo && streamRequest.format === undefined ? seen : { ...seen, ...(sound && { sound }) };
  try {
    return await sendMedia(exchange, services, { ...how, file, streamRequest });
  } catch (error) {
    const isGone = error instanceof Rejection && error.code === 'media.not-found' && !exchange.reply.sent;
    if (!isGone) throw error;
    services.log.warn({ err: error, episodeId: source.id }, 'downloaded episode file is missing; served from its publisher');
    return sendElsewhere(exchange, wanted);
  }
};
