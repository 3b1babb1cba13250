import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transcodeTarget } from '@continuo/contracts';
import { someOf } from '@continuo/local-servers/test-form';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { runFfmpeg } from '../ffmpeg/run-ffmpeg.adapter.js';
import { planOf } from '../target/transcode-plan.js';

const run = promisify(execFile);
const SEGMENT_MS = 8000;
const DURATION_MS = 29_000;
const HZ = 441;
let folder: string;
const at = (name: string): string => join(folder, name);

const ffmpeg = (...options: string[]): Promise<unknown> => run('ffmpeg', ['-v', 'error', '-y', ...options], { cwd: folder });
const sine = (hz: number, rate: number): string[] => [
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=${hz}:sample_rate=${rate}:duration=${DURATION_MS / 1000}`,
];
const picture = (source: string, rate: string): string[] => [
  '-f',
  'lavfi',
  '-i',
  `${source}=320x180:rate=${rate}:duration=${DURATION_MS / 1000}`,
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-segments-'));
  await ffmpeg(...sine(HZ, 44_100), 'song.flac');
  await ffmpeg(...sine(HZ, 44_100), '-b:a', '128k', 'song.mp3');
  await ffmpeg('-f', 'lavfi', '-i', `anoisesrc=sample_rate=44100:amplitude=0.3:seed=1:duration=${DURATION_MS / 1000}`, 'noise.flac');
  await writeFile(at('words.srt'), '1\n00:00:01,000 --> 00:00:20,000\nWORDS\n');
  const film = [...picture('testsrc=size', '25'), ...sine(880, 48_000), ...sine(HZ, 44_100)];
  const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '130', '-bf', '2', '-c:a', 'aac'];
  await ffmpeg(...film, '-map', '0', '-map', '1', '-map', '2', ...coded, 'film.mp4');
  await ffmpeg(...picture('testsrc=size', '30000/1001'), ...sine(HZ, 44_100), ...coded, 'film.ts');
  await ffmpeg(
    ...picture('color=color=black:size', '25'),
    ...sine(HZ, 48_000),
    '-i',
    'words.srt',
    '-map',
    '0',
    '-map',
    '1',
    '-map',
    '2',
    ...coded,
    '-c:s',
    'srt',
    'film.mkv',
  );
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const made = async (source: string, request: z.input<typeof transcodeTarget>, captionsPath?: string): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  const plan = planOf(transcodeTarget.parse(request), { path: at(source), durationMs: DURATION_MS, captionsPath }, { videoThreads: 2 });
  const take = async (piece: Buffer): Promise<void> => void pieces.push(piece);
  await runFfmpeg({ path: 'ffmpeg', niceness: 1 })({ plan, path: at(source), take }).done;
  return Buffer.concat(pieces);
};

/** Makes all segments of a source, the last ones first, and a list of them. */
const segmented = async (source: string, request: Partial<z.input<typeof transcodeTarget>> = {}): Promise<string> => {
  const name = `${source}-${request.audioTrack ?? 0}`;
  const offsets = Array.from({ length: Math.ceil(DURATION_MS / SEGMENT_MS) }, (_, index) => index * SEGMENT_MS);
  for (const [index, offsetMs] of [...offsets.entries()].toReversed()) {
    const lengthMs = Math.min(SEGMENT_MS, DURATION_MS - offsetMs + 2000);
    await writeFile(at(`${name}-${index}.ts`), await made(source, { format: 'ts', bitrateKbps: 128, offsetMs, lengthMs, ...request }));
  }
  const lines = offsets.flatMap((offsetMs, index) => [
    `#EXTINF:${Math.min(SEGMENT_MS, DURATION_MS - offsetMs) / 1000},`,
    `${name}-${index}.ts`,
  ]);
  await writeFile(at(`${name}.m3u8`), ['#EXTM3U', '#EXT-X-TARGETDURATION:8', ...lines, '#EXT-X-ENDLIST', ''].join('\n'));
  return name;
};

interface Packet {
  readonly codec_type: string;
  readonly pts_time: string;
  readonly dts_time: string;
  readonly flags: string;
}
const packetsOf = async (file: string, kind: string): Promise<Packet[]> => {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_packets', '-of', 'json', file], { cwd: folder, maxBuffer: 64 << 20 });
  return (JSON.parse(stdout) as { packets: Packet[] }).packets.filter(({ codec_type }) => codec_type === kind);
};

/** The largest deviation of a sine from itself: 0 for a pure one, thousands where samples are lost, doubled or silent. */
const deviation = (samples: Int16Array, from: number, to: number): number => {
  const turn = 2 * Math.cos((2 * Math.PI * HZ) / 48_000);
  let worst = 0;
  for (let index = from; index < to; index += 1)
    worst = Math.max(worst, Math.abs((samples[index + 1] ?? 0) - turn * (samples[index] ?? 0) + (samples[index - 1] ?? 0)));
  return worst;
};

const playedSound = async (name: string): Promise<Int16Array> => {
  await ffmpeg('-i', `${name}.m3u8`, '-vn', '-ac', '1', '-ar', '48000', '-f', 's16le', `${name}.pcm`);
  const bytes = await readFile(at(`${name}.pcm`));
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
};

