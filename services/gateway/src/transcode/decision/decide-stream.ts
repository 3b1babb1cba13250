import type { TranscodeTarget } from '@continuo/contracts';
import { fitSound, fittedBitrateBps } from './fit-sound.js';
import type { SoundFacts } from './sound-facts.js';
import { isSameContainer, soundFormats, type SoundFormat } from './sound-formats.js';
import type { StreamRules } from './stream-rules.js';

/** Requested form of a stream. */
export interface StreamRequest {
  /** `raw`: the file as it is; undefined: whatever suits. */
  readonly format?: SoundFormat | 'raw' | undefined;
  /** The highest bit rate that is wanted. */
  readonly maxKbps?: number | undefined;
  /** Start within the file. */
  readonly offsetMs?: number | undefined;
  /** Length of the part; undefined: to the end. */
  readonly lengthMs?: number | undefined;
  /** Change of the loudness, dB; not 0. */
  readonly gainDb?: number | undefined;
}

/** Reason to convert a file. */
export type StreamReason =
  | 'format-wanted'
  | 'bitrate-above-request'
  | 'bitrate-above-preference'
  | 'bitrate-above-limit'
  | 'preference-required'
  | 'part-wanted'
  | 'gain-wanted';

/** Properties of a conversion's output. */
export interface StreamOutput {
  readonly suffix: string;
  readonly mime: string;
  readonly codec: string;
  readonly bitrateBps: number;
  readonly sampleRateHz: number;
  readonly channels: number;
}

/** The file as it is. */
export interface DirectStream {
  readonly kind: 'direct';
}

/** The sound as it is in another container or cut (`remux`), or coded anew (`transcode`). */
export interface ConvertedStream {
  readonly kind: 'remux' | 'transcode';
  readonly target: TranscodeTarget;
  readonly output: StreamOutput;
  readonly reasons: readonly StreamReason[];
  /** True when the asker can do without: the original stands in where nothing can be converted. */
  readonly isOptional: boolean;
}

export type StreamDecision = DirectStream | ConvertedStream;

const DIRECT: DirectStream = { kind: 'direct' };

/** Forms into which a codec can be copied, the one that its files usually have first. PCM is of many kinds, of which only that of WAV files fits into WAV. */
const copies: Readonly<Partial<Record<string, readonly SoundFormat[]>>> = {
  mp3: ['mp3'],
  aac: ['m4a', 'aac'],
  vorbis: ['ogg'],
  opus: ['opus'],
  flac: ['flac'],
  pcm: ['wav'],
};

/** The form whose files are of the container and codec of this one; undefined when it cannot be made. */
const formOf = ({ codec, format }: SoundFacts): SoundFormat | undefined =>
  copies[codec]?.find((form) => isSameContainer(soundFormats[form].suffix, format));

/** Copies out of Ogg begin with a page, of which some last a second; those of the others with a frame of less than a tenth. */
const startsRoughly = (format: SoundFormat, { offsetMs = 0 }: Pick<StreamRequest, 'offsetMs'>): boolean =>
  offsetMs > 0 && (format === 'opus' || format === 'ogg');

const canCopy = (facts: SoundFacts, format: SoundFormat): boolean =>
  facts.codec === 'pcm' ? formOf(facts) === format : copies[facts.codec]?.includes(format) === true;

/** A bit rate that a stream may not exceed, and who says so. */
interface Ceiling {
  readonly kbps: number;
  readonly reason: StreamReason;
}

/** The lowest bit rate that the stream of a file would exceed; undefined when it may stay as it is. */
const exceeded = (facts: SoundFacts, request: StreamRequest, rules: StreamRules): Ceiling | undefined => {
  const { mode, plainKbps, limitKbps } = rules;
  const isPlain = request.maxKbps === undefined && request.format === undefined && mode !== 'never';
  // Where a form without loss is named there is no rate that it could exceed, except one that nobody gets past.
  const isBounded = request.format === undefined || request.format === 'raw' || !soundFormats[request.format].isLossless;
  const ceilings: readonly (readonly [number | undefined, StreamReason])[] = [
    [isBounded ? request.maxKbps : undefined, 'bitrate-above-request'],
    [isPlain ? plainKbps : undefined, 'bitrate-above-preference'],
    [limitKbps, 'bitrate-above-limit'],
  ];
  const kbps = Math.round(facts.bitrateBps / 1000);
  const over = ceilings.flatMap(([ceiling, reason]) => (ceiling !== undefined && kbps > ceiling ? [{ kbps: ceiling, reason }] : []));
  return over.toSorted((a, b) => a.kbps - b.kbps)[0];
};

