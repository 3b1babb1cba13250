import { transcodeTarget } from '@continuo/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decidePlain, decideStream, type ConvertedStream, type StreamRequest } from './decide-stream.js';
import { soundFacts, type SoundFacts, type Sounding } from './sound-facts.js';
import { soundFormats, type SoundFormat } from './sound-formats.js';
import { NO_RULES, sendsOriginals, type StreamRules } from './stream-rules.js';

const file = (more: Partial<Sounding> = {}): SoundFacts =>
  soundFacts({ format: 'mp3', mime: 'audio/mpeg', bitrateBps: 256_000, sampleRateHz: 44_100, channels: 2, durationMs: 200_000, ...more });

const mp3 = file();
const vbr = file({ bitrateBps: 128_400 });
const flac = file({ format: 'flac', codec: 'FLAC', lossless: true, bitrateBps: 912_345, bitDepth: 16 });
const hires = file({ format: 'flac', lossless: true, bitrateBps: 4_600_000, sampleRateHz: 96_000, channels: 6, bitDepth: 24 });
const ogg = file({ format: 'ogg', codec: 'Vorbis I', bitrateBps: 112_000 });
const quiet = file({ format: 'ogg', codec: 'Vorbis I', bitrateBps: 40_000 });
const odd = file({ format: 'mp3', codec: 'Vorbis I', bitrateBps: 40_000 });
const oggFlac = file({ format: 'oga', codec: 'FLAC', lossless: true, bitrateBps: 800_000 });
const opus = file({ format: 'opus', codec: 'Opus', bitrateBps: 96_000, sampleRateHz: 48_000 });
const m4a = file({ format: 'm4a', codec: 'MPEG-4/AAC', bitrateBps: 256_000 });
const alac = file({ format: 'm4a', codec: 'ALAC', lossless: true, bitrateBps: 700_000 });
const adts = file({ format: 'aac', codec: 'AAC', bitrateBps: 96_000 });
const wav = file({ format: 'wav', codec: 'PCM', lossless: true, bitrateBps: 1_411_200 });
const aiff = file({ format: 'aiff', codec: 'PCM', lossless: true, bitrateBps: 1_411_200 });
const wma = file({ format: 'wma', codec: 'Windows Media Audio 9', bitrateBps: 64_000 });
const unknown = file({ bitrateBps: 0, sampleRateHz: 0, channels: 0 });

const rules = (more: Partial<StreamRules> = {}): StreamRules => ({ ...NO_RULES, ...more });

/** Describes a decision in one line: kind, format, bit rate, sample rate and channels where they change, start and length where they are said, and why. */
const told = (facts: SoundFacts, request: StreamRequest, more: Partial<StreamRules> = {}): string => {
  const decision = decideStream(facts, request, rules(more));
  if (decision.kind === 'direct') return 'direct';
  const { format, bitrateKbps, offsetMs, lengthMs, gainDb } = decision.target;
  const { sampleRateHz, channels } = decision.output;
  const parts = [
    decision.kind,
    format,
    bitrateKbps,
    sampleRateHz === facts.sampleRateHz ? undefined : `${sampleRateHz}Hz`,
    channels === facts.channels ? undefined : `${channels}ch`,
    offsetMs === 0 ? undefined : `from ${offsetMs}`,
    lengthMs === undefined ? undefined : `for ${lengthMs}`,
    gainDb === undefined ? undefined : `${gainDb}dB`,
  ];
  return `${parts.filter((part) => part !== undefined).join(' ')}: ${decision.reasons.join(', ')}${decision.isOptional ? '' : ' (must)'}`;
};

