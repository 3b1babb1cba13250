import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OLDEST_FFMPEG, parseAudioEncoders, parseVersion, parseVideoEncoders } from './ffmpeg-output.js';
import type { FfmpegCapabilities, FfmpegProbe } from './ffmpeg-probe.js';

const run = promisify(execFile);

/** A program that has not printed its version by then hangs. */
const PROBE_TIMEOUT_MS = 10_000;

const remedy = `install ffmpeg ${OLDEST_FFMPEG} or newer, or name it in FFMPEG_PATH`;

const unusable = (problem: string): FfmpegCapabilities => ({
  ffmpeg: null,
  problem: `${problem}; ${remedy}`,
  audioEncoders: [],
  videoEncoders: [],
});

const output = async (path: string, ...args: string[]): Promise<string> =>
  (await run(path, ['-hide_banner', '-nostdin', ...args], { timeout: PROBE_TIMEOUT_MS, maxBuffer: 4 << 20 })).stdout;

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such program';
  if (code === 'EACCES') return 'it may not be executed';
  return typeof code === 'number' ? `it ended with code ${code}` : 'it did not answer in time';
};

const look = async (path: string): Promise<FfmpegCapabilities> => {
  const found = parseVersion(await output(path, '-version'));
  if (!found) return unusable(`${path} is not an ffmpeg`);
  if (found.major === undefined || found.major < OLDEST_FFMPEG) return unusable(`${path} has version ${found.version}, which is too old`);
  const encoders = await output(path, '-encoders');
  return {
    ffmpeg: { path, version: found.version },
    problem: null,
    audioEncoders: parseAudioEncoders(encoders),
    videoEncoders: parseVideoEncoders(encoders),
  };
};

/** Asks the program itself for its version and encoders. `path` may be a bare name, looked up in `PATH`. */
export const ffmpegProbe =
  (path: string): FfmpegProbe =>
  () =>
    look(path).catch((error: unknown) => unusable(`${path} cannot be used: ${reasonOf(error)}`));