/** The bit rate of a conversion, as long as form and file allow it. */
const rateOf = (request: StreamRequest, rules: StreamRules, over: Ceiling | undefined): number => {
  const { plainKbps, bitrateKbps, limitKbps = Number.POSITIVE_INFINITY } = rules;
  return Math.min(request.maxKbps ?? plainKbps ?? over?.kbps ?? bitrateKbps, limitKbps);
};

const isPart = ({ offsetMs = 0, lengthMs }: StreamRequest): boolean => offsetMs > 0 || lengthMs !== undefined;

const partOf = ({ offsetMs = 0, lengthMs }: StreamRequest): Pick<TranscodeTarget, 'offsetMs' | 'lengthMs'> => ({
  offsetMs,
  ...(lengthMs === undefined ? {} : { lengthMs }),
});

const gainOf = ({ gainDb }: StreamRequest): Pick<TranscodeTarget, 'gainDb'> => (gainDb === undefined ? {} : { gainDb });

const nameOf = (format: SoundFormat): Pick<StreamOutput, 'suffix' | 'mime' | 'codec'> => {
  const { suffix, mime, codec } = soundFormats[format];
  return { suffix, mime, codec };
};

type Conversion = Pick<ConvertedStream, 'kind' | 'target' | 'output'>;

const copied = (facts: SoundFacts, format: SoundFormat, request: StreamRequest): Conversion => {
  const { bitrateBps, sampleRateHz, channels } = facts;
  return {
    kind: 'remux',
    target: { format, copySound: true, ...partOf(request) },
    output: { ...nameOf(format), bitrateBps, sampleRateHz, channels },
  };
};

const coded = (facts: SoundFacts, format: SoundFormat, request: StreamRequest, kbps: number): Conversion => {
  const fitted = fitSound(facts, format, kbps);
  const { bitrateKbps, sampleRateHz, channels } = fitted;
  return {
    kind: 'transcode',
    // Nothing of sample rate and channels, which the worker brings within the format by itself: so it is the same transcode as one that was made ahead.
    target: { format, ...(bitrateKbps === undefined ? {} : { bitrateKbps }), ...partOf(request), ...gainOf(request) },
    output: { ...nameOf(format), bitrateBps: fittedBitrateBps(fitted, facts), sampleRateHz, channels },
  };
};

const isRequired = (facts: SoundFacts, { format, mode }: StreamRules): boolean => {
  const { codec, isLossless } = soundFormats[format];
  return mode === 'required' && codec !== facts.codec && (facts.isLossless || !isLossless);
};

/** The form of a conversion: what is named, else what the rules prefer, else, for a mere part, what the file is in already. */
const formatOf = (
  facts: SoundFacts,
  wanted: SoundFormat | undefined,
  rules: StreamRules,
  change: { over: boolean; required: boolean },
): SoundFormat => {
  const own = formOf(facts) ?? copies[facts.codec]?.find((form) => canCopy(facts, form));
  const named = wanted ?? (change.over || change.required ? rules.format : (own ?? rules.format));
  // A form without loss cannot meet a bit rate.
  return change.over && soundFormats[named].isLossless ? 'mp3' : named;
};

/** The limit that a form without loss would get past, though the file does not: it takes what sound takes, whatever it is made of. */
const swollen = (facts: SoundFacts, format: SoundFormat, { limitKbps }: StreamRules, hasGain: boolean): Ceiling | undefined => {
  if (limitKbps === undefined || !soundFormats[format].isLossless || (canCopy(facts, format) && !hasGain)) return undefined;
  const kbps = fittedBitrateBps(fitSound(facts, format, limitKbps), facts) / 1000;
  return kbps > limitKbps ? { kbps: limitKbps, reason: 'bitrate-above-limit' } : undefined;
};

/** Of a song that shares its file with others the file is never sent: as it is, it is that part of it. */
const requestWithinPart = ({ durationMs }: SoundFacts, { format, offsetMs = 0, lengthMs, ...rest }: StreamRequest): StreamRequest => {
  const leftMs = Math.max(1, durationMs - offsetMs);
  return { ...rest, ...(format === 'raw' ? {} : { format }), offsetMs, lengthMs: Math.min(lengthMs ?? leftMs, leftMs) };
};

/** The bit rate that a file exceeds, where coding it anew helps: below the lowest rate of its own codec it would only grow. */
const helpful = (facts: SoundFacts, request: StreamRequest, rules: StreamRules, format: SoundFormat): Ceiling | undefined => {
  const over = exceeded(facts, request, rules);
  if (over === undefined || facts.isLossless || soundFormats[format].codec !== facts.codec) return over;
  const { bitrateKbps = 0 } = fitSound(facts, format, rateOf(request, rules, over));
  return bitrateKbps < Math.round(facts.bitrateBps / 1000) ? over : undefined;
};

/** Drops the parts of a request that the mode does not allow. */
const allowed = (
  { format, maxKbps, ...part }: StreamRequest,
  { mode }: StreamRules,
): StreamRequest & { readonly format?: SoundFormat | undefined } =>
  mode === 'never' || format === 'raw' ? part : { ...part, format, maxKbps };

