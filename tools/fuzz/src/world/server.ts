import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withProbe, type ProbedProcess } from '@continuo/bench';
import { locateServer, openSession, readSettings, type Session } from '@continuo/operations';
import { inherited } from '../config.js';
import { LogWatch } from './log-watch.js';

/** A standalone in a process of its own, whose log is followed. */
export interface FuzzedServer {
  readonly url: string;
  readonly pid: number;
  /** Its process, which tells how long its event loop is held. */
  readonly probed: ProbedProcess;
  readonly session: Session;
  readonly log: LogWatch;
  /** Why it ended by itself; undefined while it runs. */
  ended(): string | undefined;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 30_000;

/** Heap limit that a leak exceeds within a campaign; normal use fills a third, MiB. */
const HEAP_MIB = 512;

/** Strangers and wrong passwords are slowed down, which would end the campaign after fifty requests. */
const SETTINGS = {
  LOG_LEVEL: 'error',
  LOGIN_FAILURES_PER_ACCOUNT: '1000000000',
  LOGIN_FAILURES_PER_ADDRESS: '1000000000',
  STRANGER_CALLS_PER_ADDRESS: '1000000000',
  HTTP_REQUEST_TIMEOUT_MS: '3000',
} as const;

const launch = (dataFolder: string): ChildProcess => {
  const env = { ...inherited, ...SETTINGS, CONTINUO_DATA: dataFolder, PORT: '0', HOST: '127.0.0.1' };
  const program = fileURLToPath(new URL('../bundle/main.js', import.meta.resolve('@continuo/standalone')));
  return spawn(process.execPath, [...withProbe(), `--max-old-space-size=${HEAP_MIB}`, program], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
};

const untilReady = async (child: ChildProcess, log: LogWatch, dataFolder: string): Promise<Session> => {
  const settings = readSettings({ CONTINUO_DATA: dataFolder });
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until; await delay(100)) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}:\n${log.last()}`);
    const access = await locateServer(settings).catch(() => undefined);
    const ready = access?.url === undefined ? undefined : await fetch(new URL('/health/ready', access.url)).catch(() => undefined);
    await ready?.arrayBuffer();
    if (access && ready?.status === 200) return openSession(access);
  }
  throw new Error(`the server was not ready within ${READY_WITHIN_MS} ms:\n${log.last()}`);
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  if (!(await Promise.race([ended.then(() => true), delay(STOP_WITHIN_MS, false)]))) child.kill('SIGKILL');
  await ended;
};

/** Starts a standalone over a folder. @throws Error with its last lines when it does not become ready */
export const startServer = async (dataFolder: string): Promise<FuzzedServer> => {
  const child = launch(dataFolder);
  if (!child.stdout || !child.stderr) throw new Error('the server has no output');
  const log = new LogWatch(child.stdout, child.stderr);
  try {
    const session = await untilReady(child, log, dataFolder);
    const ended = (): string | undefined =>
      child.exitCode === null && child.signalCode === null
        ? undefined
        : `it ended with ${child.signalCode ?? `code ${child.exitCode}`}:\n${log.last()}`;
    const stop = async (): Promise<void> => {
      await session.close();
      await end(child);
    };
    return { url: session.access.url ?? '', pid: child.pid ?? 0, probed: child, session, log, ended, stop };
  } catch (error) {
    await end(child);
    throw error;
  }
};