const soundJoins = async (name: string): Promise<void> => {
  const samples = await playedSound(name);
  expect(Math.abs((samples.length / 48_000) * 1000 - DURATION_MS)).toBeLessThan(200);
  // The very first frame rises out of silence; the end falls into it.
  expect(deviation(samples, 9600, samples.length - 9600)).toBeLessThan(12);
};

/** The lightest that a film ever gets, 16 to 235. */
const brightness = async (file: string): Promise<number> => {
  const filter = 'signalstats,metadata=print:key=lavfi.signalstats.YMAX:file=-';
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', file, '-vf', filter, '-an', '-f', 'null', '-'], { cwd: folder });
  return Math.max(...[...stdout.matchAll(/YMAX=(\d+)/g)].map(([, value]) => Number(value)));
};

describe('segments that are made one by one', () => {
  it.each(['song.flac', 'song.mp3'])('join without a click: %s', async (source) => soundJoins(await segmented(source)), 60_000);

  it.each(someOf([64, 128, 256], 1))('take hardly more than the sound in them, at %s kbit/s', async (bitrateKbps) => {
    const name = await segmented('noise.flac', { bitrateKbps });
    const sizes = await Promise.all([0, 1].map(async (index) => (await stat(at(`${name}-${index}.ts`))).size));
    for (const size of sizes) expect(size / (bitrateKbps * SEGMENT_MS * 0.125)).toBeLessThan(1.25);
  });

  it.each(
    someOf(
      [
        ['film.ts', 0, 30_000 / 1001],
        ['film.mp4', 1, 25],
      ] as const,
      1,
    ),
  )(
    'join picture to picture: %s',
    async (source, audioTrack, rate) => {
      const size = { maxWidthPx: 160, maxHeightPx: 160, bitrateKbps: 200 };
      const name = await segmented(source, { picture: size, audioTrack });
      await soundJoins(name);
      const shown: number[] = [];
      for (const index of [0, 1, 2, 3]) {
        const pictures = await packetsOf(`${name}-${index}.ts`, 'video');
        expect(pictures[0]?.flags).toMatch(/^K/);
        shown.push(...pictures.map(({ pts_time }) => Number(pts_time)).toSorted((a, b) => a - b));
      }
      const steps = shown.slice(1).map((time, index) => time - (shown[index] ?? 0));
      expect(Math.max(...steps.map((step) => Math.abs(step - 1 / rate)))).toBeLessThan(0.002);
      expect(Math.abs(shown.length - (DURATION_MS / 1000) * rate)).toBeLessThan(2);
      // Played as a whole nothing is complained of, but that memory may not be locked here.
      const { stderr } = await run('ffmpeg', ['-v', 'warning', '-i', `${name}.m3u8`, '-f', 'null', '-'], { cwd: folder });
      expect(stderr.replace('Warning: using insecure memory!\n', '')).toBe('');
    },
    60_000,
  );

  it('show the subtitles that are asked for, where the film has them, whatever it is called', async () => {
    const odd = `o'd: [x],;=\\ %{q} "é".mkv`;
    await copyFile(at('film.mkv'), at(odd));
    const size = { maxWidthPx: 160, maxHeightPx: 160, bitrateKbps: 400 };
    const brightest = async (offsetMs: number, captionTrack?: number, format: 'ts' | 'mp4' = 'ts'): Promise<number> => {
      await writeFile(
        at('shown'),
        await made(odd, { format, offsetMs, lengthMs: 3000, picture: size, ...(captionTrack === undefined ? {} : { captionTrack }) }),
      );
      return brightness('shown');
    };
    expect(await brightest(8000)).toBeLessThan(40);
    expect(await brightest(8000, 0)).toBeGreaterThan(100);
    expect(await brightest(8000, 0, 'mp4')).toBeGreaterThan(100);
    expect(await brightest(22_000, 0)).toBeLessThan(40);
  }, 60_000);

  it('show the subtitles of a file beside, in its own letters', async () => {
    const odd = `de: 'x'.srt`;
    await writeFile(at(odd), Buffer.from('1\n00:00:09,000 --> 00:00:20,000\nÄÖÜ\n', 'latin1'));
    const brightest = async (offsetMs: number): Promise<number> => {
      const request = { format: 'mp4', offsetMs, lengthMs: 1000, captionFile: { path: odd, encoding: 'windows-1252' } } as const;
      const size = { maxWidthPx: 160, maxHeightPx: 160, bitrateKbps: 400 };
      await writeFile(at('beside'), await made('film.mkv', { ...request, picture: size }, at(odd)));
      return brightness('beside');
    };
    expect(await brightest(1000)).toBeLessThan(40);
    expect(await brightest(10_000)).toBeGreaterThan(100);
  }, 60_000);

  it('give subtitles as text', async () => {
    expect(String(await made('film.mkv', { format: 'srt', captionTrack: 0 }))).toMatch(/00:00:01,0\d\d --> 00:00:20,0\d\d\nWORDS\n/);
    await expect(made('film.mkv', { format: 'srt', captionTrack: 1 })).rejects.toThrow(/ffmpeg/);
  });
});
