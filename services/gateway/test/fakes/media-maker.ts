import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TranscodeSource } from '@continuo/contracts';

const run = promisify(execFile);

/** Runs ffmpeg quietly with these arguments. */
export const ffmpeg = async (...args: readonly string[]): Promise<void> => {
  await run('ffmpeg', ['-nostdin', '-loglevel', 'error', '-y', ...args]);
};

/** Makes a tone of so many seconds in the format of the name's ending, in a folder. */
export const makeTone = async (folder: string, name: string, seconds: number, ...args: readonly string[]): Promise<TranscodeSource> => {
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=440:duration=${seconds}:sample_rate=44100`,
    '-ac',
    '2',
    ...args,
    `file:${join(folder, name)}`,
  );
  return sourceIn(folder, name, seconds);
};

/** A file that is there, as a source. */
export const sourceIn = async (folder: string, name: string, seconds: number): Promise<TranscodeSource> => {
  const { size, mtimeMs } = await stat(join(folder, name));
  return { catalogPath: folder, path: name, sizeBytes: size, modifiedAtMs: mtimeMs, durationMs: Math.round(seconds * 1000) };
};

/** Properties of a file by ffprobe. */
export interface Probed {
  readonly codec: string;
  readonly durationMs: number;
  readonly channels: number;
  readonly sampleRateHz: number;
}

/** Looks at a file with ffprobe. */
export const probe = async (path: string): Promise<Probed> => {
  const entries = 'format=duration:stream=codec_name,channels,sample_rate';
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_entries', entries, '-of', 'json', `file:${path}`]);
  const { streams, format } = JSON.parse(stdout) as {
    streams: { codec_name: string; channels: number; sample_rate: string }[];
    format: { duration?: string };
  };
  const [stream] = streams;
  return {
    codec: stream?.codec_name ?? '',
    durationMs: Math.round(Number(format.duration ?? 0) * 1000),
    channels: stream?.channels ?? 0,
    sampleRateHz: Number(stream?.sample_rate ?? 0),
  };
};
