import { Rejection } from '@continuo/contracts';
import { sendConverted } from '../../media/send-media.js';
import { songFile, type SongFile } from '../../reads/songs.reads.js';
import { readClientInfo } from '../../transcode/decision/client-info.js';
import { decideForClient } from '../../transcode/decision/decide-for-client.js';
import { streamOf, targetWithin } from '../../transcode/decision/decide-stream.js';
import { isSeconds, secondsWish, wishFor } from '../../transcode/decision/read-wish.js';
import type { SoundFacts } from '../../transcode/decision/sound-facts.js';
import { NO_RULES } from '../../transcode/decision/stream-rules.js';
import { transcodeParams, type TranscodeParams } from '../../transcode/decision/transcode-params.js';
import { objectBody } from '../documents.js';
import { CompatError } from '../errors.js';
import { formatId, type CompatId } from '../ids.js';
import { transcodeDecision } from '../objects/transcode-decision.object.js';
import { anyId, optionalText, requiredText, requiredWord } from '../parameters.js';
import { anybody, binary, document, type UserCallBase } from './endpoint.js';

const listeners = { ...anybody, role: 'stream' } as const;

/** What is decided about: podcasts have no episodes here yet. */
const media = { mediaId: anyId('song'), mediaType: requiredWord('song', 'podcast') };
interface Media {
  readonly mediaId: CompatId;
  readonly mediaType: 'song' | 'podcast';
}

const soundOf = async (
  call: UserCallBase,
  { mediaId: { kind, id }, mediaType }: Media,
): Promise<SongFile & { readonly sound: SoundFacts }> => {
  const { services, viewer } = call;
  const { caller } = call.context;
  if (!(await services.auth.admits('stream', caller.address, caller.account.id))) throw new Rejection('access.address');
  const file = kind === 'song' && mediaType === 'song' ? await songFile(services.db, id, viewer) : undefined;
  if (!file?.sound) throw new CompatError(70, 'There is no such media');
  return { ...file, sound: file.sound };
};

/** @throws CompatError 10 for what is no time: wrong parameters have a status here (compat facts, section 7.1) */
const offsetOf = (text: string | undefined): number | undefined => {
  if (text !== undefined && text.trim() !== '' && !isSeconds(text)) throw new CompatError(10, 'Parameter offset is a number of seconds');
  return secondsWish(text);
};

const tokensOf = ({ services }: UserCallBase): TranscodeParams => transcodeParams(services.config.CONTINUO_SECRET, services.now);

/** The extension `transcoding` (compat facts, section 7.1). */
export const transcodingEndpoints = {
  /** Whether the client can play the media as it is, else what it can be sent instead, and the token for that. */
  getTranscodeDecision: document({
    access: listeners,
    open: true,
    params: media,
    body: objectBody('transcodeDecision', transcodeDecision),
    answer: async (call) => {
      const { mediaId } = call.params;
      const client = readClientInfo(call.context.params);
      const file = await soundOf(call, call.params);
      const decision = decideForClient(file.sound, client, call.viewer.streams ?? NO_RULES);
      const { target } = decision;
      if (!target) return decision;
      const token = tokensOf(call).sign({ mediaId: formatId(mediaId.kind, mediaId.id), userId: call.viewer.userId, target });
      return { ...decision, token };
    },
  }),

  /** What a token of {@link getTranscodeDecision} allows. Failures have an HTTP status of their own. */
  getTranscodeStream: binary({
    access: listeners,
    open: true,
    tellsStatus: true,
    params: { ...media, transcodeParams: requiredText, offset: optionalText },
    send: async (call, http) => {
      const { mediaId, transcodeParams: token } = call.params;
      const offsetMs = offsetOf(call.params.offset);
      const file = await soundOf(call, call.params);
      const target = tokensOf(call).check(token, { mediaId: formatId(mediaId.kind, mediaId.id), userId: call.viewer.userId });
      if (!target) throw new CompatError(10, 'Parameter transcodeParams is not, or no longer, one for this media');
      const allowed = targetWithin(file.sound, target, call.viewer.streams ?? NO_RULES);
      if (!allowed) throw new CompatError(10, 'Parameter transcodeParams asks for more than this account is sent now');
      const stream = streamOf(file.sound, { ...allowed, offsetMs: wishFor(file, { offsetMs }).offsetMs ?? 0 });
      const onFound = (): void => call.services.plays.note(http.request, call.context, file, 'show');
      return sendConverted(http, call.services, { file, stream, attachment: false, onFound });
    },
  }),
} as const;
