import { Rejection } from '@continuo/contracts';
import type { HlsGrant, HlsTokens } from './hls-grant.js';
import { leastSides } from './hls-limit.js';
import type { HlsMedium } from './hls-media.js';
import { masterPlaylist, mediaPlaylist } from './hls-playlist.js';
import { fitted, soundRate, videoRate, type WantedRate } from '../../transcode/decision/video/hls-rates.js';

/** Type of lists (RFC 8216 section 4). */
const LIST_TYPE = 'application/vnd.apple.mpegurl';
/** Media type for VLC, which refuses the standard one. */
const LIST_TYPE_OF_VLC = 'audio/mpegurl';

/** The content type of a list for a player, by its `User-Agent`. */
export const listTypeFor = (userAgent: string | undefined): string =>
  /\b(?:VLC|LibVLC)\b/i.test(userAgent ?? '') ? LIST_TYPE_OF_VLC : LIST_TYPE;

/** Medium and viewer of a list. */
export interface Listening {
  readonly kind: HlsGrant['kind'];
  readonly medium: HlsMedium;
  readonly userId: number;
  readonly audioTrack: number;
  /** The account is sent nothing above this rate, kbit/s. */
  readonly limitKbps?: number | undefined;
}

const grantFor = ({ kind, medium, userId, audioTrack, limitKbps }: Listening, wanted: WantedRate): HlsGrant => {
  const who = { kind, id: medium.id, userId, audioTrack };
  if (!medium.picture) return { ...who, soundKbps: soundRate(wanted, medium.sound, limitKbps) };
  const { soundKbps, picture } = videoRate(wanted, medium.picture, limitKbps);
  return { ...who, soundKbps, picture: { ...leastSides(picture), kbps: picture.kbps } };
};

const checked = ({ medium, audioTrack }: Listening): void => {
  if (medium.durationMs <= 0)
    throw new Rejection('transcode.failed', 'nobody knows how long this is, so that it cannot be cut into segments');
  if (audioTrack >= Math.max(1, medium.audioTracks)) throw new Rejection('input.invalid', 'there is no such audio track', 'audioTrack');
};

/** The segments of a medium, under addresses that `place` is put in front of. */
export const segmentList = (durationMs: number, place: string): string => mediaPlaylist(durationMs, (index) => `${place}${index}.ts`);

/**
 * Builds the answer of `hls.m3u8`: the segments at one rate, or several variants among which the player chooses. Addresses are relative to `/rest/`.
 * @throws Rejection `transcode.failed` for a medium of unknown length, `input.invalid` for an audio track that there is not
 */
export const listOf = (listening: Listening, wanted: readonly WantedRate[], tokens: HlsTokens): string => {
  checked(listening);
  const { medium } = listening;
  const grants = (wanted.length > 0 ? wanted : [{ kbps: 0 }]).map((rate) => grantFor(listening, rate));
  const [first, ...others] = grants as [HlsGrant, ...HlsGrant[]];
  if (others.length === 0) return segmentList(medium.durationMs, `hls/${tokens.sign(first)}/`);
  const hasSound = medium.audioTracks > 0;
  const ways = new Map(grants.map((grant) => [tokens.sign(grant), grant]));
  return masterPlaylist(
    [...ways].map(([token, { soundKbps, picture }]) => ({
      soundKbps: hasSound ? soundKbps : 0,
      ...(picture && medium.picture ? { picture: { ...fitted(medium.picture, picture), kbps: picture.kbps } } : {}),
      address: `hls/${token}/list.m3u8`,
    })),
  );
};
