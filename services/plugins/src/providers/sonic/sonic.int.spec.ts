import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PluginHost } from '../../host/plugin-host.js';
import { startPlugins } from '../../../test/started-plugin.js';

const run = promisify(execFile);
let folder: string;
let host: PluginHost;
const TIME_MS = 60_000;

const make = async (name: string, source: string, ...args: readonly string[]): Promise<string> => {
  const path = join(folder, name);
  await run('ffmpeg', ['-nostdin', '-loglevel', 'error', '-y', '-f', 'lavfi', '-i', source, ...args, path]);
  return path;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-analyse-'));
  host = await startPlugins(['sonic']);
});
afterAll(async () => {
  await host.stop();
  await rm(folder, { recursive: true, force: true });
});

const analyse = async (path: string, durationMs?: number, from: PluginHost = host): Promise<Float32Array | undefined> =>
  (await from.named('sonic')?.ask('sonic', 'analyse', { songId: 1, title: 'spec', path, durationMs }, TIME_MS)) as Float32Array | undefined;

const distance = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  Math.hypot(...(a ?? new Float32Array(1)).map((value, n) => value - (b?.[n] ?? Number.NaN)));

const BEAT = "aevalsrc='0.7*sin(2*PI*180*t)*exp(-12*mod(t\\,0.5))+0.05*sin(2*PI*880*t)':s=44100:d=30";

describe('the built-in sonic analysis', () => {
  it('says what its vectors are', () => {
    expect(host.named('sonic')?.parts.sonic?.values).toEqual({ form: 'vectors', model: 'continuo-sound-1', dimensions: 64 });
  });

  it('gives equal vectors for equal sound in any format and loudness, and others for other sound', async () => {
    const plain = await analyse(await make('plain.flac', BEAT));
    const packed = await analyse(await make('packed.mp3', BEAT, '-b:a', '192k'));
    const quiet = await analyse(await make('quiet.flac', BEAT, '-af', 'volume=0.2'));
    const noise = await analyse(await make('noise.flac', 'anoisesrc=c=brown:r=44100:d=30:seed=3'));
    expect(plain).toHaveLength(64);
    expect([...(plain ?? [])].every((value) => Math.abs(value) <= 3)).toBe(true);
    expect(distance(plain, await analyse(join(folder, 'plain.flac')))).toBe(0);
    expect(distance(plain, packed)).toBeLessThan(distance(plain, noise) / 3);
    expect(distance(plain, quiet)).toBeLessThan(distance(plain, noise) / 5);
  });

  it('analyses the middle of long songs', async () => {
    const ends = "aevalsrc='if(between(t,60,180),0.5*sin(2*PI*300*t),0.5*(random(0)-0.5))':s=22050:d=240";
    const middle = await analyse(await make('ends.flac', ends), 240_000);
    const alone = await analyse(await make('alone.flac', "aevalsrc='0.5*sin(2*PI*300*t)':s=22050:d=90"), 90_000);
    expect(distance(middle, alone)).toBeLessThan(0.5);
  });

  it.each([
    ['silence', () => make('silence.flac', 'anullsrc=r=44100', '-t', '20')],
    ['what is too short', () => make('short.flac', 'sine=d=0.5')],
    ['a video without sound', () => make('mute.mp4', 'testsrc=d=5:size=64x64', '-pix_fmt', 'yuv420p')],
    ['a file that is not there', async () => join(folder, 'nowhere.flac')],
    [
      'a text',
      async () => {
        await writeFile(join(folder, 'text.mp3'), 'no sound at all');
        return join(folder, 'text.mp3');
      },
    ],
    [
      'a list of other files',
      async () => {
        await writeFile(join(folder, 'list.m3u8'), `#EXTM3U\n#EXTINF:1,\n${join(folder, 'plain.flac')}\n`);
        return join(folder, 'list.m3u8');
      },
    ],
  ])('finds nothing in %s, and is no worse for it', async (_, path) => {
    const file = await path();
    for (let n = 0; n < 5; n += 1) expect(await analyse(file)).toBeUndefined();
    expect(host.named('sonic')?.restsUntilMs).toBeUndefined();
  });

  it('fails where there is no ffmpeg', async () => {
    const without = await startPlugins(['sonic'], { sonic: { ffmpeg: '/nowhere/ffmpeg' } });
    try {
      await expect(analyse(await make('any.flac', 'sine=d=5'), undefined, without)).rejects.toMatchObject({ kind: 'failed' });
    } finally {
      await without.stop();
    }
  });
});
