import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { undoAtEnd } from './clean-up.js';
import { environment } from './config.js';
import type { StandaloneProcess } from './standalone-process.js';

/** A further worker of a standalone, in a process of its own. */
export interface WorkerProcess {
  readonly pid: number;
  /** Ends it in order and deletes what it kept. */
  stop(): Promise<void>;
}

/** Log message of a service that is ready. */
const READY = 'service ready';
const programs = {
  transcoding: (): string => fileURLToPath(new URL('main.js', import.meta.resolve('@continuo/transcoding'))),
  ingestion: (): string => fileURLToPath(new URL('main.js', import.meta.resolve('@continuo/ingestion'))),
} as const;

const untilReady = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (text: Buffer) => {
      output = `${output}${text.toString()}`.slice(-10_000);
      if (output.includes(READY)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the worker has ended with ${code}: ${output}`)));
  });

/**
 * Starts a worker beside the one in the standalone. `settings` are further environment variables.
 * @throws Error with what it printed when it does not come to work
 */
export const startWorkerProcess = async (
  server: StandaloneProcess,
  settings: Readonly<Record<string, string>>,
  service: keyof typeof programs = 'transcoding',
): Promise<WorkerProcess> => {
  const { databaseUrl, natsUrl, natsUser = '', natsPassword = '' } = server.session.access;
  const folder = await mkdtemp(join(tmpdir(), 'continuo-bench-worker-'));
  const own = {
    DATABASE_URL: databaseUrl,
    NATS_URL: natsUrl,
    NATS_USER: natsUser,
    NATS_PASSWORD: natsPassword,
    CONTINUO_SECRET: (await readFile(join(server.dataFolder, 'secret'), 'utf8')).trim(),
    CONTINUO_DATA: folder,
    HEALTH_PORT: '0',
  };
  const child = spawn(process.execPath, [programs[service]()], {
    env: { ...environment, ...own, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = undoAtEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
    await rm(folder, { recursive: true, force: true });
  });
  await untilReady(child).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { pid: child.pid ?? 0, stop };
};
