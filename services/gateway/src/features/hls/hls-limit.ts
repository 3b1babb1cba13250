import type { HlsGrant } from './hls-grant.js';
import type { HlsMedium } from './hls-media.js';
import { fitted, soundRate, videoRate } from '../../transcode/decision/video/hls-rates.js';

/**
 * Reduces a grant to `limitKbps`, the account's present limit: a token is good for hours, and the limit may have been lowered since it was made. Segments
 * become smaller rather than being refused; each is decoded on its own, so that what plays goes on. The grant itself where it is within the limit.
 */
export const limitGrant = (grant: HlsGrant, medium: HlsMedium, limitKbps: number | undefined): HlsGrant => {
  const { soundKbps, picture } = grant;
  if (limitKbps === undefined || soundKbps + (picture?.kbps ?? 0) <= limitKbps) return grant;
  if (!picture || !medium.picture) return { ...grant, soundKbps: soundRate({ kbps: soundKbps }, medium.sound, limitKbps) };
  const lower = videoRate({ kbps: limitKbps }, medium.picture, limitKbps);
  const box = fitted(lower.picture, picture);
  return { ...grant, soundKbps: lower.soundKbps, picture: { ...leastSides(box), kbps: lower.picture.kbps } };
};

/** Least side of a picture that transcoding takes. */
const LEAST_SIDE_PX = 16;

/** A size whose sides transcoding takes. */
export const leastSides = ({ widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number }) => ({
  widthPx: Math.max(LEAST_SIDE_PX, widthPx),
  heightPx: Math.max(LEAST_SIDE_PX, heightPx),
});
