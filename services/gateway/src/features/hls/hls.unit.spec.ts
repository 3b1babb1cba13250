import { describe, expect, it } from 'vitest';
import { hlsTokens, type HlsGrant } from './hls-grant.js';
import { listOf, listTypeFor } from './hls-lists.js';
import { segmentTarget, type HlsMedium } from './hls-media.js';
import { mediaPlaylist } from './hls-playlist.js';
import { fitted, soundRate, videoRate, wantedRate } from '../../transcode/decision/video/hls-rates.js';
import { SEGMENT_MS, segmentAt, segmentCount, segmentsOf } from './hls-timeline.js';

const song: HlsGrant = { kind: 'song', id: 7, userId: 2, soundKbps: 128, audioTrack: 0 };
const film: HlsGrant = { ...song, kind: 'video', audioTrack: 1, picture: { widthPx: 640, heightPx: 360, kbps: 700 } };
const HOUR_MS = 3_600_000;

describe('tokens', () => {
  let now = 1_000_000 * HOUR_MS + 5;
  const tokens = hlsTokens('a secret', () => now);

  it.each([song, film])('open what they were made for', (grant) => expect(tokens.check(tokens.sign(grant))).toEqual(grant));

  it('are the same within an hour, and over after half a day', () => {
    const token = tokens.sign(song);
    now += HOUR_MS - 10;
    expect(tokens.sign(song)).toBe(token);
    now += 10;
    expect(tokens.sign(song)).not.toBe(token);
    now += 11 * HOUR_MS - 10;
    expect(tokens.check(token)).toEqual(song);
    now += 10;
    expect(tokens.check(token)).toBeUndefined();
  });

  it('open nothing when anything in them is changed, nor under another secret', () => {
    const token = tokens.sign(film);
    const parts = token.split('-');
    for (const [index, part] of parts.entries()) {
      const other = /\d$/.test(part)
        ? part.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))
        : part === 'v'
          ? 's'
          : `${part.slice(0, -1)}0`;
      expect([other === part, tokens.check(parts.with(index, other).join('-'))]).toEqual([false, undefined]);
    }
    expect(hlsTokens('another secret', () => now).check(token)).toBeUndefined();
    for (const text of ['', 'x', `${token}0`, ` ${token}`, token.toUpperCase(), token.replace('-640x360-700', '')])
      expect(tokens.check(text)).toBeUndefined();
  });
});

describe('the timeline', () => {
  it.each([
    [1, 1],
    [8000, 1],
    [8400, 1],
    [8501, 2],
    [30_000, 4],
    [3_600_000, 450],
  ])('cuts %i ms into %i segments that cover it', (durationMs, count) => {
    const segments = segmentsOf(durationMs);
    expect([segments.length, segmentCount(durationMs)]).toEqual([count, count]);
    expect(segments.reduce((sum, { lengthMs }) => sum + lengthMs, 0)).toBe(durationMs);
    expect(segments.map(({ offsetMs }) => offsetMs)).toEqual(segments.map((_, index) => index * SEGMENT_MS));
    expect(segmentAt(durationMs, count)).toBeUndefined();
  });
  it('has no other segments', () => {
    for (const index of [-1, 0.5, Number.NaN, 4]) expect(segmentAt(30_000, index)).toBeUndefined();
  });
  it('takes what the length of the container leaves out into the last segment', () => {
    expect(segmentAt(30_000, 3)).toEqual({ offsetMs: 24_000, lengthMs: 6000, takenMs: 8000 });
    expect(segmentAt(30_000, 2)).toEqual({ offsetMs: 16_000, lengthMs: 8000, takenMs: 8000 });
  });
});

