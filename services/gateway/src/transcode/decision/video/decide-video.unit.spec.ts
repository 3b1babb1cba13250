import { describe, expect, it } from 'vitest';
import { NO_RULES } from '../stream-rules.js';
import { boxNamed, decideVideo, videoFormatNamed, type VideoFacts, type VideoRequest } from './decide-video.js';
import { videoRequestFor } from './video-request.js';

const film: VideoFacts = {
  format: 'mkv',
  widthPx: 1920,
  heightPx: 1080,
  bitrateBps: 5_000_000,
  durationMs: 60_000,
  sampleRateHz: 44_100,
  channels: 6,
  audioTracks: 2,
  captions: [
    { index: 0, codec: 'hdmv_pgs_subtitle', language: 'eng' },
    { index: 1, codec: 'subrip', language: 'ger' },
  ],
};
const decided = (request: VideoRequest, facts = film, rules = NO_RULES) => decideVideo(facts, request, rules);

describe('what is sent of a video', () => {
  it.each<[string, VideoRequest]>([
    ['nothing is asked for', {}],
    ['the original is asked for', { format: 'raw', maxKbps: 100, offsetMs: 1000, box: { widthPx: 320, heightPx: 240 } }],
    ['the rate is not above what is asked for', { maxKbps: 5000 }],
    ['the box holds it', { box: { widthPx: 1920, heightPx: 1080 } }],
  ])('is the file when %s', (_case, request) => expect(decided(request)).toEqual({ kind: 'direct' }));

  it('is an MP4 of a lower rate in a size that suits', () => {
    expect(decided({ maxKbps: 1500 })).toEqual({
      kind: 'transcode',
      reasons: ['bitrate-above-request'],
      isOptional: true,
      target: {
        format: 'mp4',
        bitrateKbps: 96,
        channels: 2,
        offsetMs: 0,
        picture: { maxWidthPx: 854, maxHeightPx: 480, bitrateKbps: 1404 },
      },
      output: { suffix: 'mp4', codec: 'h264', mime: 'video/mp4', bitrateBps: 1_500_000, sampleRateHz: 44_100, channels: 2 },
    });
  });
  it('keeps its container where only a part is wanted, if that can be made', () => {
    const webm = decided({ offsetMs: 5000, lengthMs: 1000, audioTrack: 1 }, { ...film, format: 'webm' });
    expect(webm).toMatchObject({
      reasons: ['format-wanted', 'part-wanted'],
      isOptional: false,
      target: { format: 'webm', offsetMs: 5000, lengthMs: 1000, audioTrack: 1 },
    });
    expect(decided({ offsetMs: 5000 })).toMatchObject({ target: { format: 'mp4' }, reasons: ['part-wanted'] });
  });
  it('is what is asked for', () => {
    expect(decided({ format: 'webm' })).toMatchObject({ output: { mime: 'video/webm', codec: 'vp9' } });
    expect(decided({ format: 'ts', captions: { captionTrack: 1 } })).toMatchObject({ target: { format: 'ts', captionTrack: 1 } });
    expect(decided({ box: { widthPx: 640, heightPx: 640 } })).toMatchObject({ target: { picture: { maxWidthPx: 640, maxHeightPx: 360 } } });
    expect(decided({ isConverted: true })).toMatchObject({ target: { format: 'mp4' }, reasons: ['format-wanted'] });
    expect(decided({ isConverted: true }, { ...film, format: 'm4v' })).toEqual({ kind: 'direct' });
  });
  it('is the sound alone in a form of sound', () => {
    expect(decided({ format: 'mp3', maxKbps: 96 })).toMatchObject({
      target: { format: 'mp3', bitrateKbps: 96 },
      output: { mime: 'audio/mpeg' },
    });
    expect(decided({ format: 'flac' })).toMatchObject({ target: { format: 'flac' } });
    expect(() => decided({ format: 'mp3' }, { ...film, audioTracks: 0 })).toThrow(/no sound/);
  });
  it('never exceeds what the account may be sent', () => {
    const rules = { ...NO_RULES, limitKbps: 700 };
    for (const request of [{}, { maxKbps: 3000 }, { format: 'webm' }] as const)
      expect(decided(request, film, rules)).toMatchObject({ output: { bitrateBps: 700_000 }, isOptional: false });
    expect(decided({ format: 'flac' }, film, rules)).toMatchObject({ target: { format: 'mp3', bitrateKbps: 320 } });
    expect(decided({ format: 'wav' }, film, { ...NO_RULES, limitKbps: 96 })).toMatchObject({ target: { format: 'mp3', bitrateKbps: 96 } });
    expect(decided({ format: 'flac' }, film, { ...NO_RULES, limitKbps: 2000 })).toMatchObject({ target: { format: 'flac' } });
  });
  it('is refused behind the end, and without the soundtrack', () => {
    expect(() => decided({ offsetMs: 60_000 })).toThrow(/behind the end/);
    expect(() => decided({ audioTrack: 2 })).toThrow(/audio track/);
  });
});

describe('requests', () => {
  it('name formats as clients do', () => {
    expect(['MP4', 'm4v', 'webm', 'mpegts', 'raw', 'mp3', 'flv', 'toString'].map(videoFormatNamed)).toEqual([
      'mp4',
      'mp4',
      'webm',
      'ts',
      'raw',
      'mp3',
      undefined,
      undefined,
    ]);
    expect(videoRequestFor(film, { format: 'MKV' }).format).toBeUndefined();
    expect(() => videoRequestFor(film, { format: 'flv' })).toThrow(/cannot make the format flv/);
  });
  it('name sizes', () => {
    expect(boxNamed('640x480')).toEqual({ widthPx: 640, heightPx: 480 });
    expect(boxNamed('99999x99999')).toEqual({ widthPx: 7680, heightPx: 4320 });
    for (const text of [undefined, '', '640', 'x', '10x10', '640x480;x', '-640x480']) expect(boxNamed(text)).toBeUndefined();
  });
});
