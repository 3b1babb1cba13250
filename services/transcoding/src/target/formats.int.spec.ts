import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TranscodeSource, TranscodeTarget } from '@continuo/contracts';
import { someOf } from '@continuo/local-servers/test-form';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ffmpeg, measureClicks, measureVolumeDb, makeClicks, makeTone, probe, sourceIn } from '../../test/media.js';
import { testTranscoder, type TestTranscoder } from '../../test/test-transcoder.js';

const SECONDS = 20;
const formats = ['mp3', 'opus', 'ogg', 'aac', 'm4a', 'flac', 'wav', 'mp4', 'webm', 'ts'] as const;
let home: string;
let one: TestTranscoder;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-formats-'));
  one = await testTranscoder();
});
afterAll(async () => {
  await one.stop();
  await rm(home, { recursive: true, force: true });
});

/** Makes something and leaves the finished file under a name; answers its path. */
const make = async (source: TranscodeSource, wanted: Partial<TranscodeTarget>, name: string): Promise<string> => {
  const request = await one.look(source, wanted);
  await one.transcoder.prepare(request);
  const found = await vi.waitUntil(() => one.cache.read(request.key), 20_000);
  await writeFile(join(home, name), await buffer(found.body));
  return join(home, name);
};

describe('a place in the source', () => {
  it.each<[ending: string, args: string[]]>(
    someOf(
      [
        ['flac', []],
        ['wav', []],
        ['mp3', ['-b:a', '128k']],
        ['vbr.mp3', ['-q:a', '2']],
        ['untold.mp3', ['-q:a', '2', '-write_xing', '0']],
        ['ogg', []],
        ['opus', []],
        ['m4a', []],
        ['aac', []],
        ['wma', []],
        ['aiff', []],
        ['wv', []],
        ['alac.m4a', ['-c:a', 'alac']],
        ['mka', ['-c:a', 'libvorbis']],
      ],
      5,
    ),
  )('is found to a tenth of a second in %s', async (ending, args) => {
    const source = await makeClicks(home, `clicks.${ending}`, SECONDS, ...args);
    const { clicksAtMs, durationMs } = await measureClicks(
      await make(source, { format: 'wav', offsetMs: 7340, lengthMs: 6000 }, `from-${ending}.wav`),
    );
    expect(Math.abs(durationMs - 6000)).toBeLessThan(100);
    expect(Math.abs((clicksAtMs[0] ?? 0) - 660)).toBeLessThan(100);
  });

  it.each(someOf(formats, 2))('is kept by %s', async (format) => {
    const source = await makeClicks(home, 'clicks.flac', SECONDS);
    const { clicksAtMs, durationMs } = await measureClicks(await make(source, { format, offsetMs: 12_340 }, `to.${format}`));
    expect(Math.abs(durationMs - 7660)).toBeLessThan(200);
    expect(Math.abs((clicksAtMs[0] ?? 0) - 660)).toBeLessThan(100);
  });
});

describe('what is made', () => {
  it.each(
    someOf(
      [
        ['mp3', 128],
        ['opus', 96],
        ['ogg', 128],
        ['aac', 128],
        ['m4a', 256],
        ['webm', 128],
      ] as const,
      3,
    ),
  )('keeps to its rate, as %s', async (format, bitrateKbps) => {
    await ffmpeg('-f', 'lavfi', '-i', 'anoisesrc=d=10:c=pink:a=0.3', '-ac', '2', '-ar', '44100', join(home, 'noise.flac'));
    const source = await sourceIn(home, 'noise.flac', 10);
    const request = await one.look(source, { format, bitrateKbps });
    const { sizeBytes } = await one.transcoder.prepare(request);
    expect(Math.abs((sizeBytes * 8) / 10_000 / bitrateKbps - 1)).toBeLessThan(0.15);
  });

  it.each(
    someOf(
      [
        ['mp3', 2, '48000'],
        ['opus', 6, '48000'],
        ['ogg', 2, '48000'],
        ['m4a', 6, '48000'],
        ['flac', 6, '96000'],
        ['wav', 6, '96000'],
      ] as const,
      3,
    ),
  )('holds what %s can of six channels at 96 kHz', async (format, channels, rate) => {
    const args = ['-f', 'lavfi', '-i', 'anoisesrc=d=2:r=96000:a=0.2', '-af', 'pan=5.1(side)|FL=c0|FR=c0|FC=c0|LFE=c0|SL=c0|SR=c0'];
    await ffmpeg(...args, join(home, 'surround.flac'));
    const { streams } = await probe(await make(await sourceIn(home, 'surround.flac', 2), { format }, `surround.${format}`));
    expect(streams[0]).toMatchObject({ channels, sample_rate: rate });
  });

  it('knows its length where the format can say it', async () => {
    const source = await makeClicks(home, 'clicks.flac', SECONDS);
    for (const format of someOf(['mp3', 'opus', 'ogg', 'm4a', 'flac', 'wav', 'webm', 'mp4'] as const, 3)) {
      const { duration } = (await probe(await make(source, { format }, `length.${format}`))).format;
      expect([format, Math.abs(Number(duration) - SECONDS) < 0.2]).toEqual([format, true]);
    }
  });

  it.each(someOf(['flac', 'ogg', 'opus', 'mp3', 'm4a'], 2))('keeps the tags that players show, out of %s', async (ending) => {
    await ffmpeg(
      '-f',
      'lavfi',
      '-i',
      'sine=d=2',
      '-metadata',
      'title=Two Words',
      '-metadata',
      'artist=Ada',
      join(home, `tagged.${ending}`),
    );
    const source = await sourceIn(home, `tagged.${ending}`, 2);
    for (const format of someOf(['mp3', 'm4a', 'flac', 'ogg', 'opus'] as const, 2)) {
      const found = await probe(await make(source, { format }, `tagged-2.${format}`));
      const tags = { ...found.streams[0]?.tags, ...found.format.tags };
      expect(Object.fromEntries(Object.entries(tags).map(([name, text]) => [name.toLowerCase(), text]))).toMatchObject({
        title: 'Two Words',
        artist: 'Ada',
      });
    }
  });
});

