import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PROBE_QUESTION, type ProbeReading } from './probe-reading.js';

/** A child process whose program was started with {@link withProbe}, with a channel (`ipc`) to it. */
export type ProbedProcess = Pick<ChildProcess, 'pid' | 'send' | 'once'>;

/** Arguments for Node, before the program's own, that make a server tell how long its event loop is held. */
export const withProbe = (): string[] => ['--import', fileURLToPath(new URL('probe.js', import.meta.url)).replace('/src/', '/dist/')];

/** Load that one request put on the server's process. */
export interface Strain {
  /** Longest time for which nobody else was served, ms. */
  readonly heldMs: number;
  /** Resident memory at its highest, beyond what it was before, bytes. */
  readonly grownBytes: number;
}

/** No request may hold the event loop for longer, ms. */
export const HELD_LIMIT_MS = 50;

/** No request may take more, bytes. */
export const GROWN_LIMIT_BYTES = 64 * 1024 ** 2;

/** The most since the last look; one look at a time. */
export const probeReading = async (server: ProbedProcess): Promise<ProbeReading> => {
  const answered = once(server as ChildProcess, 'message') as Promise<[ProbeReading]>;
  server.send(PROBE_QUESTION);
  const [reading] = await answered;
  return reading;
};

const statusBytes = async (pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
};

/** Resident memory of a process, bytes. */
export const residentBytes = (pid: number): Promise<number> => statusBytes(pid, 'VmRSS');

/** Tells the kernel to begin anew with the highest resident memory. */
const FORGET_PEAK = '5';

/**
 * Does something and says what it asked of a server that does nothing else meanwhile. The event loop was held no longer than it was late, and no longer than its thread
 * worked between two turns: on a busy machine the delay alone would tell of the others. Linux only.
 */
export const strainOf = async (server: ProbedProcess, work: () => Promise<unknown>): Promise<Strain> => {
  const { pid = 0 } = server;
  await probeReading(server);
  await writeFile(`/proc/${pid}/clear_refs`, FORGET_PEAK);
  const before = await residentBytes(pid);
  await work();
  const { delayMs, busyMs } = await probeReading(server);
  return { heldMs: Math.min(delayMs, busyMs), grownBytes: Math.max(0, (await statusBytes(pid, 'VmHWM')) - before) };
};

/** The least strain of several times: what is left of other work, and a heap that was about to grow anyway, meet some of them only. */
export const leastStrainOf = async (server: ProbedProcess, work: () => Promise<unknown>, times = 3): Promise<Strain> => {
  let least: Strain = { heldMs: Infinity, grownBytes: Infinity };
  for (let round = 0; round < times; round += 1) {
    const { heldMs, grownBytes } = await strainOf(server, work);
    least = { heldMs: Math.min(least.heldMs, heldMs), grownBytes: Math.min(least.grownBytes, grownBytes) };
  }
  return least;
};

/** True when the law of the server is broken: what nobody may ask of it. */
export const isTooMuch = ({ heldMs, grownBytes }: Strain): boolean => heldMs > HELD_LIMIT_MS || grownBytes > GROWN_LIMIT_BYTES;
