import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { environment } from './config.js';

/** A run of the command line in a process of its own. */
export interface CliProcess {
  readonly durationMs: number;
  /** The most memory that the process held at any time, bytes; 0 where the system does not tell. */
  readonly peakBytes: number;
  /** Standard output. */
  readonly out: string;
}

const LOOK_EVERY_MS = 50;

const program = (): string => fileURLToPath(new URL('main.js', import.meta.resolve('@continuo/continuo-cli')));

const peakOf = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
};

/**
 * Runs `continuo` over a data folder.
 * @throws Error with what it said when it fails
 */
export const runCliProcess = async (dataFolder: string, ...args: string[]): Promise<CliProcess> => {
  const started = performance.now();
  const env = { ...environment, CONTINUO_DATA: dataFolder, DATABASE_URL: undefined, NATS_URL: undefined, CONTINUO_SECRET: undefined };
  const child = spawn(process.execPath, [program(), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let peakBytes = 0;
  const look = async (): Promise<void> => {
    peakBytes = Math.max(peakBytes, await peakOf(child.pid ?? 0));
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]).finally(() => clearInterval(timer));
  if (code !== 0) throw new Error(`continuo ${args.join(' ')} ended with ${code}: ${err}${out}`);
  return { durationMs: performance.now() - started, peakBytes, out };
};
