import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { LocalServerError } from '../error.js';
import { hasEnded, isAlive, signal } from './process-table.js';
import { startWatchdog, unrefStream, type Watch } from './watchdog.js';

export interface ServerCommand {
  readonly name: string;
  readonly bin: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Run as this numeric user and group; only root may ask for it. */
  readonly account?: { uid: number; gid: number } | undefined;
  /** Environment variables beside the few that every server gets. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly stopSignal: Watch['signal'];
  readonly removeAfterCrash?: string | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

/** Exit of a server process. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the process has ended, for whatever reason. Never rejects. */
  readonly ended: Promise<Ended>;
  /** The last lines that the server wrote, for error messages. */
  readonly lastLines: () => string;
  /** Calls back for each line that the server writes, beside the log. */
  readonly onLine: (listener: (line: string) => void) => void;
  /** Asks the server to end and waits. @throws LocalServerError when it is still there after 30 s. */
  readonly stop: () => Promise<void>;
  /** Ends the server at once (SIGKILL), as a power cut would. */
  readonly kill: () => Promise<void>;
}

const stopTimeoutMs = 30_000;
const keptLines = 40;

/**
 * Starts a server in a session of its own, so that Ctrl-C in the terminal reaches only us and we end things in order.
 * The child does not keep this process alive; a watchdog ends it when this process dies.
 * @throws LocalServerError when the binary cannot be run
 */
export async function startServerProcess(command: ServerCommand): Promise<ServerProcess> {
  const { bin, args, cwd, account } = command;
  // A clean environment: PGPORT, PGDATA and the like of the operator must not reach the server.
  const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin', ...command.env };
  const child = spawn(bin, [...args], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'], ...account });
  const ended = new Promise<Ended>((resolve) => child.once('exit', (code, by) => resolve({ code, signal: by })));
  const { pid } = await spawned(child, command);
  const lines: string[] = [];
  const listeners = command.log ? [command.log] : [];
  for (const stream of [child.stdout, child.stderr]) {
    unrefStream(stream);
    createInterface({ input: stream }).on('line', (line) => {
      if (lines.push(line) > keptLines) lines.shift();
      for (const listener of listeners) listener(line);
    });
  }
  child.unref();
  // Dismissed as soon as the server is gone: its process id may be handed out again.
  const watchdog = startWatchdog({ pid, signal: command.stopSignal, removeDir: command.removeAfterCrash });
  void ended.then(watchdog.dismiss);
  const end = async (name: NodeJS.Signals): Promise<void> => {
    signal(pid, name);
    if (!(await hasEnded(pid, stopTimeoutMs)))
      throw new LocalServerError(`${command.name} (process ${pid}) did not end within ${stopTimeoutMs} ms`);
  };
  return {
    pid,
    ended,
    lastLines: () => lines.join('\n'),
    onLine: (listener) => void listeners.push(listener),
    stop: () => end(`SIG${command.stopSignal}`),
    kill: () => end('SIGKILL'),
  };
}

function spawned(child: ReturnType<typeof spawn>, command: ServerCommand): Promise<{ pid: number }> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      const who = command.account ? ` as user ${command.account.uid}` : '';
      reject(new LocalServerError(`${command.name} cannot be started from ${command.bin}${who}: ${cause.message}`, { cause }));
    });
    child.once('spawn', () => {
      if (child.pid === undefined) reject(new LocalServerError(`${command.name} started without a process id`));
      else resolve({ pid: child.pid });
    });
  });
}

/** Ends a server left behind by an earlier run. @throws LocalServerError when it does not go. */
export async function endStale(name: string, pid: number, by: NodeJS.Signals): Promise<void> {
  if (!(await isAlive(pid))) return;
  signal(pid, by);
  if (await hasEnded(pid, 15_000)) return;
  signal(pid, 'SIGKILL');
  if (!(await hasEnded(pid, 5_000))) throw new LocalServerError(`an earlier ${name} (process ${pid}) does not end; stop it by hand`);
}
