import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The worker's own program, as it was built: this package may not import another service. */
const PROGRAM = fileURLToPath(new URL('../../../../tools/standalone/bundle/transcoding.js', import.meta.url));
/** Log line of a ready worker. */
const READY = 'service ready';

/** Environment of a test worker. */
export interface WorkerSurroundings {
  readonly natsUrl: string;
  readonly postgresUrl: string;
  /** Settings; `CONTINUO_DATA` is needed. */
  readonly settings: Readonly<Record<string, string>>;
  /** Largest file that the worker can write, in units of 512 bytes: what goes beyond is refused, as by a full disk. */
  readonly fileSizeLimit?: number;
}

/** A transcoding worker in a process of its own. */
export interface WorkerProcess {
  readonly pid: number;
  /** Returns its log so far. */
  log(): string;
  /** Ends it in order, or at once with `SIGKILL`; kept when it is gone. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const environmentOf = ({ natsUrl, postgresUrl, settings }: WorkerSurroundings): NodeJS.ProcessEnv => ({
  // The worker needs nothing of this environment but the way to ffmpeg; named parts only, because specs must not depend on the rest.
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
  DATABASE_URL: postgresUrl,
  NATS_URL: natsUrl,
  CONTINUO_SECRET: 'x'.repeat(32),
  HEALTH_PORT: '0',
  LOG_LEVEL: 'info',
  ...settings,
});

const untilReady = (child: ChildProcess, output: () => string): Promise<void> =>
  new Promise((resolve, reject) => {
    child.stdout?.on('data', () => output().includes(READY) && resolve());
    child.once('exit', (code) => reject(new Error(`the worker has ended with ${code}: ${output()}`)));
  });

const spawned = (surroundings: WorkerSurroundings): ChildProcess => {
  const { fileSizeLimit } = surroundings;
  const options: SpawnOptions = { env: environmentOf(surroundings), stdio: ['ignore', 'pipe', 'pipe'] };
  if (fileSizeLimit === undefined) return spawn(process.execPath, [PROGRAM], options);
  return spawn('/bin/sh', ['-c', `ulimit -f ${fileSizeLimit}; exec "$0" "$1"`, process.execPath, PROGRAM], options);
};

/** The processes of ffmpeg that a worker has running. */
export const ffmpegOf = async (pid: number): Promise<number[]> => {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    const status = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '') : '';
    const [, command, parent] = /^\d+ \((.*)\) \S+ (\d+)/s.exec(status) ?? [];
    if (command === 'ffmpeg' && Number(parent) === pid) found.push(Number(name));
  }
  return found;
};

/** True while a process is there that has not ended. */
export const isThere = async (pid: number): Promise<boolean> => {
  const status = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return status !== '' && !/^\d+ \(.*\) Z/s.test(status);
};

/** Starts a worker and waits until it takes work. @throws Error when the transcoding service is not built */
export const startWorkerProcess = async (surroundings: WorkerSurroundings): Promise<WorkerProcess> => {
  if (!existsSync(PROGRAM)) throw new Error('build the transcoding service first: pnpm build');
  const child = spawned(surroundings);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()));
  await untilReady(child, () => output);
  return {
    pid: child.pid ?? 0,
    log: () => output,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
};
