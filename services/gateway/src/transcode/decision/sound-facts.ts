import { codecNamed } from './sound-formats.js';

/** Properties of a file with sound. */
export interface SoundFacts {
  /** Usual file suffix of its container. */
  readonly format: string;
  /** As {@link codecNamed} has it. */
  readonly codec: string;
  readonly mime: string;
  readonly isLossless: boolean;
  /** Average, of the whole file; 0 when unknown. */
  readonly bitrateBps: number;
  /** 0 when unknown. */
  readonly sampleRateHz: number;
  /** 0 when unknown. */
  readonly channels: number;
  /** 0 when unknown, and of what is lossy, whose samples have no size of their own. */
  readonly bitDepth: number;
  readonly durationMs: number;
  /** Part of a file that several songs share. Everything else here, and every time of a request or a target, is about the song alone. */
  readonly part?: SoundPart;
}

/** A song's place in a longer file. */
export interface SoundPart {
  readonly startMs: number;
  /** Duration of the whole file. */
  readonly sourceMs: number;
}

/** A song or anything else with sound as the read model has it. */
export interface Sounding {
  readonly format: string;
  readonly codec?: string | undefined;
  readonly mime: string;
  readonly lossless?: boolean | undefined;
  readonly bitrateBps: number;
  readonly sampleRateHz: number;
  readonly channels?: number | undefined;
  readonly bitDepth?: number | undefined;
  readonly durationMs: number;
  readonly part?: SoundPart | undefined;
}

const LOSSLESS: ReadonlySet<string> = new Set(['flac', 'alac', 'pcm']);

const isLosslessSound = (of: Sounding): boolean => of.lossless ?? LOSSLESS.has(codecNamed(of.codec, of.format));

/** Bits of a sample; 0 when unknown, and of what is lossy. */
export const bitDepthOf = (of: Sounding): number => (isLosslessSound(of) ? (of.bitDepth ?? 0) : 0);

/** The facts of a file. */
export const soundFacts = (of: Sounding): SoundFacts => {
  return {
    format: of.format,
    codec: codecNamed(of.codec, of.format),
    mime: of.mime,
    isLossless: isLosslessSound(of),
    bitrateBps: of.bitrateBps,
    sampleRateHz: of.sampleRateHz,
    channels: of.channels ?? 0,
    bitDepth: bitDepthOf(of),
    durationMs: of.durationMs,
    ...(of.part ? { part: of.part } : {}),
  };
};
