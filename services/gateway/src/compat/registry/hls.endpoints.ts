import { Rejection } from '@continuo/contracts';
import { hlsTokens, isHlsKind } from '../../hls/hls-grant.js';
import { listOf, listTypeFor } from '../../hls/hls-lists.js';
import { hlsMedium } from '../../hls/hls-media.js';
import { wantedRate, type WantedRate } from '../../hls/hls-rates.js';
import { CompatError } from '../errors.js';
import { anyId, optionalText, textList } from '../parameters.js';
import { anybody, binary, type Call } from './endpoint.js';

/** Most variants of one list. */
const MAX_VARIANTS = 12;

const ratesOf = (texts: readonly string[]): WantedRate[] => {
  if (texts.length > MAX_VARIANTS) throw new CompatError(10, `Parameter bitRate may be given ${MAX_VARIANTS} times`);
  return texts.map((text) => {
    const rate = wantedRate(text);
    if (!rate) throw new CompatError(10, `Parameter bitRate cannot be ${JSON.stringify(text.slice(0, 40))}`);
    return rate;
  });
};

const trackOf = (text: string | undefined): number => {
  if (text === undefined) return 0;
  if (!/^\d{1,2}$/.test(text.trim())) throw new CompatError(10, 'Parameter audioTrack is none of getVideoInfo');
  return Number(text);
};

const admitted = async ({ services, context: { caller } }: Pick<Call<unknown>, 'services' | 'context'>): Promise<void> => {
  if (!(await services.auth.admits('stream', caller.address, caller.account.id))) throw new Rejection('access.address');
};

/** HTTP Live Streaming. */
export const hlsEndpoints = {
  /** A list of segments, or of ways to play when several rates are asked for. The addresses in it carry no credentials: they are signed (compat facts, 8.4). */
  'hls.m3u8': binary({
    access: { ...anybody, role: 'stream' },
    params: { id: anyId('song'), bitRate: textList, audioTrack: optionalText },
    send: async (call, { request, reply }) => {
      const { params, services, viewer, context } = call;
      await admitted(call);
      const { kind, id } = params.id;
      const medium = isHlsKind(kind) ? await hlsMedium(services, { kind, id }, viewer) : undefined;
      if (!medium || !isHlsKind(kind)) throw new CompatError(70, 'There is no such song or video');
      const rates = ratesOf(params.bitRate);
      const listening = {
        kind,
        medium,
        userId: viewer.userId,
        audioTrack: trackOf(params.audioTrack),
        limitKbps: viewer.streams?.limitKbps,
      };
      const text = listOf(listening, rates, hlsTokens(services.secrets, services.now));
      // Clients of this API say themselves what counts as a play, by `scrobble`.
      services.plays.note(request, context, { ...medium, video: medium.picture }, 'show');
      reply.type(listTypeFor(request.headers['user-agent'])).header('cache-control', 'private, no-store');
      return request.method === 'HEAD' ? reply.header('content-length', Buffer.byteLength(text)).send() : reply.send(text);
    },
  }),
} as const;
