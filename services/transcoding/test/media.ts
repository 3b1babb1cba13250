import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TranscodeSource } from '@continuo/contracts';

const run = promisify(execFile);

/** Runs ffmpeg quietly. */
export const ffmpeg = async (...args: readonly string[]): Promise<void> => {
  await run('ffmpeg', ['-nostdin', '-loglevel', 'error', '-y', ...args]);
};

/** A file that is there, as a source. */
export const sourceIn = async (folder: string, name: string, seconds: number): Promise<TranscodeSource> => {
  const { size, mtimeMs } = await stat(join(folder, name));
  return { catalogPath: folder, path: name, sizeBytes: size, modifiedAtMs: mtimeMs, durationMs: Math.round(seconds * 1000) };
};

/** A tone in stereo, in the form that the name's ending says. */
export const makeTone = async (folder: string, name: string, seconds: number, ...args: readonly string[]): Promise<TranscodeSource> => {
  const tone = `sine=frequency=440:duration=${seconds}:sample_rate=44100`;
  await ffmpeg('-f', 'lavfi', '-i', tone, '-ac', '2', ...args, `file:${join(folder, name)}`);
  return sourceIn(folder, name, seconds);
};

/** A click at each full second, of a pitch that tells which second it is: by it a place in the sound can be found again. */
export const makeClicks = async (folder: string, name: string, seconds: number, ...args: readonly string[]): Promise<TranscodeSource> => {
  const click = 'if(lt(mod(t,1),0.05),0.8*sin(2*PI*(400+50*floor(t))*t),0)';
  const clicks = `aevalsrc=exprs='${click}|${click}':sample_rate=44100:duration=${seconds}`;
  await ffmpeg('-f', 'lavfi', '-i', clicks, ...args, `file:${join(folder, name)}`);
  return sourceIn(folder, name, seconds);
};

const DECODED_HZ = 44_100;
const LOUD = 6000;

/** Measures when each click begins, and the length of the file; ms. */
export const measureClicks = async (path: string): Promise<{ clicksAtMs: number[]; durationMs: number }> => {
  const args = ['-nostdin', '-loglevel', 'error', '-i', `file:${path}`, '-ac', '1', '-ar', String(DECODED_HZ), '-f', 's16le', 'pipe:1'];
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 1 << 28 });
  const clicksAtMs: number[] = [];
  const samples = Math.floor(stdout.length / 2);
  for (let at = 0, last = -DECODED_HZ; at < samples; at += 1) {
    if (Math.abs(stdout.readInt16LE(at * 2)) < LOUD) continue;
    if (at - last > DECODED_HZ / 5) clicksAtMs.push((at / DECODED_HZ) * 1000);
    last = at;
  }
  return { clicksAtMs, durationMs: (samples / DECODED_HZ) * 1000 };
};

/** Measures the mean volume of a file, dB below full scale. */
export const measureVolumeDb = async (path: string): Promise<number> => {
  const { stderr } = await run('ffmpeg', ['-nostdin', '-i', `file:${path}`, '-af', 'volumedetect', '-f', 'null', '-']);
  return Number(/mean_volume: (-?[\d.]+) dB/.exec(stderr)?.[1]);
};

/** Properties of a file by ffprobe. */
export interface ProbedMedia {
  readonly streams: readonly {
    readonly codec_name: string;
    readonly channels?: number;
    readonly sample_rate?: string;
    readonly bits_per_raw_sample?: string;
    readonly width?: number;
    readonly height?: number;
    readonly tags?: Readonly<Record<string, string>>;
  }[];
  readonly format: { readonly duration?: string; readonly format_name: string; readonly tags?: Readonly<Record<string, string>> };
}

/** Looks at a file with ffprobe. */
export const probe = async (path: string): Promise<ProbedMedia> => {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', `file:${path}`]);
  return JSON.parse(stdout) as ProbedMedia;
};
