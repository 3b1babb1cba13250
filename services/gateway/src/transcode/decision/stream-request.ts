import { MAX_GAIN_DB, Rejection } from '@continuo/contracts';
import type { StreamRequest } from './decide-stream.js';
import { soundFormatNamed } from './sound-formats.js';

/** Stream parameters of a request, unchecked. */
export interface StreamParameters {
  /** A format, or `raw`. */
  readonly format?: string | undefined;
  /** The name of the parameter that holds it. */
  readonly formatParameter?: string;
  readonly maxKbps?: number | undefined;
  readonly offsetMs?: number | undefined;
  readonly lengthMs?: number | undefined;
  readonly gainDb?: number | undefined;
}

const MS = 1000;
const LOWEST_KBPS = 8;
/** Smaller numbers are no bit rate in bits per second that anything could have; clients that send them mean kbit/s. */
const SMALLEST_BPS = 1000;
const LONGEST_MS = 7 * 86_400_000;
const DECIMAL = /^\d{1,20}(?:\.\d{1,20})?$/;

/** A highest bit rate in kbit/s; undefined for 0 and for what is no rate. */
export const positiveKbps = (kbps: number | undefined): number | undefined =>
  kbps === undefined || !Number.isFinite(kbps) || kbps <= 0 ? undefined : Math.max(LOWEST_KBPS, Math.floor(kbps));

/** Reads a highest bit rate in bits per second, in kbit/s. */
export const requestedBitrateKbps = (text: string | undefined): number | undefined => {
  if (text === undefined || !DECIMAL.test(text.trim())) return undefined;
  const rate = Number(text);
  return positiveKbps(rate < SMALLEST_BPS ? rate : rate / MS);
};

/** True for what can be read as a time in seconds. */
export const isSeconds = (text: string): boolean => DECIMAL.test(text.trim());

/** Reads a time in seconds, which may be a fraction, in milliseconds; undefined for 0 and for what is no time. What is longer than anything lies behind every end. */
export const requestedMs = (text: string | undefined): number | undefined => {
  const ms = text !== undefined && DECIMAL.test(text.trim()) ? Math.round(Number(text) * MS) : 0;
  return ms > 0 ? Math.min(ms, LONGEST_MS) : undefined;
};

const SIGNED_DECIMAL = /^[+-]?\d{1,2}(?:\.\d{1,20})?$/;

/**
 * Reads a change of the loudness in dB, rounded to hundredths so that transcodes are shared; undefined for none.
 * @throws Rejection `input.invalid` for what is no number, or beyond 30 dB
 */
export const requestedGainDb = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const gainDb = SIGNED_DECIMAL.test(text) ? Math.round(Number(text) * 100) / 100 : Number.NaN;
  if (!(Math.abs(gainDb) <= MAX_GAIN_DB))
    throw new Rejection('input.invalid', `the gain must be a number of dB from -${MAX_GAIN_DB} to ${MAX_GAIN_DB}`, 'gain');
  return gainDb === 0 ? undefined : gainDb;
};

const formatOf = ({ format, formatParameter = 'format' }: StreamParameters, file: { readonly format: string }): StreamRequest['format'] => {
  const name = format?.trim().toLowerCase() ?? '';
  if (name === '') return undefined;
  if (name === 'raw') return 'raw';
  const known = soundFormatNamed(name);
  if (known !== undefined) return known;
  // What cannot be made may be what the file is in already.
  if (name === file.format) return undefined;
  throw new Rejection('input.invalid', `this server cannot make the format ${name.slice(0, 20)}`, formatParameter);
};

/**
 * Checks the parameters of a stream of this file.
 * @throws Rejection `input.invalid` for a format that cannot be made, or a start behind the end
 */
export const streamRequestFor = (
  file: { readonly format: string; readonly durationMs: number },
  parameters: StreamParameters,
): StreamRequest => {
  const { maxKbps, offsetMs, lengthMs, gainDb } = parameters;
  const format = formatOf(parameters, file);
  if (format !== 'raw' && offsetMs !== undefined && file.durationMs > 0 && offsetMs >= file.durationMs)
    throw new Rejection('input.invalid', 'the stream would start behind the end', 'offset');
  return { format, maxKbps, offsetMs, lengthMs, gainDb };
};
