import type { TranscodeFormat } from '@continuo/contracts';

/** Bounds of a bit rate, kbit/s. */
export interface RateBounds {
  readonly least: number;
  readonly most: number;
}

/** Sound encoding of a format. */
export interface SoundProfile {
  /** ffmpeg's name of the encoder. */
  readonly encoder: string;
  /** The usual bit rate of the format, kbit/s; absent for what keeps everything. */
  readonly usualKbps?: number;
  /** By sample rate (absent: unknown, at least {@link SoundProfile.rates}' least) and number of channels (absent: unknown). */
  readonly bounds?: (sampleRateHz: number | undefined, channels: number | undefined) => RateBounds;
  /** Rates that it takes, Hz, rising; absent: all. */
  readonly rates?: readonly number[];
  /** Rates among which the source's is rounded when nothing is said, Hz; absent: all that it takes. */
  readonly usualRates?: (kbps: number) => readonly number[];
  readonly maxChannels: number;
  /** Layouts among which the source's is rounded when nothing is said; absent: the encoder chooses among all. */
  readonly usualLayouts?: readonly string[];
  /** Further arguments of the encoder. */
  readonly extra?: (kbps: number) => readonly string[];
}

const MPEG1_RATES = [32_000, 44_100, 48_000];
const MPEG2_RATES = [16_000, 22_050, 24_000];
const MPEG25_RATES = [8000, 11_025, 12_000];
/** Least bit rate of MPEG-1 layer III; below it the lower sample rates of MPEG-2 are needed. */
const MPEG1_LEAST_KBPS = 32;

/** MP3 by ISO 11172-3 and 13818-3: each group of sample rates has bit rates of its own. */
const mp3: SoundProfile = {
  encoder: 'libmp3lame',
  usualKbps: 192,
  bounds: (rate) => ({ least: rate !== undefined && rate >= 32_000 ? MPEG1_LEAST_KBPS : 8, most: mostOfMp3(rate) }),
  rates: [...MPEG25_RATES, ...MPEG2_RATES, ...MPEG1_RATES],
  usualRates: (kbps) => (kbps < MPEG1_LEAST_KBPS ? MPEG2_RATES : MPEG1_RATES),
  maxChannels: 2,
  usualLayouts: ['mono', 'stereo'],
};

const mostOfMp3 = (rate: number | undefined): number => {
  if (rate === undefined || rate >= 32_000) return 320;
  return rate >= 16_000 ? 160 : 64;
};

/** Opus knows one rate. Its own variable rate strays far from what was asked for on quiet music, which lengths are estimated by; constrained it keeps to it. */
const opus: SoundProfile = {
  encoder: 'libopus',
  usualKbps: 128,
  bounds: () => ({ least: 8, most: 510 }),
  rates: [48_000],
  maxChannels: 8,
  usualLayouts: ['mono', 'stereo', '3.0', 'quad', '5.0', '5.1', '6.1', '7.1'],
  extra: () => ['-vbr', 'constrained'],
};

/** Vorbis refuses rates outside what its set-up for the channels and the sample rate knows, so it always gets one or two channels at a usual rate. */
const vorbis: SoundProfile = {
  encoder: 'libvorbis',
  usualKbps: 160,
  bounds: (_, channels) => (channels === 1 ? { least: 32, most: 240 } : { least: 48, most: 480 }),
  rates: [44_100, 48_000],
  maxChannels: 2,
  usualLayouts: ['stereo'],
  extra: (kbps) => ['-minrate', `${kbps}k`, '-maxrate', `${kbps}k`],
};

const aac: SoundProfile = {
  encoder: 'aac',
  usualKbps: 192,
  bounds: () => ({ least: 8, most: 512 }),
  rates: [...MPEG25_RATES, ...MPEG2_RATES, ...MPEG1_RATES],
  maxChannels: 8,
};

/** Sound encoding of each format. */
export const soundTable = {
  mp3,
  opus,
  ogg: vorbis,
  aac,
  m4a: aac,
  flac: { encoder: 'flac', maxChannels: 8 },
  wav: { encoder: 'pcm_s16le', maxChannels: 8 },
  mp4: aac,
  webm: opus,
  ts: aac,
} as const satisfies Record<Exclude<TranscodeFormat, 'srt'>, SoundProfile>;
