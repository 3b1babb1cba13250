import { transcodeTarget } from '@continuo/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readClientInfo } from './client-info.js';
import { decideForClient } from './decide-for-client.js';
import { soundFacts, type SoundFacts, type Sounding } from './sound-facts.js';
import { NO_RULES, type StreamRules } from './stream-rules.js';

const file = (more: Partial<Sounding> = {}): SoundFacts =>
  soundFacts({ format: 'mp3', mime: 'audio/mpeg', bitrateBps: 256_000, sampleRateHz: 44_100, channels: 2, durationMs: 200_000, ...more });
const mp3 = file();
const flac = file({
  format: 'flac',
  codec: 'FLAC',
  lossless: true,
  bitrateBps: 3_000_000,
  sampleRateHz: 96_000,
  channels: 6,
  bitDepth: 24,
});
const cd = file({ format: 'flac', codec: 'FLAC', lossless: true, bitrateBps: 900_000, bitDepth: 16 });
const m4a = file({ format: 'm4a', codec: 'MPEG-4/AAC', bitrateBps: 256_000 });

const direct = (containers: string[], audioCodecs: string[], more: object = {}) => ({
  containers,
  audioCodecs,
  protocols: ['http'],
  ...more,
});
const into = (container: string, audioCodec: string, more: object = {}) => ({ container, audioCodec, protocol: 'http', ...more });
const limit = (name: string, comparison: string, values: (string | number)[], required = true) => ({ name, comparison, values, required });
const codec = (name: string, ...limitations: object[]) => ({ type: 'AudioCodec', name, limitations });
const client = (more: object = {}) => readClientInfo({ name: 'Test', platform: 'test', ...more });
const rules = (more: Partial<StreamRules> = {}): StreamRules => ({ ...NO_RULES, ...more });

/** The decision in one line. */
const told = (facts: SoundFacts, of: object, more: Partial<StreamRules> = {}): string => {
  const { canDirectPlay, target, reasons, error, output } = decideForClient(facts, client(of), rules(more));
  if (canDirectPlay) return 'direct';
  const why = reasons.map((reason) => reason.replace('NotSupported', '')).join(',');
  if (!target || !output) return `${why}: ${error ?? ''}`;
  const { audioBitrate = 0, audioSamplerate, audioChannels, audioBitdepth } = output;
  const kind = target.copySound ? 'copy' : 'transcode';
  return `${why}: ${kind} ${target.format} ${audioBitrate / 1000}k ${audioSamplerate}Hz ${audioChannels}ch${audioBitdepth ? ` ${audioBitdepth}bit` : ''}`;
};

