import { Rejection } from '@continuo/contracts';
import { sendConverted } from '../../media/send-media.js';
import type { PlayedFile } from '../../media/play-counter.js';
import { episodeSource } from '../../reads/episode-file.reads.js';
import { songFile, type SongFile } from '../../reads/songs.reads.js';
import { readClientInfo } from '../../transcode/decision/client-info.js';
import { decideForClient, type ClientDecision } from '../../transcode/decision/decide-for-client.js';
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

/** What is decided about: a song, or an episode of a podcast. */
const media = { mediaId: anyId('song'), mediaType: requiredWord('song', 'podcast') };
interface Media {
  readonly mediaId: CompatId;
  readonly mediaType: 'song' | 'podcast';
}

/** What is heard of a thing, with the file where one is here. */
interface Heard {
  readonly sound: SoundFacts;
  readonly file?: SongFile;
  /** What it is to those who keep count. */
  readonly played: PlayedFile;
}

const noMedia = (): CompatError => new CompatError(70, 'There is no such media');

const heardOf = async (call: UserCallBase, { mediaId: { kind, id }, mediaType }: Media): Promise<Heard> => {
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

/** Nothing else is made of a file that its publisher has and this server has not. */
const asFarAsKept = ({ file }: Heard, { target, output, ...decision }: ClientDecision): ClientDecision => {
  if (!target || file) return { ...decision, ...(target && { target }), ...(output && { output }) };
  return { ...decision, error: 'The file of this episode is not kept here' };
};

/** @throws CompatError 10 for what is no time: wrong parameters have a status here (compat facts, section 7.1) */
const offsetOf = (text: string | undefined): number | undefined => {
  if (text !== undefined && text.trim() !== '' && !isSeconds(text)) throw new CompatError(10, 'Parameter offset is a number of seconds');
  return secondsWish(text);
};

const tokensOf = ({ services }: UserCallBase): TranscodeParams => transcodeParams(services.secrets, services.now);

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
      const heard = await heardOf(call, call.params);
      const decision = asFarAsKept(heard, decideForClient(heard.sound, client, call.viewer.streams ?? NO_RULES));
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
      const { file, sound, played } = await heardOf(call, call.params);
      if (!file) throw noMedia();
      const target = tokensOf(call).check(token, { mediaId: formatId(mediaId.kind, mediaId.id), userId: call.viewer.userId });
      if (!target) throw new CompatError(10, 'Parameter transcodeParams is not, or no longer, one for this media');
      const allowed = targetWithin(sound, target, call.viewer.streams ?? NO_RULES);
      if (!allowed) throw new CompatError(10, 'Parameter transcodeParams asks for more than this account is sent now');
      const stream = streamOf(sound, { ...allowed, offsetMs: wishFor(file, { offsetMs }).offsetMs ?? 0 });
      const onFound = (): void => call.services.plays.note(http.request, call.context, played, 'show');
      return sendConverted(http, call.services, { file, stream, attachment: false, onFound });
    },
  }),
} as const;
