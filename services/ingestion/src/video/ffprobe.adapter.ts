import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Turns } from '@continuo/chassis';
import { isAddress } from '../tags/ranged-file.js';
import { READABLE_FORMATS } from './video-container.js';
import { probeOutput, videoFromProbe } from './probe-output.js';
import type { VideoReader, VideoRequest, VideoResult } from './video-reader.js';

const run = promisify(execFile);

/** Limit of ffprobe's output: usually some kilobytes. */
const MAX_OUTPUT_BYTES = 4 << 20;
const MAX_MESSAGE_CHARS = 300;

/** Options of the ffprobe adapter. */
export interface FfprobeOptions {
  /** The program; a bare name is looked up in `PATH`. */
  readonly program: string;
  /** Programs that run at the same time. */
  readonly atOnce: number;
  /** Time for one file. */
  readonly timeoutMs: number;
}

/** Nothing but the file itself may be opened: no network beyond this machine, where files of other places have an address, and no format that leads to other files. */
const optionsFor = (protocols: string): string[] =>
  `-v error -hide_banner -protocol_whitelist ${protocols} -format_whitelist ${READABLE_FORMATS} -print_format json -show_format -show_streams`.split(
    ' ',
  );
const named = (path: string): string => (isAddress(path) ? path : `file:${path}`);
const argumentsFor = (path: string): string[] => [...optionsFor(isAddress(path) ? 'http,tcp' : 'file,pipe'), named(path)];

interface Failure {
  readonly code?: unknown;
  readonly killed?: boolean;
  readonly stderr?: string;
}

const failed = (reason: Extract<VideoResult, { ok: false }>['reason'], message: string): VideoResult => ({ ok: false, reason, message });

/** Printed first by a library of ffprobe where memory may not be locked, as in some containers. */
const ABOUT_MEMORY = 'Warning: using insecure memory!';

/** Error text of ffprobe, without path and memory addresses. */
const complaint = (stderr: string, path: string): string =>
  stderr
    .replaceAll(named(path), 'the file')
    .replaceAll(/ @ 0x[0-9a-f]+/g, '')
    .trim()
    .split('\n')
    .filter((line) => line !== ABOUT_MEMORY)
    .join('; ')
    .slice(0, MAX_MESSAGE_CHARS)
    .toWellFormed();

const explained = (error: Failure, path: string, { program, timeoutMs }: FfprobeOptions): VideoResult => {
  // Without the program nothing can be said of any file; they are tried again by the next scan.
  if (error.code === 'ENOENT') return failed('unreadable', `there is no program ${program}: install ffmpeg, or name it in FFPROBE_PATH`);
  if (error.code === 'EACCES') return failed('unreadable', `the program ${program} may not be executed`);
  if (error.killed) return failed('damaged', `reading took longer than ${timeoutMs} ms`);
  const words = complaint(error.stderr ?? '', path);
  if (/HTTP error|Server returned/.test(words)) return failed(/404/.test(words) ? 'vanished' : 'unreadable', words);
  if (/No such file/.test(words)) return failed('vanished', 'it went away during the scan');
  if (/Permission denied|Input\/output error/.test(words)) return failed('unreadable', words);
  if (/not on whitelist/.test(words) || words.startsWith('the file: Invalid data')) return failed('not-media', 'the file is no video');
  return failed('damaged', words || 'ffprobe cannot read it');
};

/** Reads videos with ffprobe, one short-lived program per file. */
export class FfprobeReader implements VideoReader {
  readonly #turns: Turns;

  constructor(private readonly options: FfprobeOptions) {
    this.#turns = new Turns(options.atOnce);
  }

  readVideo(request: VideoRequest): Promise<VideoResult> {
    return this.#turns.run(() => this.#probe(request));
  }

  async #probe(request: VideoRequest): Promise<VideoResult> {
    const { program, timeoutMs } = this.options;
    const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES } as const;
    try {
      const { stdout } = await run(program, argumentsFor(request.path), limits);
      const found = probeOutput.safeParse(JSON.parse(stdout));
      return found.success ? videoFromProbe(found.data, request) : failed('not-media', 'ffprobe names no container');
    } catch (error) {
      if (error instanceof SyntaxError) return failed('damaged', 'ffprobe gave an answer that is none');
      return explained(error as Failure, request.path, this.options);
    }
  }
}
