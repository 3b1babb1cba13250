import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@continuo/local-servers';
import { undoAtEnd } from '../../harness/clean-up.js';
import { CompatClient } from '../../harness/compat-client.js';
import { environment } from '../../harness/config.js';
import type { Product, ServerCommand } from './products.js';

/** A started server over an empty data folder. */
export interface ProductProcess {
  readonly url: string;
  readonly pid: number;
  readonly client: CompatClient;
  /** As it says itself. */
  readonly version: string;
  /** Ends it and deletes its data. */
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 30_000;
const KEPT_OUTPUT = 4000;

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

const end = async (child: ChildProcess): Promise<void> => {
  if (hasEnded(child)) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([gone, delay(STOP_WITHIN_MS, undefined, { ref: false })]);
  if (!hasEnded(child)) child.kill('SIGKILL');
  await gone;
};

interface Launched {
  readonly child: ChildProcess;
  readonly lastOutput: () => string;
}

const launch = async ({ bin, args, env }: ServerCommand, cwd: string): Promise<Launched> => {
  // In a group of its own: a Ctrl-C at the terminal ends it through us, once.
  const child = spawn(bin, [...args], { cwd, env: { ...environment, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output = `${output}${text.toString()}`.slice(-KEPT_OUTPUT);
    });
  await once(child, 'spawn');
  return { child, lastOutput: () => output };
};

const untilReady = async (client: CompatClient, { child, lastOutput }: Launched): Promise<string> => {
  let cause: unknown;
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until && !hasEnded(child); await delay(100)) {
    try {
      return (await client.json<{ serverVersion?: string }>('ping')).serverVersion ?? '';
    } catch (error) {
      cause = error;
    }
  }
  throw new Error(`the server does not answer: ${lastOutput()}`, { cause });
};

/** Starts a server and waits until it answers. @throws Error with its last output when it does not */
export const startProduct = async (product: Product, music: string): Promise<ProductProcess> => {
  const [data, port] = [await mkdtemp(join(tmpdir(), 'continuo-bench-peer-')), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const client = new CompatClient({ url, user: product.user, password: product.password });
  let launched: Launched | undefined;
  const stop = undoAtEnd(async () => {
    client.close();
    if (launched) await end(launched.child);
    await rm(data, { recursive: true, force: true });
  });
  try {
    launched = await launch(await product.command({ music, data, port }), data);
    const version = await untilReady(client, launched);
    await product.addMusic?.(url, music);
    return { url, pid: launched.child.pid ?? 0, client, version, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
