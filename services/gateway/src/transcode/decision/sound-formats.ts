import type { TranscodeFormat } from '@continuo/contracts';

/** Ways in which sound is coded, as far as decisions depend on them. */
export type SoundCodec = 'mp3' | 'aac' | 'vorbis' | 'opus' | 'flac' | 'alac' | 'pcm';

/** Forms that sound alone can be brought into. `aac` is AAC in ADTS, `m4a` AAC in fragmented MP4. */
export type SoundFormat = Exclude<TranscodeFormat, 'mp4' | 'webm' | 'ts' | 'srt'>;

/** Limits and names of a format. */
export interface SoundFormatFacts {
  readonly codec: SoundCodec;
  /** Usual file suffix, without the dot. */
  readonly suffix: string;
  readonly mime: string;
  readonly isLossless: boolean;
  readonly maxChannels: number;
  /** Highest bit rate; 0 where it has no meaning. */
  readonly maxKbps: number;
  /** Lowest bit rate at the usual sample rates. */
  readonly minKbps: number;
  /** Sample rates that its encoder takes; empty for any. */
  readonly sampleRatesHz: readonly number[];
  /** Bit rates that its encoder knows, in kbit/s; empty for any. */
  readonly steps: readonly number[];
  /** Factor by which the size may exceed bit rate times time: encoders that aim at a rate do not hit it. */
  readonly spread: number;
}

const UP_TO_48 = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];
const MP3_STEPS = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const anyRate = { sampleRatesHz: [], steps: [] } as const;

/** Every form of sound that can be made. */
export const soundFormats: Readonly<Record<SoundFormat, SoundFormatFacts>> = {
  mp3: {
    codec: 'mp3',
    suffix: 'mp3',
    mime: 'audio/mpeg',
    isLossless: false,
    maxChannels: 2,
    minKbps: 8,
    maxKbps: 320,
    sampleRatesHz: UP_TO_48,
    steps: MP3_STEPS,
    spread: 1,
  },
  opus: {
    codec: 'opus',
    suffix: 'opus',
    mime: 'audio/ogg',
    isLossless: false,
    maxChannels: 8,
    minKbps: 8,
    maxKbps: 510,
    sampleRatesHz: [48_000],
    steps: [],
    spread: 1.06,
  },
  ogg: {
    codec: 'vorbis',
    suffix: 'ogg',
    mime: 'audio/ogg',
    isLossless: false,
    maxChannels: 2,
    minKbps: 48,
    maxKbps: 480,
    sampleRatesHz: [44_100, 48_000],
    steps: [],
    spread: 1.05,
  },
  aac: {
    codec: 'aac',
    suffix: 'aac',
    mime: 'audio/aac',
    isLossless: false,
    maxChannels: 8,
    minKbps: 8,
    maxKbps: 512,
    sampleRatesHz: UP_TO_48,
    steps: [],
    spread: 1.06,
  },
  m4a: {
    codec: 'aac',
    suffix: 'm4a',
    mime: 'audio/mp4',
    isLossless: false,
    maxChannels: 8,
    minKbps: 8,
    maxKbps: 512,
    sampleRatesHz: UP_TO_48,
    steps: [],
    spread: 1.06,
  },
  flac: {
    codec: 'flac',
    suffix: 'flac',
    mime: 'audio/flac',
    isLossless: true,
    maxChannels: 8,
    minKbps: 0,
    maxKbps: 0,
    spread: 0,
    ...anyRate,
  },
  wav: {
    codec: 'pcm',
    suffix: 'wav',
    mime: 'audio/wav',
    isLossless: true,
    maxChannels: 8,
    minKbps: 0,
    maxKbps: 0,
    spread: 1,
    ...anyRate,
  },
};

/** The forms by every name that clients have for them. */
const formatByName: Readonly<Record<string, SoundFormat>> = {
  mp3: 'mp3',
  opus: 'opus',
  ogg: 'ogg',
  oga: 'ogg',
  vorbis: 'ogg',
  aac: 'aac',
  adts: 'aac',
  m4a: 'm4a',
  mp4: 'm4a',
  flac: 'flac',
  wav: 'wav',
  wave: 'wav',
};

/** The form that a client means by a name; undefined for one that cannot be made. */
export const soundFormatNamed = (name: string): SoundFormat | undefined => {
  const key = name.trim().toLowerCase();
  return Object.hasOwn(formatByName, key) ? formatByName[key] : undefined;
};

const codecPatterns: readonly [RegExp, SoundCodec][] = [
  [/layer ?3|^mp3|^mpeg-?1 audio/i, 'mp3'],
  [/alac/i, 'alac'],
  [/flac/i, 'flac'],
  [/vorbis/i, 'vorbis'],
  [/opus/i, 'opus'],
  [/aac|mp4a/i, 'aac'],
  [/pcm|^raw$|lpcm/i, 'pcm'],
];

/** Usual codec of a container, for files of unknown codec. */
const usualCodec: Readonly<Record<string, SoundCodec>> = {
  mp3: 'mp3',
  aac: 'aac',
  m4a: 'aac',
  ogg: 'vorbis',
  oga: 'flac',
  opus: 'opus',
  flac: 'flac',
  wav: 'pcm',
  aiff: 'pcm',
};

/**
 * The codec of a file by what its tags' reader calls it (`MPEG 1 Layer 3`, `MPEG-4/AAC`, `Vorbis I`), else by its container; otherwise the name itself in
 * lower case, which no format that can be made has.
 */
export const codecNamed = (codec: string | undefined, format: string): string => {
  const known = codec === undefined ? undefined : codecPatterns.find(([pattern]) => pattern.test(codec));
  if (known) return known[1];
  return (codec === undefined ? usualCodec[format] : undefined) ?? (codec ?? format).toLowerCase();
};

const families: readonly (readonly string[])[] = [
  ['m4a', 'mp4', 'm4b', 'mov', '3gp'],
  ['ogg', 'oga', 'opus', 'spx'],
  ['mka', 'mkv', 'matroska'],
  ['aac', 'adts'],
  ['wav', 'wave'],
  ['aiff', 'aif', 'aifc'],
  ['wma', 'asf'],
];

/** True when two names of containers mean the same one. */
export const isSameContainer = (one: string, other: string): boolean => {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a === b || families.some((names) => names.includes(a) && names.includes(b));
};

/** True when two names of codecs mean the same one. */
export const isSameCodec = (one: string, other: string): boolean => codecNamed(one, one) === codecNamed(other, other);
