import { spawn } from 'node:child_process';

/** Actions of the watchdog when this process dies before calling `dismiss`. */
export interface Watch {
  readonly pid: number;
  /** Signal for an orderly end, without the SIG prefix: `INT` for Postgres (fast shutdown), `TERM` for NATS. */
  readonly signal: 'INT' | 'TERM' | 'QUIT' | 'KILL';
  /** Folder to delete afterwards; tests only. */
  readonly removeDir?: string | undefined;
}

export interface Watchdog {
  /** Ends the watchdog without harm to the server: for use after an orderly stop. */
  readonly dismiss: () => void;
}

// The pipe on standard input closes when our process ends, however it ends. "done" means that nothing is left to do.
const script = `
read -r word
[ "$word" = done ] && exit 0
kill -"$2" "$1"
tries=0
while kill -0 "$1"; do
  tries=$((tries + 1))
  [ $tries -gt 100 ] && kill -KILL "$1"
  sleep 0.1
done
[ -n "$3" ] && rm -rf -- "$3"
`;

/**
 * Starts a small shell that outlives this process and stops the server when this process dies, even by kill -9.
 * Without it a killed test run would leave database servers behind for ever.
 */
export function startWatchdog(watch: Watch): Watchdog {
  const args = ['-c', script, 'continuo-watchdog', String(watch.pid), watch.signal, watch.removeDir ?? ''];
  const shell = spawn('/bin/sh', args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' });
  // A system without /bin/sh has no watchdog; the check for a stale server on the next start still covers it.
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  unrefStream(shell.stdin);
  return { dismiss: () => shell.stdin.end('done\n') };
}

/** Keeps a pipe from holding this process open; Node's types do not say that a child's pipes are sockets. */
export function unrefStream(stream: unknown): void {
  if (typeof stream === 'object' && stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
}
