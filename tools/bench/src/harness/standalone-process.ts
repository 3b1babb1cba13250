import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { locateServer, openSession, readSettings, type Session } from '@continuo/operations';
import { withProbe, type ProbedProcess } from '../measure/strain.js';
import { undoAtEnd } from './clean-up.js';
import { environment } from './config.js';

/** A standalone in a process of its own, over an empty folder that goes with it. */
export interface StandaloneProcess {
  readonly url: string;
  readonly pid: number;
  /** Its process, which was started with the probe of `measure/strain.ts`. */
  readonly probed: ProbedProcess;
  readonly dataFolder: string;
  /** API key of the administrator. */
  readonly apiKey: string;
  readonly session: Session;
  /** From spawning to `/health/ready`, ms. */
  readonly readyAfterMs: number;
  /** Ends the server in order, and starts it again over the same data. */
  restart(): Promise<StandaloneProcess>;
  /** Ends the server in order and leaves its data; only `stop` may follow. */
  halt(): Promise<void>;
  /** Ends the server in order and deletes its data. */
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 30_000;
const LOG_LINES = 40;

/** Path of the standalone's program, as `npm start` runs it. */
export const standaloneProgram = (): string => fileURLToPath(new URL('../bundle/main.js', import.meta.resolve('@continuo/standalone')));

/** Options of Node and environment variables that `npm start` gives the standalone. */
export const standaloneProcess = (): { readonly nodeOptions: readonly string[]; readonly environment: Readonly<Record<string, string>> } =>
  JSON.parse(readFileSync(join(dirname(standaloneProgram()), '..', 'process.json'), 'utf8')) as ReturnType<typeof standaloneProcess>;

/** Start options of a standalone, kept for restarts. */
interface Launched {
  readonly dataFolder: string;
  readonly apiKey: string;
  /** Further environment variables. */
  readonly settings: Readonly<Record<string, string>>;
}

interface Child {
  readonly process: ChildProcess;
  /** The last lines that it printed. */
  readonly lastLines: () => string;
}

const launch = ({ dataFolder, apiKey, settings }: Launched): Child => {
  const { nodeOptions, environment: defaults } = standaloneProcess();
  const env = {
    ...defaults,
    ...environment,
    ...settings,
    CONTINUO_DATA: dataFolder,
    PORT: '0',
    HOST: '127.0.0.1',
    CONTINUO_ADMIN_API_KEY: apiKey,
    DATABASE_URL: '',
    NATS_URL: '',
  };
  // In a group of its own: a Ctrl-C at the terminal ends it through us, once.
  const child = spawn(process.execPath, [...nodeOptions, ...withProbe(), standaloneProgram()], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  if (!child.stdout || !child.stderr) throw new Error('the standalone has no output');
  const lines: string[] = [];
  const keep = (chunk: Buffer): void => {
    lines.push(...chunk.toString('utf8').split('\n').filter(Boolean));
    lines.splice(0, Math.max(0, lines.length - LOG_LINES));
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return { process: child, lastLines: () => lines.join('\n') };
};

const untilReady = async (child: Child, dataFolder: string): Promise<Session> => {
  const settings = readSettings({ CONTINUO_DATA: dataFolder });
  let last = 'it wrote no connection data';
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until; await delay(50)) {
    if (child.process.exitCode !== null) throw new Error(`the standalone ended with code ${child.process.exitCode}:\n${child.lastLines()}`);
    const access = await locateServer(settings).catch(() => undefined);
    const ready = access?.url === undefined ? undefined : await fetch(new URL('/health/ready', access.url)).catch(() => undefined);
    if (access && ready?.status === 200) return openSession(access);
    last = (await ready?.text()) ?? last;
  }
  throw new Error(`the standalone was not ready within ${READY_WITHIN_MS} ms: ${last}\n${child.lastLines()}`);
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const inTime = await Promise.race([ended.then(() => true), delay(STOP_WITHIN_MS, false)]);
  if (!inTime) child.kill('SIGKILL');
  await ended;
};

const run = async (launched: Launched): Promise<StandaloneProcess> => {
  const { dataFolder, apiKey } = launched;
  const started = performance.now();
  const child = launch(launched);
  const remove = undoAtEnd(async () => {
    await end(child.process);
    for (const folder of [dataFolder, `${dataFolder}-music`]) await rm(folder, { recursive: true, force: true });
  });
  try {
    const session = await untilReady(child, dataFolder);
    const url = session.access.url ?? '';
    return {
      url,
      pid: child.process.pid ?? 0,
      probed: child.process,
      dataFolder,
      apiKey,
      session,
      readyAfterMs: performance.now() - started,
      restart: async () => {
        await session.close();
        await end(child.process);
        return run(launched);
      },
      halt: async () => {
        await session.close();
        await end(child.process);
      },
      stop: async () => {
        await session.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
};

/**
 * Starts a standalone over an empty temporary folder; `settings` are further environment variables.
 * @throws Error with its last lines when it does not become ready.
 */
export const startStandaloneProcess = async (settings: Launched['settings'] = {}): Promise<StandaloneProcess> =>
  run({ dataFolder: await mkdtemp(join(tmpdir(), 'continuo-bench-')), apiKey: randomBytes(16).toString('hex'), settings });

/** Starts a standalone over a data folder that is there; it goes with the server. @throws Error with its last lines when it does not become ready. */
export const startStandaloneOver = (dataFolder: string, apiKey: string): Promise<StandaloneProcess> =>
  run({ dataFolder, apiKey, settings: {} });