describe('what is sent of a file', () => {
  it.each<readonly [string, SoundFacts, StreamRequest, Partial<StreamRules>, string]>([
    // Nothing is requested and nothing is set.
    ['anything', mp3, {}, {}, 'direct'],
    ['anything without loss', hires, {}, {}, 'direct'],
    ['a form that cannot be made', wma, {}, {}, 'direct'],
    // A format is requested.
    ['the same form', mp3, { format: 'mp3' }, {}, 'direct'],
    ['another form', mp3, { format: 'ogg' }, {}, 'transcode ogg 128: format-wanted (must)'],
    [
      'another form at a rate, whatever the rate of the file',
      ogg,
      { format: 'mp3', maxKbps: 192 },
      {},
      'transcode mp3 192: format-wanted (must)',
    ],
    [
      'the same codec, never at a higher rate',
      opus,
      { format: 'opus', maxKbps: 320, offsetMs: 1 },
      {},
      'transcode opus 96 from 1: part-wanted (must)',
    ],
    [
      'a rate that MP3 does not know',
      flac,
      { format: 'mp3', maxKbps: 200 },
      {},
      'transcode mp3 192: format-wanted, bitrate-above-request (must)',
    ],
    [
      'from lossless at any rate',
      flac,
      { format: 'mp3', maxKbps: 320 },
      {},
      'transcode mp3 320: format-wanted, bitrate-above-request (must)',
    ],
    [
      'more than the codec has',
      flac,
      { format: 'mp3', maxKbps: 500 },
      {},
      'transcode mp3 320: format-wanted, bitrate-above-request (must)',
    ],
    [
      'Opus is always at 48 kHz',
      flac,
      { format: 'opus', maxKbps: 96 },
      {},
      'transcode opus 96 48000Hz: format-wanted, bitrate-above-request (must)',
    ],
    ['MP3 has two channels and 48 kHz', hires, { format: 'mp3' }, {}, 'transcode mp3 128 48000Hz 2ch: format-wanted (must)'],
    [
      'a low rate needs a lower sample rate',
      flac,
      { format: 'mp3', maxKbps: 24 },
      {},
      'transcode mp3 24 24000Hz: format-wanted, bitrate-above-request (must)',
    ],
    ['Vorbis has a lowest rate', flac, { format: 'ogg', maxKbps: 16 }, {}, 'transcode ogg 48: format-wanted, bitrate-above-request (must)'],
    ['lossless named, of lossy', mp3, { format: 'flac' }, {}, 'transcode flac: format-wanted (must)'],
    ['lossless has no rate', mp3, { format: 'wav', maxKbps: 128 }, {}, 'transcode wav: format-wanted (must)'],
    ['the same lossless form with a rate', flac, { format: 'flac', maxKbps: 128 }, {}, 'direct'],
    ['the same container, another codec', alac, { format: 'm4a' }, {}, 'transcode m4a 128: format-wanted (must)'],
    ['the same family of containers, another codec', opus, { format: 'ogg' }, {}, 'transcode ogg 128: format-wanted (must)'],
    ['unknown rate and channels', unknown, { format: 'opus' }, {}, 'transcode opus 128 48000Hz 2ch: format-wanted (must)'],
    // The sound stays, the container changes.
    ['AAC out of MP4', m4a, { format: 'aac' }, {}, 'remux aac: format-wanted (must)'],
    ['AAC into MP4', adts, { format: 'm4a' }, {}, 'remux m4a: format-wanted (must)'],
    ['FLAC out of Ogg', oggFlac, { format: 'flac' }, {}, 'remux flac: format-wanted (must)'],
    [
      'but not above the request',
      m4a,
      { format: 'aac', maxKbps: 128 },
      {},
      'transcode aac 128: format-wanted, bitrate-above-request (must)',
    ],
    ['PCM of AIFF is another one than that of WAV', aiff, { format: 'wav' }, {}, 'transcode wav: format-wanted (must)'],
    // A gain is requested: nothing is copied.
    ['another loudness', mp3, { gainDb: -6.25 }, {}, 'transcode mp3 256 -6.25dB: gain-wanted (must)'],
    ['another loudness without loss', flac, { gainDb: 3 }, {}, 'transcode flac 3dB: gain-wanted (must)'],
    [
      'another loudness in another container',
      m4a,
      { format: 'aac', gainDb: 3 },
      {},
      'transcode aac 256 3dB: format-wanted, gain-wanted (must)',
    ],
    [
      'another loudness from a place on',
      mp3,
      { offsetMs: 9, gainDb: 3 },
      {},
      'transcode mp3 256 from 9 3dB: part-wanted, gain-wanted (must)',
    ],
    ['another loudness of the file itself', flac, { format: 'raw', gainDb: 3 }, {}, 'transcode flac 3dB: gain-wanted (must)'],
    [
      'another loudness where nothing is to be converted',
      mp3,
      { gainDb: 3 },
      { mode: 'never' },
      'transcode mp3 256 3dB: gain-wanted (must)',
    ],
    ['another loudness of what cannot be made', wma, { gainDb: 3 }, {}, 'transcode mp3 128 3dB: gain-wanted (must)'],
    // A bitrate is requested.
    ['below the request', mp3, { maxKbps: 320 }, {}, 'direct'],
    ['at the request', vbr, { maxKbps: 128 }, {}, 'direct'],
    ['above the request', mp3, { maxKbps: 192 }, {}, 'transcode mp3 192: bitrate-above-request'],
    ['above the request, preferred form', flac, { maxKbps: 96 }, { format: 'opus' }, 'transcode opus 96 48000Hz: bitrate-above-request'],
    ['a form without loss cannot meet a rate', flac, { maxKbps: 192 }, { format: 'flac' }, 'transcode mp3 192: bitrate-above-request'],
    ['the lowest rate of its codec is not below that of the file', quiet, { format: 'ogg', maxKbps: 16 }, {}, 'direct'],
    ['so that a limit changes nothing', quiet, {}, { limitKbps: 16, format: 'ogg' }, 'direct'],
    ['nor more than the container', odd, {}, { limitKbps: 16, format: 'ogg', mode: 'required' }, 'direct'],
    ['but another codec goes lower', quiet, {}, { limitKbps: 16, format: 'opus' }, 'transcode opus 16 48000Hz: bitrate-above-limit'],
    ['unknown rates are above nothing', unknown, { maxKbps: 64 }, {}, 'direct'],
    // The file as it is, whatever else is said.
    ['raw', flac, { format: 'raw', maxKbps: 64, offsetMs: 5000 }, { limitKbps: 64, mode: 'required' }, 'direct'],
    // A rate is set.
    ['above a set rate', mp3, {}, { bitrateKbps: 32, plainKbps: 32 }, 'transcode mp3 32: bitrate-above-preference'],
    ['a request beats it', mp3, { maxKbps: 320 }, { bitrateKbps: 32, plainKbps: 32 }, 'direct'],
    ['so does a form', mp3, { format: 'mp3' }, { bitrateKbps: 32, plainKbps: 32 }, 'direct'],
    [
      'the set rate of another form',
      ogg,
      { format: 'opus' },
      { bitrateKbps: 64, plainKbps: 64 },
      'transcode opus 64 48000Hz: format-wanted (must)',
    ],
    // A limit is set.
    ['above the limit', mp3, {}, { limitKbps: 160 }, 'transcode mp3 160: bitrate-above-limit'],
    ['above limit and request', mp3, { maxKbps: 192 }, { limitKbps: 160 }, 'transcode mp3 160: bitrate-above-limit'],
    ['a request below the limit', mp3, { maxKbps: 96 }, { limitKbps: 160 }, 'transcode mp3 96: bitrate-above-request'],
    ['a limit above all is none', mp3, {}, { limitKbps: 320 }, 'direct'],
    ['a form below the limit', vbr, { format: 'ogg' }, { limitKbps: 320 }, 'transcode ogg 128: format-wanted (must)'],
    ['lossless is above the limit', flac, { format: 'flac' }, { limitKbps: 160 }, 'transcode mp3 160: bitrate-above-limit'],
    [
      'another lossless form, too',
      flac,
      { format: 'wav' },
      { limitKbps: 160 },
      'transcode mp3 160: format-wanted, bitrate-above-limit (must)',
    ],
    [
      'a small file, which grows above the limit without loss',
      vbr,
      { format: 'wav' },
      { limitKbps: 160 },
      'transcode mp3 128: format-wanted, bitrate-above-limit (must)',
    ],
    ['lossless below the limit', oggFlac, { format: 'flac' }, { limitKbps: 900 }, 'remux flac: format-wanted (must)'],
    // Preference `transcode`.
    ['required', flac, {}, { mode: 'required' }, 'transcode mp3 128: preference-required'],
    ['required, in that form', mp3, {}, { mode: 'required' }, 'direct'],
    ['required, and a form is named', ogg, { format: 'ogg' }, { mode: 'required' }, 'direct'],
    ['required, in that codec', m4a, {}, { mode: 'required', format: 'aac' }, 'direct'],
    ['required, but nothing lossy becomes lossless', mp3, {}, { mode: 'required', format: 'flac' }, 'direct'],
    ['required, lossless', wav, {}, { mode: 'required', format: 'flac' }, 'transcode flac: preference-required'],
    [
      'required, at a set rate',
      flac,
      {},
      { mode: 'required', bitrateKbps: 64, plainKbps: 64 },
      'transcode mp3 64: bitrate-above-preference, preference-required',
    ],
    [
      'required, named by an address',
      flac,
      { format: 'mp3', maxKbps: 128 },
      { mode: 'required' },
      'transcode mp3 128: format-wanted, bitrate-above-request',
    ],
    ['never', flac, { format: 'mp3', maxKbps: 64 }, { mode: 'never', plainKbps: 64 }, 'direct'],
    ['never, above the limit', flac, { format: 'ogg' }, { mode: 'never', limitKbps: 192 }, 'transcode mp3 192: bitrate-above-limit'],
    // A part.
    ['from somewhere', mp3, { offsetMs: 61_500 }, {}, 'remux mp3 from 61500: part-wanted (must)'],
    ['a slice', flac, { offsetMs: 10_000, lengthMs: 10_000 }, {}, 'remux flac from 10000 for 10000: part-wanted (must)'],
    ['a part of WAV', wav, { offsetMs: 1000 }, {}, 'remux wav from 1000: part-wanted (must)'],
    ['a part of FLAC in Ogg', oggFlac, { offsetMs: 1000 }, {}, 'remux flac from 1000: part-wanted (must)'],
    ['a part of Ogg, which copies would begin elsewhere', opus, { offsetMs: 1000 }, {}, 'transcode opus 96 from 1000: part-wanted (must)'],
    ['the beginning of Ogg', opus, { lengthMs: 1000 }, {}, 'remux opus for 1000: part-wanted (must)'],
    ['a part of what cannot be made', wma, { offsetMs: 1000 }, {}, 'transcode mp3 128 from 1000: part-wanted (must)'],
    [
      'a part in another form',
      mp3,
      { format: 'opus', offsetMs: 1000 },
      {},
      'transcode opus 128 48000Hz from 1000: format-wanted, part-wanted (must)',
    ],
    ['a part, never converted', mp3, { format: 'opus', offsetMs: 1000 }, { mode: 'never' }, 'remux mp3 from 1000: part-wanted (must)'],
  ])('%s', (_, ...[facts, request, more, expected]) => {
    expect(told(facts, request, more)).toBe(expected);
  });
  it('tells what comes out', () => {
    expect(decideStream(hires, { format: 'mp3' }, NO_RULES)).toMatchObject({ output: { sampleRateHz: 48_000, channels: 2 } });
    expect(decideStream(flac, { format: 'mp3', maxKbps: 24 }, NO_RULES)).toMatchObject({ output: { sampleRateHz: 24_000 } });
    expect(decideStream(unknown, { format: 'opus' }, NO_RULES)).toMatchObject({ output: { sampleRateHz: 48_000, channels: 2 } });
    expect(decidePlain(flac, rules({ plainKbps: 96, format: 'm4a' }))).toMatchObject({
      output: { suffix: 'm4a', mime: 'audio/mp4', codec: 'aac', bitrateBps: 96_000, sampleRateHz: 44_100, channels: 2 },
    });
    expect(decideStream(mp3, { format: 'wav' }, NO_RULES)).toMatchObject({ output: { bitrateBps: 1_411_200 } });
    expect(decideStream(wav, { format: 'flac' }, NO_RULES)).toMatchObject({ output: { bitrateBps: 1_411_200 } });
  });
});

