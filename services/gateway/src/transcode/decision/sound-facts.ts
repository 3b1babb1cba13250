import { codecNamed } from './sound-formats.js';

/** What decisions need to know of a file with sound. */
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
  /** 0 when unknown. */
  readonly bitDepth: number;
  readonly durationMs: number;
  /** Where it lies in a file that it shares with others. Everything else here, and every time of a wish or a target, is about the song alone. */
  readonly part?: SoundPart;
}

/** A song's place in a longer file. */
export interface SoundPart {
  readonly startMs: number;
  /** How long the whole file lasts. */
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

/** The facts of a file. */
export const soundFacts = (of: Sounding): SoundFacts => {
  const codec = codecNamed(of.codec, of.format);
  return {
    format: of.format,
    codec,
    mime: of.mime,
    isLossless: of.lossless ?? LOSSLESS.has(codec),
    bitrateBps: of.bitrateBps,
    sampleRateHz: of.sampleRateHz,
    channels: of.channels ?? 0,
    bitDepth: of.bitDepth ?? 0,
    durationMs: of.durationMs,
    ...(of.part ? { part: of.part } : {}),
  };
};
