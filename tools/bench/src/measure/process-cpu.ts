import { readdir, readFile } from 'node:fs/promises';

/** CPU time by the name of the program, milliseconds. */
export type CpuByProgram = ReadonlyMap<string, number>;

/** `/proc` counts in hundredths of a second on every Linux that we know. */
const MS_PER_TICK = 10;

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly program: string;
  readonly cpuMs: number;
}

/** Fields of `/proc/<pid>/stat` after the program's name, which stands in parentheses and may hold anything. */
const PARENT = 1;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

const look = async (pid: string): Promise<Process | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const end = text.lastIndexOf(')');
  const fields = text
    .slice(end + 2)
    .split(' ')
    .map(Number);
  const ticks = (fields[USER_TICKS] ?? 0) + (fields[SYSTEM_TICKS] ?? 0);
  return { pid: Number(pid), parent: fields[PARENT] ?? 0, program: text.slice(text.indexOf('(') + 1, end), cpuMs: ticks * MS_PER_TICK };
};

/**
 * CPU time that a process and everything that it started have taken so far. Unlike the clock on the wall it says the same whatever else the machine does. Empty where
 * there is no `/proc`.
 */
export const cpuOfTree = async (root: number): Promise<CpuByProgram> => {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const all = (await Promise.all(pids.map(look))).filter((one) => one !== undefined);
  const wanted = new Set([root]);
  for (let before = 0; before < wanted.size;) {
    before = wanted.size;
    for (const { pid, parent } of all) if (wanted.has(parent)) wanted.add(pid);
  }
  const sums = new Map<string, number>();
  for (const { pid, program, cpuMs } of all) if (wanted.has(pid)) sums.set(program, (sums.get(program) ?? 0) + cpuMs);
  return sums;
};
