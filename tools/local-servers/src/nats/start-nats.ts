import { availableParallelism } from 'node:os';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { claim } from '../child/owner.js';
import { commandLine } from '../child/process-table.js';
import { endStale, startServerProcess, type Ended, type ServerProcess } from '../child/server-process.js';
import { LocalServerError } from '../error.js';
import { freePort } from '../free-port.js';
import { readIfPresent, secretIn, writePrivate } from '../files.js';
import { configText } from './config-file.js';
import { locateNats, type NatsBinary } from './locate-nats.js';

export interface NatsOptions {
  /** Folder of the streams, made when missing. `<storeDir>.conf`, `.password`, `.pid` and `.owner` lie beside it. */
  readonly storeDir: string;
  /** TCP port on 127.0.0.1; a free one when left out. */
  readonly port?: number;
  /** Program to run instead of the one that is found. */
  readonly serverBin?: string;
  /** Default true: a publish is acknowledged when it is on disk. false is for tests. */
  readonly syncAlways?: boolean;
  /** Largest message in bytes. Default 8 MiB. */
  readonly maxPayloadBytes?: number;
  /** Most that all streams may take, bytes. Left out: three quarters of what is free at the start, which a log of some size may have passed already. */
  readonly maxFileStoreBytes?: number | undefined;
  /** Default true: user name and a generated password are required. */
  readonly auth?: boolean;
  /** Gets each line that the server writes. */
  readonly log?: (line: string) => void;
  /** Folder to delete when this process dies without stopping the server; tests only. */
  readonly removeAfterCrash?: string;
}

export interface NatsServer {
  /** `nats://[user:password@]127.0.0.1:port`. The NATS client does not read a login from a URL: split it off first. */
  readonly url: string;
  /** Address without login, for the client's `servers` option. */
  readonly server: string;
  /** Login for the client's `user` and `pass` options; absent when `auth` is false. */
  readonly login: { readonly user: string; readonly password: string } | undefined;
  readonly port: number;
  readonly pid: number;
  /** Such as `2.15.1`. */
  readonly version: string;
  /** Resolves when the server has ended, wanted or not. */
  readonly ended: Promise<Ended>;
  /** Orderly end. Safe to call twice. */
  readonly stop: () => Promise<void>;
  /** SIGKILL, as a power cut would; for tests. */
  readonly kill: () => Promise<void>;
}

const readyTimeoutMs = 120_000; // Millions of subjects take seconds to load.
const maxPayloadBytes = 8 * 1024 * 1024;
/**
 * Percentage by which the heap may grow before nats-server collects garbage; Go's default is 100. A limit of its memory instead would have it collect all the time
 * once the index of a large log has reached it.
 */
const heapGrowthPercent = '25';

/** Threads of nats-server that compute at the same time. It shares the machine with everything else; more would only look for work, and wake each other. */
const threadsAtWork = Math.max(1, Math.floor(availableParallelism() / 2));

/**
 * Starts a nats-server with JetStream on 127.0.0.1 and waits until its streams are loaded.
 * A server left behind by a crash of an earlier run is ended first.
 * @throws LocalServerError when the folder is in use, no new enough program is found, or the server does not start
 */
export async function startNats(options: NatsOptions): Promise<NatsServer> {
  const binary = await locateNats(options.serverBin);
  await mkdir(options.storeDir, { recursive: true, mode: 0o700 });
  const storeDir = await realpath(resolve(options.storeDir));
  const ownership = await claim(storeDir);
  try {
    await clearLeftOvers(storeDir);
    const login = options.auth === false ? undefined : { user: 'continuo', password: await secretIn(`${storeDir}.password`) };
    const child = await spawnNats(binary, storeDir, options, login);
    const port = await portWhenReady(child);
    const stopWith = async (end: () => Promise<void>): Promise<void> => {
      await end();
      await rm(`${storeDir}.pid`, { force: true });
      await ownership.release();
    };
    const server = `127.0.0.1:${port}`;
    const url = `nats://${login ? `${login.user}:${login.password}@` : ''}${server}`;
    const { pid, ended } = child;
    return {
      url,
      server,
      login,
      port,
      pid,
      version: binary.version,
      ended,
      stop: () => stopWith(child.stop),
      kill: () => stopWith(child.kill),
    };
  } catch (error) {
    await ownership.release();
    throw error;
  }
}

async function spawnNats(binary: NatsBinary, storeDir: string, options: NatsOptions, login: NatsServer['login']): Promise<ServerProcess> {
  const file = `${storeDir}.conf`;
  const settings = {
    storeDir,
    // Not one of the system's choice: an outgoing connection may have that one when the server is started again.
    port: options.port ?? (await freePort()),
    pidFile: `${storeDir}.pid`,
    syncAlways: options.syncAlways ?? true,
    maxPayloadBytes: options.maxPayloadBytes ?? maxPayloadBytes,
    maxFileStoreBytes: options.maxFileStoreBytes,
    login,
  };
  await writePrivate(file, configText(settings));
  return startServerProcess({
    name: 'nats-server',
    bin: binary.path,
    args: ['-c', file],
    cwd: storeDir,
    env: { GOGC: heapGrowthPercent, GOMAXPROCS: String(threadsAtWork) },
    stopSignal: 'TERM',
    removeAfterCrash: options.removeAfterCrash,
    log: options.log,
  });
}

/** The port that the server listens on, once its streams are loaded. @throws LocalServerError with what the server said instead */
async function portWhenReady(child: ServerProcess): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const outcome = await new Promise<number | string>((done) => {
    let port = 0;
    child.onLine((line) => {
      port = Number(/Listening for client connections on [^ ]*:(\d+)/.exec(line)?.[1] ?? port);
      if (line.includes('Server is ready')) done(port);
    });
    void child.ended.then(() => done(child.lastLines()));
    timer = setTimeout(() => done(`it was not ready within ${readyTimeoutMs} ms. ${child.lastLines()}`), readyTimeoutMs);
  });
  clearTimeout(timer);
  if (typeof outcome === 'number' && outcome > 0) return outcome;
  await child.kill();
  throw new LocalServerError(`nats-server does not start: ${outcome}`);
}

/** Ends a server that an earlier run left on this very store; a noted process that is something else is left alone. */
async function clearLeftOvers(storeDir: string): Promise<void> {
  const pid = Number.parseInt((await readIfPresent(`${storeDir}.pid`)) ?? '', 10);
  if (!Number.isInteger(pid) || pid <= 1) return;
  const command = await commandLine(pid);
  if (command?.includes(`${storeDir}.conf`)) await endStale('nats-server', pid, 'SIGTERM');
}
