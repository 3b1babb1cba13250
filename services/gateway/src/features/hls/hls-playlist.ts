import { segmentsOf } from './hls-timeline.js';

const MS_PER_S = 1000;
const BITS_PER_KBIT = 1000;
/** Overhead factor of the transport stream and of encoders that overshoot. */
const OVERHEAD = 1.15;

/** A list of the segments of one medium (RFC 8216 section 4). `addressOf` gives the address of a segment, relative to the list. */
export const mediaPlaylist = (durationMs: number, addressOf: (index: number) => string): string => {
  const segments = segmentsOf(durationMs);
  const longest = Math.max(...segments.map(({ lengthMs }) => Math.round(lengthMs / MS_PER_S)));
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXT-X-TARGETDURATION:${Math.max(1, longest)}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...segments.flatMap(({ lengthMs }, index) => [`#EXTINF:${(lengthMs / MS_PER_S).toFixed(3)},`, addressOf(index)]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
};

/** One way to play a medium, as a list of variants names it. */
export interface Variant {
  /** Of the sound, kbit/s; 0 for a film without any. */
  readonly soundKbps: number;
  readonly picture?: { readonly widthPx: number; readonly heightPx: number; readonly kbps: number };
  readonly address: string;
}

/** `avc1.6400xx`: H.264 High of a level that takes the size. */
const videoCodec = ({ widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number }): string => {
  const pixels = widthPx * heightPx;
  if (pixels <= 720 * 576) return 'avc1.64001e';
  if (pixels <= 1280 * 720) return 'avc1.640020';
  return pixels <= 1920 * 1088 ? 'avc1.640028' : 'avc1.640033';
};

const SOUND_CODEC = 'mp4a.40.2';

const variantLines = ({ soundKbps, picture, address }: Variant): string[] => {
  const kbps = soundKbps + (picture?.kbps ?? 0);
  const codecs = [...(picture ? [videoCodec(picture)] : []), ...(soundKbps > 0 ? [SOUND_CODEC] : [])].join(',');
  const size = picture ? `,RESOLUTION=${picture.widthPx}x${picture.heightPx}` : '';
  const average = `,AVERAGE-BANDWIDTH=${Math.round(kbps * BITS_PER_KBIT * OVERHEAD)}`;
  const peak = Math.round(kbps * BITS_PER_KBIT * OVERHEAD * 1.5);
  return [`#EXT-X-STREAM-INF:BANDWIDTH=${peak}${average}${size},CODECS="${codecs}"`, address];
};

/** A list of the ways to play one medium, among which a player chooses by what its line carries. */
export const masterPlaylist = (variants: readonly Variant[]): string =>
  ['#EXTM3U', '#EXT-X-VERSION:6', '#EXT-X-INDEPENDENT-SEGMENTS', ...variants.flatMap(variantLines), ''].join('\n');