describe('rates', () => {
  it('are read as clients write them', () => {
    expect(wantedRate('1000')).toEqual({ kbps: 1000 });
    expect(wantedRate(' 1000@480X360 ')).toEqual({ kbps: 1000, box: { widthPx: 480, heightPx: 360 } });
    for (const text of ['', 'x', '-1', '1000@', '1000@480', '1000@4x3', '1e3', '1000@480x360x2', '99999999'])
      expect(wantedRate(text)).toBeUndefined();
  });
  it('of songs never exceed what the source has to say', () => {
    expect(soundRate({ kbps: 0 }, { kbps: 192, lossless: false })).toBe(192);
    expect(soundRate({ kbps: 96 }, { kbps: 192, lossless: false })).toBe(96);
    expect(soundRate({ kbps: 320 }, { kbps: 128, lossless: false })).toBe(128);
    expect(soundRate({ kbps: 0 }, { kbps: 900, lossless: true })).toBe(256);
    expect(soundRate({ kbps: 0 }, { kbps: 320, lossless: false }, 64)).toBe(64);
    expect(soundRate({ kbps: 1 }, { kbps: 0, lossless: false })).toBe(32);
  });
  it('of videos are divided between sound and picture, in a size that suits', () => {
    const source = { widthPx: 1920, heightPx: 1080, kbps: 5000, hasSound: true };
    expect(videoRate({ kbps: 700 }, source)).toEqual({ soundKbps: 64, picture: { widthPx: 640, heightPx: 360, kbps: 636 } });
    expect(videoRate({ kbps: 700, box: { widthPx: 480, heightPx: 360 } }, source).picture).toMatchObject({ widthPx: 480, heightPx: 270 });
    expect(videoRate({ kbps: 0, box: { widthPx: 640, heightPx: 480 } }, source).picture).toEqual({
      widthPx: 640,
      heightPx: 360,
      kbps: 836,
    });
    expect(videoRate({ kbps: 0 }, source)).toEqual({ soundKbps: 160, picture: { widthPx: 1920, heightPx: 1080, kbps: 4840 } });
    expect(videoRate({ kbps: 5000 }, { ...source, widthPx: 320, heightPx: 240 }).picture).toMatchObject({ widthPx: 320, heightPx: 240 });
    expect(videoRate({ kbps: 700 }, { ...source, hasSound: false }).picture.kbps).toBe(700);
    for (const kbps of [0, 5000])
      expect(videoRate({ kbps }, source, 700)).toEqual({ soundKbps: 64, picture: { widthPx: 640, heightPx: 360, kbps: 636 } });
  });
  it('fit pictures into boxes with even sides', () => {
    expect(fitted({ widthPx: 853, heightPx: 479 }, { widthPx: 9999, heightPx: 9999 })).toEqual({ widthPx: 854, heightPx: 480 });
    expect(fitted({ widthPx: 100, heightPx: 1000 }, { widthPx: 50, heightPx: 50 })).toEqual({ widthPx: 6, heightPx: 50 });
  });
});

describe('lists', () => {
  const tokens = hlsTokens('a secret', () => 0);
  const medium: HlsMedium = {
    id: 7,
    catalogPath: '/m',
    path: 'a',
    durationMs: 20_000,
    sound: { kbps: 320, lossless: false },
    audioTracks: 2,
  };
  const video: HlsMedium = { ...medium, picture: { widthPx: 640, heightPx: 360, kbps: 1000, hasSound: true } };

  it('name their segments', () => {
    expect(mediaPlaylist(20_400, (index) => `x/${index}.ts`)).toBe(
      '#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-TARGETDURATION:8\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-INDEPENDENT-SEGMENTS\n' +
        '#EXTINF:8.000,\nx/0.ts\n#EXTINF:8.000,\nx/1.ts\n#EXTINF:4.400,\nx/2.ts\n#EXT-X-ENDLIST\n',
    );
  });
  it('give one way to play for one request, and a choice for several', () => {
    const one = listOf({ kind: 'song', medium, userId: 2, audioTrack: 0 }, [{ kbps: 128 }], tokens);
    expect(one.match(/^hls\/s-7-2-128-0-[^/]+\/\d\.ts$/gm)).toHaveLength(3);
    const several = listOf(
      { kind: 'video', medium: video, userId: 2, audioTrack: 1 },
      [{ kbps: 300 }, { kbps: 1000 }, { kbps: 300 }],
      tokens,
    );
    expect(several.match(/^#EXT-X-STREAM-INF:.*$/gm)).toEqual([
      '#EXT-X-STREAM-INF:BANDWIDTH=517500,AVERAGE-BANDWIDTH=345000,RESOLUTION=426x240,CODECS="avc1.64001e,mp4a.40.2"',
      '#EXT-X-STREAM-INF:BANDWIDTH=1725000,AVERAGE-BANDWIDTH=1150000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2"',
    ]);
    expect(several.match(/^hls\/v-7-2-\d+-1-\d+x\d+-\d+-[^/]+\/list\.m3u8$/gm)).toHaveLength(2);
  });
  it('are refused for what cannot be cut, and for tracks that there are not', () => {
    expect(() => listOf({ kind: 'song', medium: { ...medium, durationMs: 0 }, userId: 2, audioTrack: 0 }, [], tokens)).toThrow(/how long/);
    expect(() => listOf({ kind: 'video', medium: video, userId: 2, audioTrack: 2 }, [], tokens)).toThrow(/audio track/);
  });
  it('have the type that their player takes', () => {
    expect(listTypeFor(undefined)).toBe('application/vnd.apple.mpegurl');
    expect(listTypeFor('AppleCoreMedia/1.0')).toBe('application/vnd.apple.mpegurl');
    expect(listTypeFor('VLC/3.0.18 LibVLC/3.0.18')).toBe('audio/mpegurl');
  });
  it('say what to make of each segment', () => {
    expect(segmentTarget(film, { offsetMs: 8000, lengthMs: 8000, takenMs: 8000 })).toEqual({
      format: 'ts',
      bitrateKbps: 128,
      sampleRateHz: 48_000,
      channels: 2,
      offsetMs: 8000,
      lengthMs: 8000,
      audioTrack: 1,
      picture: { maxWidthPx: 640, maxHeightPx: 360, bitrateKbps: 700 },
    });
  });
});