const anyFile = fc
  .record({
    format: fc.constantFrom('mp3', 'flac', 'ogg', 'oga', 'opus', 'm4a', 'aac', 'wav', 'aiff', 'wma', 'ape', 'dsf', 'mka'),
    codec: fc.option(fc.constantFrom('MPEG 1 Layer 3', 'FLAC', 'Vorbis I', 'Opus', 'MPEG-4/AAC', 'ALAC', 'PCM', 'DSD'), { nil: undefined }),
    lossless: fc.option(fc.boolean(), { nil: undefined }),
    bitrateBps: fc.integer({ min: 0, max: 6_000_000 }),
    sampleRateHz: fc.constantFrom(0, 8000, 11_025, 22_050, 37_800, 44_100, 48_000, 88_200, 96_000, 192_000),
    channels: fc.integer({ min: 0, max: 8 }),
    durationMs: fc.integer({ min: 0, max: 10_000_000 }),
    mime: fc.constant('audio/x'),
  })
  .map(soundFacts)
  // None of these is without loss.
  .filter(({ codec, isLossless }) => !isLossless || !['mp3', 'vorbis', 'opus', 'aac'].includes(codec));
const form = fc.constantFrom(...(Object.keys(soundFormats) as SoundFormat[]));
const kbps = fc.integer({ min: 8, max: 2000 });
const part = fc.option(fc.integer({ min: 1, max: 9_000_000 }), { nil: undefined });
const anyRequest = fc.record({
  format: fc.option(form, { nil: undefined }),
  maxKbps: fc.option(kbps, { nil: undefined }),
  offsetMs: part,
  lengthMs: part,
  gainDb: fc.constantFrom(undefined, undefined, -6.25, 3),
});
const anyRules: fc.Arbitrary<StreamRules> = fc
  .record({
    mode: fc.constantFrom('default', 'never', 'required'),
    format: form,
    bitrateKbps: kbps,
    limit: fc.option(kbps),
    isSet: fc.boolean(),
  })
  .map(({ limit, isSet, ...rest }) => ({
    ...rest,
    ...(limit === null ? {} : { limitKbps: limit }),
    ...(isSet ? { plainKbps: rest.bitrateKbps } : {}),
  }));