describe('what a client can be sent', () => {
  it.each<readonly [string, SoundFacts, object, Partial<StreamRules>, string]>([
    // The client plays it.
    ['a client without profiles', flac, {}, {}, 'direct'],
    ['container and codec', mp3, { directPlayProfiles: [direct(['mp3'], ['mp3'])] }, {}, 'direct'],
    ['any container, codec and protocol', flac, { directPlayProfiles: [{ containers: [], audioCodecs: [], protocols: [] }] }, {}, 'direct'],
    ['other names of the same', m4a, { directPlayProfiles: [direct(['mp4'], ['mp4a.40.2'])] }, {}, 'direct'],
    ['the second profile', mp3, { directPlayProfiles: [direct(['flac'], []), direct(['MP3'], ['MP3'])] }, {}, 'direct'],
    ['a limit above it', mp3, { maxAudioBitrate: 320_000 }, {}, 'direct'],
    ['0 is no limit', flac, { maxAudioBitrate: 0 }, {}, 'direct'],
    ['limitations that hold', mp3, { codecProfiles: [codec('mp3', limit('audioBitrate', 'LessThanEqual', ['320000']))] }, {}, 'direct'],
    [
      'limitations that need not hold',
      mp3,
      { codecProfiles: [codec('mp3', limit('audioBitrate', 'LessThanEqual', [1], false))] },
      {},
      'direct',
    ],
    ['limitations of another codec', mp3, { codecProfiles: [codec('aac', limit('audioBitrate', 'LessThanEqual', [1]))] }, {}, 'direct'],
    ['what nobody knows of the file', mp3, { codecProfiles: [codec('mp3', limit('audioProfile', 'Equals', ['x']))] }, {}, 'direct'],
    ['what nobody knows at all', mp3, { codecProfiles: [codec('mp3', limit('colour', 'Equals', ['x']))] }, {}, 'direct'],
    // It does not.
    [
      'protocol',
      mp3,
      { directPlayProfiles: [direct(['mp3'], ['mp3'], { protocols: ['hls'] })] },
      {},
      'Protocol: The client names no transcoding profile',
    ],
    [
      'each way',
      flac,
      { directPlayProfiles: [direct(['mp3'], []), direct([], ['aac']), direct([], [], { maxAudioChannels: 2 })] },
      {},
      'Container,AudioCodec,AudioChannels: The client names no transcoding profile',
    ],
    ['its limit', mp3, { maxAudioBitrate: 192_000 }, {}, 'AudioBitrate: The client names no transcoding profile'],
    ['the limit of the account', mp3, {}, { limitKbps: 192 }, 'AudioBitrate: The client names no transcoding profile'],
    [
      'a limitation',
      flac,
      { codecProfiles: [codec('flac', limit('audioSamplerate', 'Equals', ['44100', '48000']))] },
      {},
      'AudioSamplerate: The client names no transcoding profile',
    ],
    [
      'a depth',
      flac,
      { codecProfiles: [codec('flac', limit('audioBitdepth', 'NotEquals', [24]))] },
      {},
      'AudioBitdepth: The client names no transcoding profile',
    ],
    [
      'too few channels',
      mp3,
      { codecProfiles: [codec('mp3', limit('audioChannels', 'GreaterThanEqual', [6]))] },
      {},
      'AudioChannels: The client names no transcoding profile',
    ],
    // What it is sent instead.
    [
      'the default rate',
      flac,
      { maxAudioBitrate: 0, directPlayProfiles: [direct(['mp3'], ['mp3'])], transcodingProfiles: [into('mp3', 'mp3')] },
      {},
      'Container: transcode mp3 128k 48000Hz 2ch',
    ],
    [
      'the rate of conversions',
      cd,
      { maxAudioBitrate: 512_000, maxTranscodingAudioBitrate: 256_000, transcodingProfiles: [into('mp3', 'mp3')] },
      {},
      'AudioBitrate: transcode mp3 256k 44100Hz 2ch',
    ],
    [
      'the rate of everything',
      cd,
      { maxAudioBitrate: 96_000, transcodingProfiles: [into('ogg', 'opus')] },
      {},
      'AudioBitrate: transcode opus 96k 48000Hz 2ch',
    ],
    [
      'the account has a lower one',
      cd,
      { maxTranscodingAudioBitrate: 256_000, transcodingProfiles: [into('mp3', 'mp3')] },
      { limitKbps: 160 },
      'AudioBitrate: transcode mp3 160k 44100Hz 2ch',
    ],
    [
      'the rate that is asked for, whatever that of another codec is',
      file({ bitrateBps: 64_000 }),
      { maxTranscodingAudioBitrate: 256_000, directPlayProfiles: [direct(['ogg'], [])], transcodingProfiles: [into('ogg', 'vorbis')] },
      {},
      'Container: transcode ogg 256k 44100Hz 2ch',
    ],
    [
      'the first that can be made',
      cd,
      {
        directPlayProfiles: [direct(['mp3'], [])],
        transcodingProfiles: [into('flac', 'flac', { protocol: 'hls' }), into('wma', 'wmav2'), into('mp4', 'aac'), into('mp3', 'mp3')],
      },
      {},
      'Container: transcode m4a 128k 44100Hz 2ch',
    ],
    [
      'nothing lossy becomes lossless',
      mp3,
      { directPlayProfiles: [direct(['flac'], [])], transcodingProfiles: [into('flac', 'flac'), into('wav', 'pcm'), into('aac', 'aac')] },
      {},
      'Container: transcode aac 128k 44100Hz 2ch',
    ],
    [
      'lossless of lossless',
      file({ format: 'm4a', codec: 'ALAC', bitrateBps: 800_000, bitDepth: 16 }),
      { directPlayProfiles: [direct(['flac'], [])], transcodingProfiles: [into('flac', 'flac')] },
      {},
      'Container: transcode flac 800k 44100Hz 2ch 16bit',
    ],
    [
      'lossless is above the limit',
      cd,
      { maxAudioBitrate: 512_000, transcodingProfiles: [into('wav', 'pcm'), into('flac', 'flac'), into('opus', 'opus')] },
      {},
      'AudioBitrate: transcode opus 510k 48000Hz 2ch',
    ],
    [
      'fewer channels',
      flac,
      { directPlayProfiles: [direct(['mp3'], [])], transcodingProfiles: [into('flac', 'flac', { maxAudioChannels: 2 })] },
      {},
      'Container: transcode flac 3000k 96000Hz 2ch 24bit',
    ],
    [
      'the sound as it is',
      m4a,
      { directPlayProfiles: [direct(['adts'], ['aac'])], maxTranscodingAudioBitrate: 320_000, transcodingProfiles: [into('aac', 'aac')] },
      {},
      'Container: copy aac 256k 44100Hz 2ch',
    ],
    // Codec profiles of what is made.
    [
      'a lower rate',
      cd,
      {
        maxAudioBitrate: 512_000,
        transcodingProfiles: [into('mp3', 'mp3')],
        codecProfiles: [codec('mp3', limit('audioBitrate', 'LessThanEqual', ['320000']))],
      },
      {},
      'AudioBitrate: transcode mp3 320k 44100Hz 2ch',
    ],
    [
      'one of some rates',
      cd,
      {
        maxAudioBitrate: 300_000,
        transcodingProfiles: [into('mp3', 'mp3')],
        codecProfiles: [codec('mp3', limit('audioBitrate', 'Equals', [128_000, 192_000, 320_000]))],
      },
      {},
      'AudioBitrate: transcode mp3 192k 44100Hz 2ch',
    ],
    [
      'a lower sample rate',
      flac,
      {
        maxAudioBitrate: 2_900_000,
        transcodingProfiles: [into('mp4', 'aac')],
        codecProfiles: [codec('aac', limit('audioSamplerate', 'LessThanEqual', [44_100]), limit('audioChannels', 'Equals', ['1', '2']))],
      },
      {},
      'AudioBitrate: transcode m4a 512k 44100Hz 2ch',
    ],
    [
      'what cannot be lowered',
      cd,
      {
        maxAudioBitrate: 512_000,
        transcodingProfiles: [into('opus', 'opus'), into('mp3', 'mp3')],
        codecProfiles: [codec('opus', limit('audioSamplerate', 'Equals', [44_100]))],
      },
      {},
      'AudioBitrate: transcode mp3 320k 44100Hz 2ch',
    ],
    [
      'nothing is raised',
      cd,
      {
        maxAudioBitrate: 512_000,
        transcodingProfiles: [into('mp3', 'mp3')],
        codecProfiles: [codec('mp3', limit('audioChannels', 'GreaterThanEqual', [6]))],
      },
      {},
      'AudioBitrate: No transcoding profile of the client can be met',
    ],
    [
      'the only profile of AAC',
      cd,
      {
        maxAudioBitrate: 512_000,
        transcodingProfiles: [into('mp4', 'aac')],
        codecProfiles: [codec('aac', limit('audioProfile', 'Equals', ['xHE-AAC']))],
      },
      {},
      'AudioBitrate: No transcoding profile of the client can be met',
    ],
    [
      'nobody wants it converted',
      cd,
      { maxAudioBitrate: 512_000, transcodingProfiles: [into('mp3', 'mp3')] },
      { mode: 'never' },
      'AudioBitrate: The account does not want its media converted',
    ],
  ])('%s', (_, ...[facts, of, more, expected]) => {
    expect(told(facts, of, more)).toBe(expected);
  });
  it('describes the source and what is made of it', () => {
    const { source, output } = decideForClient(
      flac,
      client({ maxAudioBitrate: 512_000, transcodingProfiles: [into('mp4', 'aac')] }),
      NO_RULES,
    );
    expect(source).toEqual({
      protocol: 'http',
      container: 'flac',
      codec: 'flac',
      audioChannels: 6,
      audioBitrate: 3_000_000,
      audioSamplerate: 96_000,
      audioBitdepth: 24,
    });
    expect(output).toEqual({
      protocol: 'http',
      container: 'mp4',
      codec: 'aac',
      audioChannels: 6,
      audioBitrate: 512_000,
      audioSamplerate: 48_000,
      audioProfile: 'LC',
    });
  });
});