describe('a gain', () => {
  it.each(someOf(formats, 2))(
    'makes %s quieter and louder by that much, from any place in the source',
    async (format) => {
      const source = await makeTone(home, 'tone.flac', 6);
      const volumeOf = async (wanted: Partial<TranscodeTarget>, name: string): Promise<number> =>
        measureVolumeDb(await make(source, { format, ...wanted }, `${name}.${format}`));
      for (const offsetMs of [0, 2500]) {
        const plain = await volumeOf({ offsetMs }, 'plain');
        expect(Math.abs((await volumeOf({ offsetMs, gainDb: -6 }, 'quieter')) - plain + 6)).toBeLessThan(0.3);
        expect(Math.abs((await volumeOf({ offsetMs, gainDb: 3.5 }, 'louder')) - plain - 3.5)).toBeLessThan(0.3);
      }
    },
    60_000,
  );

  it('leaves FLAC of 16 bits so', async () => {
    const source = await makeTone(home, 'tone-16.flac', 2, '-sample_fmt', 's16');
    const { streams } = await probe(await make(source, { format: 'flac', gainDb: -6 }, 'quieter-16.flac'));
    expect(streams[0]?.bits_per_raw_sample).toBe('16');
  });

  it('has a place of its own in the cache, by hundredths', async () => {
    const source = await makeTone(home, 'tone.flac', 6);
    const [plain, none, six, nearly, less] = await Promise.all(
      [undefined, 0, -6, -6.004, -5.99].map(async (gainDb) => (await one.look(source, { gainDb })).key),
    );
    expect([none, nearly]).toEqual([plain, six]);
    expect(new Set([plain, six, less]).size).toBe(3);
  });
});

describe('of a video', () => {
  const video = async (): Promise<TranscodeSource> => {
    const picture = 'testsrc2=duration=6:size=640x480:rate=25';
    await ffmpeg(
      '-f',
      'lavfi',
      '-i',
      picture,
      '-f',
      'lavfi',
      '-i',
      'sine=d=6',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-c:a',
      'aac',
      join(home, 'film.mkv'),
    );
    return sourceIn(home, 'film.mkv', 6);
  };

  it('the sound alone can be had', async () => {
    const { streams, format } = await probe(await make(await video(), { format: 'mp3' }, 'film.mp3'));
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['mp3']);
    expect(Math.abs(Number(format.duration) - 6)).toBeLessThan(0.2);
  });

  it.each([
    ['mp4', 'h264', 'aac'],
    ['webm', 'vp9', 'opus'],
    ['ts', 'h264', 'aac'],
  ] as const)('there is %s, fitted into a box', async (format, picture, sound) => {
    const box = { maxWidthPx: 320, maxHeightPx: 320, bitrateKbps: 400 };
    const { streams, format: container } = await probe(
      await make(await video(), { format, picture: box, offsetMs: 2000 }, `film-2.${format}`),
    );
    expect(streams.map(({ codec_name }) => codec_name)).toEqual([picture, sound]);
    expect(streams[0]).toMatchObject({ width: 320, height: 240 });
    expect(Math.abs(Number(container.duration) - 4)).toBeLessThan(0.2);
  });

  it('a picture is never enlarged', async () => {
    const box = { maxWidthPx: 1920, maxHeightPx: 1080, bitrateKbps: 400 };
    const { streams } = await probe(await make(await video(), { format: 'mp4', picture: box, lengthMs: 1000 }, 'film-3.mp4'));
    expect(streams[0]).toMatchObject({ width: 640, height: 480 });
  });
});
