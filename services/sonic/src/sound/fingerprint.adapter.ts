import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SOUND_FORMATS } from '@continuo/plugins';
import { FfmpegUnavailable, UndecodableAudio, type Fingerprint } from './fingerprint.js';

const run = promisify(execFile);

const HASH = /SHA256=([0-9a-f]{64})/;
/** Limit of the complaints about a damaged file. */
const MAX_OUTPUT_BYTES = 16 << 20;

const argumentsFor = (path: string): string[] => {
  // Files of other places have an address of this very machine.
  const isAddress = path.startsWith('http://');
  return [
    ['-nostdin', '-hide_banner', '-loglevel', 'error'],
    ['-protocol_whitelist', isAddress ? 'http,tcp' : 'file', '-format_whitelist', SOUND_FORMATS],
    ['-i', isAddress ? path : `file:${path}`],
    ['-map', '0:a:0', '-c', 'copy', '-f', 'streamhash', '-hash', 'sha256', 'pipe:1'],
  ].flat();
};

/** How a run of ffmpeg ended: ended by a signal, or not begun when there is a call of the system. */
interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly message?: string;
  readonly syscall?: string;
  readonly signal?: NodeJS.Signals | null;
}

/** Fingerprints by ffmpeg, which reads the file once and decodes nothing. */
export const ffmpegFingerprint =
  (program: string): Fingerprint =>
  async (path, signal) => {
    const options = { maxBuffer: MAX_OUTPUT_BYTES, signal, killSignal: 'SIGKILL' } as const;
    const ended: Ended = await run(program, argumentsFor(path), options).catch((error: Ended) => error);
    signal.throwIfAborted();
    const [, hash] = HASH.exec(ended.stdout) ?? [];
    if (hash !== undefined) return hash;
    if (ended.syscall !== undefined) throw new FfmpegUnavailable(`${program} cannot be started: ${ended.message}`, { cause: ended });
    // The system ended it, not the file.
    if (ended.signal) throw new FfmpegUnavailable(`ffmpeg was ended by ${ended.signal}`);
    throw new UndecodableAudio(ended.stderr.trim().split('\n').at(-1) || 'there is no sound in it');
  };