describe('what clients say of themselves', () => {
  it.each([
    undefined,
    null,
    {},
    { name: 'x' },
    { name: 5, platform: 'x' },
    { name: 'x', platform: 'y', directPlayProfiles: 'all' },
    { name: 'x', platform: 'y', maxAudioBitrate: '9' },
    { name: 'x', platform: 'y', codecProfiles: [codec('mp3', limit('audioBitrate', 'Like', [1]))] },
    { name: 'x', platform: 'y', directPlayProfiles: [direct(['mp3'], ['mp3'], { protocols: ['http', 'gopher'] })] },
    { name: 'x', platform: 'y', transcodingProfiles: [{ container: 'mp3', audioCodec: 'mp3', protocol: 'rtsp' }] },
  ])('is refused: %j', (body) => {
    expect(() => readClientInfo(body)).toThrow(/field|value/);
  });
  it('may leave out everything else, or be null', () => {
    expect(readClientInfo({ name: 'x', platform: 'y', directPlayProfiles: null, maxAudioBitrate: null })).toMatchObject({
      directPlayProfiles: [],
      transcodingProfiles: [],
    });
  });
  it('always comes to something that workers take, whatever it is', () => {
    const names = fc.constantFrom('', 'mp3', 'opus', 'ogg', 'aac', 'mp4', 'flac', 'wav', 'pcm', 'vorbis', 'x');
    const number = fc.option(fc.integer({ min: 0, max: 5_000_000 }));
    const limitation = fc.record({
      name: fc.constantFrom('audioChannels', 'audioBitrate', 'audioSamplerate', 'audioBitdepth', 'audioProfile'),
      comparison: fc.constantFrom('Equals', 'NotEquals', 'LessThanEqual', 'GreaterThanEqual'),
      values: fc.array(fc.oneof(fc.integer({ min: -5, max: 400_000 }), fc.constantFrom('2', '44100', 'LC', '-', ''))),
      required: fc.boolean(),
    });
    const clients = fc.record({
      name: fc.constant('x'),
      platform: fc.constant('y'),
      maxAudioBitrate: number,
      maxTranscodingAudioBitrate: number,
      directPlayProfiles: fc.array(fc.record({ containers: fc.array(names), audioCodecs: fc.array(names), protocols: fc.constant([]) })),
      transcodingProfiles: fc.array(
        fc.record({
          container: names,
          audioCodec: names,
          protocol: fc.constant('http'),
          maxAudioChannels: fc.option(fc.integer({ min: 0, max: 9 })),
        }),
      ),
      codecProfiles: fc.array(fc.record({ type: fc.constant('AudioCodec'), name: names, limitations: fc.array(limitation) })),
    });
    const files = fc.constantFrom(mp3, flac, cd, m4a, file({ bitrateBps: 0, sampleRateHz: 0, channels: 0 }));
    fc.assert(
      fc.property(files, clients, (facts, of) => {
        const { target } = decideForClient(facts, readClientInfo(of), NO_RULES);
        return target === undefined || transcodeTarget.safeParse(target).success;
      }),
      { numRuns: 3000 },
    );
  }, 60_000);
});
