import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import ffmpeg, { type FfmpegCommand } from 'fluent-ffmpeg';
import { isLoopbackMedia } from '@continuo/media-store';
import { FfmpegFailed, type FfmpegJob, type RunFfmpeg } from './run-ffmpeg.js';

/** Pieces that may wait between ffmpeg and whoever takes them. */
const BUFFER_BYTES = 1 << 20;
/** Lines of ffmpeg's complaints that are kept for the log. */
const KEPT_LINES = 20;

/** Options of the ffmpeg adapter. */
export interface FfmpegOptions {
  /** The program; a bare name is looked up in `PATH`. */
  readonly path: string;
  /** Niceness, 1 to 19. Not 0: the library's way without `nice` ends this whole process when the program is not there. */
  readonly niceness: number;
}

/**
 * Runs ffmpeg as a child without a shell. What it makes comes through a pipe: when this process dies, whatever the way, ffmpeg cannot write any more and ends
 * as well. `progress` of the library is not listened to, because it would run ffprobe without the lists of what may be opened.
 */
export const runFfmpeg =
  (options: FfmpegOptions): RunFfmpeg =>
  (job) => {
    const sink = sinkOf(job);
    const command = commandOf(options, job);
    let killed: string | undefined;
    // Before it has started there is nothing to kill yet.
    command.once('start', () => killed !== undefined && command.kill('SIGKILL'));
    const kill = (why: string): void => {
      killed ??= why;
      command.kill('SIGKILL');
    };
    const { timeLimitMs } = job.plan;
    const timer = setTimeout(() => kill(`it took longer than ${timeLimitMs} ms`), timeLimitMs);
    const done = outcomeOf(command, sink)
      .catch((error: unknown) => {
        throw killed === undefined ? asFailed(error) : new FfmpegFailed(killed, '', { cause: error });
      })
      .finally(() => {
        clearTimeout(timer);
        sink.destroy();
      });
    // A caller that kills the run need not wait for it.
    done.catch(() => undefined);
    command.pipe(sink, { end: true });
    return { done, kill: () => kill('it was given up') };
  };

const asFailed = (error: unknown): FfmpegFailed =>
  error instanceof FfmpegFailed ? error : new FfmpegFailed('what it made could not be taken', '', { cause: error });

const commandOf = ({ path, niceness }: FfmpegOptions, { plan, path: source }: FfmpegJob): FfmpegCommand => {
  const command = ffmpeg({ niceness, stdoutLines: KEPT_LINES });
  command.setFfmpegPath(path);
  // With its protocol in front a name means nothing but a file, whatever it begins with or holds.
  command.input(isLoopbackMedia(source) ? source : `file:${source}`);
  // Each as an argument of its own; the library would cut a single one at its blank.
  command.inputOptions(...plan.inputOptions);
  command.outputOptions(...plan.outputOptions);
  return command;
};

/** The library kills ffmpeg some milliseconds after its output is closed, even one that is about to end well; so nobody tells it. */
const sinkOf = ({ take }: FfmpegJob): Writable =>
  new Writable({
    emitClose: false,
    autoDestroy: false,
    highWaterMark: BUFFER_BYTES,
    write: (piece: Buffer, _, callback) => {
      take(piece).then(
        () => callback(),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });

/** Message of the library when a signal ended ffmpeg. */
const BY_SIGNAL = /was killed with signal/;
/** Messages of the library, the system and `nice` when ffmpeg cannot be started. */
const NOT_THERE = /Cannot find ffmpeg|ENOENT|EACCES|exited with code 12[67]\b/;

const outcomeOf = async (command: FfmpegCommand, sink: Writable): Promise<void> => {
  const ended = new Promise<void>((resolve, reject) => {
    command.once('end', () => resolve());
    command.once('error', (error: Error, _: unknown, complaints: unknown) =>
      reject(
        new FfmpegFailed(error.message, typeof complaints === 'string' ? complaints : '', {
          cause: error,
          wasCutOff: BY_SIGNAL.test(error.message),
          neverBegan: NOT_THERE.test(error.message),
        }),
      ),
    );
  });
  await Promise.all([ended, finished(sink)]);
};

/** Has the library look at the program once, so that the first listener need not wait for it. */
export const warmUp = async ({ path }: FfmpegOptions): Promise<void> => {
  const command = ffmpeg();
  command.setFfmpegPath(path);
  await promisify(command.availableFormats.bind(command))();
  await promisify(command.availableEncoders.bind(command))();
};
