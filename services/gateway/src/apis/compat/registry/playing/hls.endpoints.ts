import { Rejection } from '@continuo/contracts';
import { hlsTokens, isHlsKind } from '../../../../features/hls/hls-grant.js';
import { listOf, listTypeFor } from '../../../../features/hls/hls-lists.js';
import { hlsMedium } from '../../../../features/hls/hls-media.js';
import { wantedRate, type WantedRate } from '../../../../transcode/decision/video/hls-rates.js';
import { CompatError } from '../../errors.js';
import { anyId, optionalText, textList } from '../../parameters.js';
import { endpointsUsing, anybody, type Call } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasAuth } from '../../../../auth/auth.js';
import type { HasPlays } from '../../../../features/media/play-counter.js';
import type { HasClock, HasSecrets, HasConfig } from '../../../../server/needs.js';

type Services = HasAuth & HasReadModel & HasClock & HasPlays & HasSecrets & HasConfig;
const { binary } = endpointsUsing<Services>();

/** Most variants of one playlist. */
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

const admitted = async ({ services, context: { caller } }: Pick<Call<unknown, Services>, 'services' | 'context'>): Promise<void> => {
  if (!(await services.auth.admits('stream', caller.address, caller.account.id))) throw new Rejection('access.address');
};

/** Operations for HTTP Live Streaming. */
export const hlsEndpoints = {
  /** A media playlist, or a master playlist for several bitrates. Its addresses are signed and carry no credentials. */
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
      // Clients of this API count plays by `scrobble`.
      services.plays.note(request, context, { ...medium, video: medium.picture }, 'show');
      reply.type(listTypeFor(request.headers['user-agent'])).header('cache-control', 'private, no-store');
      return request.method === 'HEAD' ? reply.header('content-length', Buffer.byteLength(text)).send() : reply.send(text);
    },
  }),
} as const;
