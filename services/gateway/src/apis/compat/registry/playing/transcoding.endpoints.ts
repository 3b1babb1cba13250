import { Rejection } from '@continuo/contracts';
import { sendConverted } from '../../../../features/media/send-media.js';
import type { PlayedFile, HasPlays } from '../../../../features/media/play-counter.js';
import { episodeSource } from '../../../../reads/podcasts/episode-file.reads.js';
import { songFile, type SongFile } from '../../../../reads/songs/songs.reads.js';
import { readClientInfo } from '../../../../transcode/decision/client-info.js';
import { decideForClient, type ClientDecision } from '../../../../transcode/decision/decide-for-client.js';
import { streamOf, targetWithin } from '../../../../transcode/decision/decide-stream.js';
import { isSeconds, requestedMs, streamRequestFor } from '../../../../transcode/decision/stream-request.js';
import type { SoundFacts } from '../../../../transcode/decision/sound-facts.js';
import { NO_RULES } from '../../../../transcode/decision/stream-rules.js';
import { transcodeParams, type TranscodeParams } from '../../../../transcode/decision/transcode-params.js';
import { objectBody } from '../../documents.js';
import { CompatError } from '../../errors.js';
import { formatId, type CompatId } from '../../ids.js';
import { transcodeDecision } from '../../objects/transcode-decision.object.js';
import { anyId, optionalText, requiredText, requiredWord } from '../../parameters.js';
import { endpointsUsing, anybody, type UserCallBase } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasAuth } from '../../../../auth/auth.js';
import type { HasClock, HasConfig, HasMediaStore, HasSecrets, HasLog } from '../../../../server/needs.js';
import type { HasTranscodes } from '../../../../transcode/transcodes.js';

type Services = HasAuth & HasConfig & HasReadModel & HasMediaStore & HasClock & HasPlays & HasSecrets & HasTranscodes & HasLog;
const { document, binary } = endpointsUsing<Services>();

const listeners = { ...anybody, role: 'stream' } as const;

/** A song or a podcast episode. */
const media = { mediaId: anyId('song'), mediaType: requiredWord('song', 'podcast') };
interface Media {
  readonly mediaId: CompatId;
  readonly mediaType: 'song' | 'podcast';
}

/** A medium, with its file if one is kept. */
interface DecidedMedia {
  readonly sound: SoundFacts;
  readonly file?: SongFile;
  /** Data for counting plays. */
  readonly played: PlayedFile;
}

const noMedia = (): CompatError => new CompatError(70, 'There is no such media');

const heardOf = async (call: UserCallBase<Services>, { mediaId: { kind, id }, mediaType }: Media): Promise<DecidedMedia> => {
  const { services, viewer } = call;
  const { caller } = call.context;
  if (!(await services.auth.admits('stream', caller.address, caller.account.id))) throw new Rejection('access.address');
  if (mediaType === 'podcast') {
    const source = kind === 'episode' && services.config.PODCAST ? await episodeSource(services.db, id, viewer) : undefined;
    if (!source) throw noMedia();
    return { sound: source.sound, played: source, ...(source.kept && { file: source.kept }) };
  }
  const file = kind === 'song' ? await songFile(services.db, id, viewer) : undefined;
  if (!file?.sound) throw noMedia();
  return { sound: file.sound, played: file, file };
};

/** Episodes without a kept file cannot be converted. */
const withoutConversion = ({ file }: DecidedMedia, { target, output, ...decision }: ClientDecision): ClientDecision => {
  if (!target || file) return { ...decision, ...(target && { target }), ...(output && { output }) };
  return { ...decision, error: 'The file of this episode is not kept here' };
};

/** @throws CompatError 10 for an invalid time, which has an HTTP status here */
const offsetOf = (text: string | undefined): number | undefined => {
  if (text !== undefined && text.trim() !== '' && !isSeconds(text)) throw new CompatError(10, 'Parameter offset is a number of seconds');
  return requestedMs(text);
};

const tokensOf = ({ services }: UserCallBase<Services>): TranscodeParams => transcodeParams(services.secrets, services.now);

/** Extension `transcoding`. */
export const transcodingEndpoints = {
  /** Decides between direct play and a conversion, and returns the token of the stream. */
  getTranscodeDecision: document({
    access: listeners,
    open: true,
    params: media,
    body: objectBody('transcodeDecision', transcodeDecision),
    answer: async (call) => {
      const { mediaId } = call.params;
      const client = readClientInfo(call.context.params);
      const heard = await heardOf(call, call.params);
      const decision = withoutConversion(heard, decideForClient(heard.sound, client, call.viewer.streams ?? NO_RULES));
      const { target } = decision;
      if (!target) return decision;
      const token = tokensOf(call).sign({ mediaId: formatId(mediaId.kind, mediaId.id), userId: call.viewer.userId, target });
      return { ...decision, token };
    },
  }),

  /** Streams by a token of {@link getTranscodeDecision}. Failures also have an HTTP status. */
  getTranscodeStream: binary({
    access: listeners,
    open: true,
    tellsStatus: true,
    params: { ...media, transcodeParams: requiredText, offset: optionalText },
    send: async (call, http) => {
      const { mediaId, transcodeParams: token } = call.params;
      const offsetMs = offsetOf(call.params.offset);
      const { file, sound, played } = await heardOf(call, call.params);
      if (!file) throw noMedia();
      const target = tokensOf(call).check(token, { mediaId: formatId(mediaId.kind, mediaId.id), userId: call.viewer.userId });
      if (!target) throw new CompatError(10, 'Parameter transcodeParams is not, or no longer, one for this media');
      const allowed = targetWithin(sound, target, call.viewer.streams ?? NO_RULES);
      if (!allowed) throw new CompatError(10, 'Parameter transcodeParams asks for more than this account is sent now');
      const stream = streamOf(sound, { ...allowed, offsetMs: streamRequestFor(file, { offsetMs }).offsetMs ?? 0 });
      const onFound = (): void => call.services.plays.note(http.request, call.context, played, 'show');
      return sendConverted(http, call.services, { file, viewer: call.viewer, stream, attachment: false, onFound });
    },
  }),
} as const;