/** Decisions that convert something, of files, requests and rules of every kind. */
const conversions = fc
  .tuple(anyFile, anyRequest, anyRules)
  .map(([facts, request, all]) => ({ facts, request, all, decision: decideStream(facts, request, all) }))
  .filter(({ decision }) => decision.kind !== 'direct')
  .map((one) => ({ ...one, decision: one.decision as ConvertedStream }));
const often = { numRuns: 2000 };

describe('whatever is sent', () => {
  it('is something that the workers take', () => {
    fc.assert(
      fc.property(conversions, ({ decision }) => transcodeTarget.safeParse(decision.target).success),
      often,
    );
  });
  it('lies within what its codec holds', () => {
    const holds = ({ kind, target, output }: ConvertedStream): boolean => {
      const { maxChannels, maxKbps, sampleRatesHz, isLossless } = soundFormats[target.format as SoundFormat];
      if (kind === 'remux') return target.bitrateKbps === undefined && target.copySound === true;
      const isRate = sampleRatesHz.length === 0 || sampleRatesHz.includes(output.sampleRateHz);
      const isBitrate = isLossless ? target.bitrateKbps === undefined : (target.bitrateKbps ?? Infinity) <= maxKbps;
      return isRate && isBitrate && output.channels <= maxChannels;
    };
    fc.assert(
      fc.property(conversions, ({ decision }) => holds(decision)),
      often,
    );
  });
  it('has no higher bit rate than a lossy file of the same codec, than the request, or than the limit, down to the lowest of the codec', () => {
    fc.assert(
      fc.property(conversions, ({ facts, request, all, decision }) => {
        const ceiling = Math.min(all.limitKbps ?? Infinity, all.mode === 'never' ? Infinity : (request.maxKbps ?? Infinity));
        const isOwn = soundFormats[decision.target.format as SoundFormat].codec === facts.codec;
        const ofSource = !isOwn || facts.isLossless || facts.bitrateBps === 0 ? Infinity : Math.round(facts.bitrateBps / 1000);
        const { minKbps } = soundFormats[decision.target.format as SoundFormat];
        return (decision.target.bitrateKbps ?? 0) <= Math.max(minKbps, Math.min(ceiling, ofSource));
      }),
      often,
    );
  });
  it('is without loss only within the limit', () => {
    fc.assert(
      fc.property(conversions, ({ all, decision: { kind, target, output } }) => {
        const { isLossless } = soundFormats[target.format as SoundFormat];
        return kind === 'remux' || !isLossless || output.bitrateBps <= (all.limitKbps ?? Infinity) * 1000;
      }),
      often,
    );
  });
  it('is the file where nothing is requested and nothing is set', () => {
    fc.assert(
      fc.property(anyFile, anyRules.filter(sendsOriginals), (facts, all) => decidePlain(facts, all).kind === 'direct'),
      often,
    );
  });
  it('can be asked for by what the objects say, and that is no request of its own', () => {
    const again = (facts: SoundFacts, all: StreamRules): void => {
      const plain = decidePlain(facts, all) as ConvertedStream;
      const format = plain.target.format as SoundFormat;
      expect(decideStream(facts, { format, maxKbps: plain.target.bitrateKbps }, all)).toMatchObject({
        target: plain.target,
        isOptional: true,
      });
    };
    fc.assert(
      fc.property(
        fc.tuple(anyFile, anyRules).filter(([facts, all]) => all.mode !== 'never' && decidePlain(facts, all).kind === 'transcode'),
        ([facts, all]) => again(facts, all),
      ),
      often,
    );
  });
});
