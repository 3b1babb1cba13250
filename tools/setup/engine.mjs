import { spawn } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { run, tail } from './shell.mjs';

const START_MS = 60_000;
const STOP_MS = 60_000;
const GB = 1_000_000_000;

/** Ways to start an engine, the usual one first: not every machine has the kernel's firewall or overlays. Copies of whole layers need far more room. */
const WAYS = [
  { args: [], roomBytes: 8 * GB },
  { args: ['--iptables=false', '--ip6tables=false', '--ip-masq=false'], roomBytes: 8 * GB },
  { args: ['--storage-driver=vfs'], roomBytes: 40 * GB },
  { args: ['--storage-driver=vfs', '--iptables=false', '--ip6tables=false', '--ip-masq=false'], roomBytes: 40 * GB },
];

/**
 * Sees that a Docker engine answers: the one that does already, else one of our own that keeps all it has below `folder`.
 * Answers `{ stop }`, which ends ours and its containers, or `{ problem }`.
 */
export async function ensureEngine(folder) {
  if (await answers()) return {};
  let problem = 'dockerd did not start';
  for (const { args, roomBytes } of WAYS) {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < roomBytes) {
      problem = `${roomBytes / GB} GB of free disk are needed`;
      continue;
    }
    const started = await start(folder, args);
    if (started.stop) return started;
    problem = started.problem;
  }
  return { problem };
}

const answers = async () => (await run('/usr/bin/docker', ['version'], { timeoutMs: 10_000 })).code === 0;

async function start(folder, args) {
  const kept = ['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'run'), '--pidfile', join(folder, 'pid')];
  const engine = spawn('dockerd', [...kept, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  engine.stderr.on('data', (chunk) => (log = `${log}${chunk}`.slice(-4000)));
  engine.once('error', (error) => (log += error.message));
  const ended = new Promise((resolve) => engine.once('close', resolve));
  // An interrupted run leaves no engine behind.
  const end = () => engine.kill('SIGTERM');
  process.once('exit', end);
  const stop = async () => {
    process.off('exit', end);
    end();
    const killing = setTimeout(() => engine.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(killing);
  };
  for (const until = Date.now() + START_MS; Date.now() < until && engine.exitCode === null && engine.pid !== undefined;) {
    if (await answers()) return { stop };
    await new Promise((done) => setTimeout(done, 500));
  }
  if (engine.pid !== undefined && engine.exitCode === null) await stop();
  process.off('exit', end);
  return { problem: `dockerd did not start: ${tail(log, 1)}` };
}