/**
 * Decides how a file with sound is sent. `raw` is the file itself and overrides everything else but a gain, which no file has. The
 * file is converted when another format or another loudness is requested, when its bit rate is above the requested, preferred or allowed one, when a preference says so, or when only a part of it is wanted; and
 * as little as that takes: sound that may stay as it is goes into a new container. A form without loss has no bit rate.
 */
export const decideStream = (facts: SoundFacts, given: StreamRequest, rules: StreamRules): StreamDecision => {
  const request = facts.part ? requestWithinPart(facts, given) : given;
  const hasGain = request.gainDb !== undefined;
  if (request.format === 'raw' && !hasGain) return DIRECT;
  const left = allowed(request, rules);
  const { format: wanted } = left;
  const required = wanted === undefined && isRequired(facts, rules);
  const isOther = wanted !== undefined && wanted !== formOf(facts);
  const isConverted = isOther || required || isPart(left) || hasGain;
  const over =
    helpful(facts, left, rules, formatOf(facts, wanted, rules, { over: true, required })) ??
    (isConverted ? swollen(facts, formatOf(facts, wanted, rules, { over: false, required }), rules, hasGain) : undefined);
  const reasons: readonly StreamReason[] = [
    ...(isOther ? (['format-wanted'] as const) : []),
    ...(over ? [over.reason] : []),
    ...(required ? (['preference-required'] as const) : []),
    ...(isPart(left) ? (['part-wanted'] as const) : []),
    ...(hasGain ? (['gain-wanted'] as const) : []),
  ];
  if (reasons.length === 0) return DIRECT;
  const format = formatOf(facts, wanted, rules, { over: over !== undefined, required });
  const isSame = over === undefined && canCopy(facts, format);
  // Where nothing is lost by it, a song that shares its file begins and ends just where it should.
  const isExact = facts.part !== undefined && soundFormats[format].isLossless;
  const isCopy = isSame && !isExact && !hasGain && !startsRoughly(format, left);
  // What only starts later in its own codec keeps its rate.
  const kbps = isSame && facts.bitrateBps > 0 ? Math.ceil(facts.bitrateBps / 1000) : rateOf(left, rules, over);
  const conversion = isCopy ? copied(facts, format, left) : coded(facts, format, left, kbps);
  return { ...conversion, reasons, isOptional: !isPart(left) && !hasGain && (!isOther || isPlain(facts, wanted, rules)) };
};

/** A conversion that was decided on elsewhere, as it is sent. */
export const streamOf = (facts: SoundFacts, target: TranscodeTarget): ConvertedStream => {
  const format = target.format as SoundFormat;
  if (target.copySound && startsRoughly(format, target)) {
    const { copySound: _, ...anew } = target;
    return streamOf(facts, { ...anew, bitrateKbps: fitSound(facts, format, Math.ceil(facts.bitrateBps / 1000)).bitrateKbps });
  }
  const { bitrateKbps, sampleRateHz = facts.sampleRateHz, channels = facts.channels, copySound = false } = target;
  const bitrateBps = copySound ? facts.bitrateBps : fittedBitrateBps({ format, bitrateKbps, sampleRateHz, channels }, facts);
  const output = { ...nameOf(format), bitrateBps, sampleRateHz, channels };
  return { kind: copySound ? 'remux' : 'transcode', target, output, reasons: ['format-wanted'], isOptional: false };
};

/**
 * A conversion that was decided on when other limits held, as the account may be sent it now: at a lower rate in the same form. Undefined where that form has no rate to lower, so that the
 * client has to ask what to do.
 */
export const targetWithin = (facts: SoundFacts, target: TranscodeTarget, { limitKbps }: StreamRules): TranscodeTarget | undefined => {
  if (limitKbps === undefined || streamOf(facts, target).output.bitrateBps <= limitKbps * 1000) return target;
  const format = target.format as SoundFormat;
  if (soundFormats[format].isLossless) return undefined;
  const { copySound: _, bitrateKbps: __, ...rest } = target;
  return { ...rest, bitrateKbps: fitSound(facts, format, limitKbps).bitrateKbps };
};

/** Decides a stream without parameters, as objects announce it (`stream_format`, `transcodedSuffix`). */
export const decidePlain = (facts: SoundFacts, rules: StreamRules): StreamDecision => decideStream(facts, {}, rules);

/** True for a form that the account is sent anyway: the addresses inside objects name it (`transcode_to`), though nobody asked for it. */
const isPlain = (facts: SoundFacts, format: SoundFormat, rules: StreamRules): boolean => {
  const plain = decidePlain(facts, rules);
  return plain.kind !== 'direct' && plain.target.format === format;
};
