import { readdir, readFile } from 'node:fs/promises';

/** A process and what it takes of the memory. */
export interface ProcessMemory {
  readonly pid: number;
  readonly name: string;
  /** Proportional share: pages used by several processes are divided among them. */
  readonly pssBytes: number;
}

/** Fields of a process's stat file from the third one on; undefined when it has ended. */
const statOf = async (pid: number | string): Promise<string[] | undefined> => {
  // The name in brackets may hold blanks and brackets itself.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
};

const parentOf = async (pid: string): Promise<number | undefined> => {
  const fields = await statOf(pid);
  return fields && Number(fields[1]);
};

/** The process and everything that it started, directly or not. Linux only. */
export const processTree = async (root: number): Promise<number[]> => {
  const children = new Map<number, number[]>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = await parentOf(entry);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
};

const memoryOf = async (pid: number): Promise<ProcessMemory | undefined> => {
  try {
    const [rollup, name] = await Promise.all([readFile(`/proc/${pid}/smaps_rollup`, 'utf8'), readFile(`/proc/${pid}/comm`, 'utf8')]);
    return { pid, name: name.trim(), pssBytes: Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024 };
  } catch {
    // It ended between the two looks, or belongs to somebody else.
    return undefined;
  }
};

/** The memory of a process and all its descendants. */
export const treeMemory = async (root: number): Promise<ProcessMemory[]> =>
  (await Promise.all((await processTree(root)).map(memoryOf))).filter((entry) => entry !== undefined);

/** The kernel counts processor time in hundredths of a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** User and system time, its own and that of children which have ended, as fields counted from the state. */
const CPU_FIELDS = [11, 12, 13, 14];

/** Processor time that the process and its descendants have used, ms. */
export const treeCpuMs = async (root: number): Promise<number> => {
  const stats = await Promise.all((await processTree(root)).map(statOf));
  const ticks = stats.flatMap((fields) => CPU_FIELDS.map((field) => Number(fields?.[field] ?? 0)));
  return ticks.reduce((sum, value) => sum + value, 0) * TICK_MS;
};

/** Does some work and answers, with its result, the processor time that the process tree spent meanwhile: it hardly depends on what else runs. */
export const withCpu = async <T>(root: number, work: () => Promise<T>): Promise<{ readonly result: T; readonly cpuMs: number }> => {
  const before = await treeCpuMs(root);
  const result = await work();
  return { result, cpuMs: (await treeCpuMs(root)) - before };
};

/** Looks at one process's resident memory every `everyMs` until stopped; answers the highest value seen, bytes. */
export const watchPeak = (pid: number, everyMs = 100): (() => Promise<number>) => {
  let peak = 0;
  const look = async (): Promise<void> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    peak = Math.max(peak, Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024);
  };
  const timer = setInterval(() => void look(), everyMs);
  return async () => {
    clearInterval(timer);
    await look();
    return peak;
  };
};

/** Memory (Pss) of a process and all its descendants, bytes. */
export const treePssBytes = async (root: number): Promise<number> =>
  (await treeMemory(root)).reduce((sum, { pssBytes }) => sum + pssBytes, 0);

const PEAK_LOOK_MS = 500;

/** Does some work and answers, with its result, the highest memory (Pss) that was seen of the process tree meanwhile. */
export const withTreePeak = async <T>(
  root: number,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly peakBytes: number }> => {
  let peakBytes = 0;
  const look = async (): Promise<void> => {
    peakBytes = Math.max(peakBytes, await treePssBytes(root));
  };
  const timer = setInterval(() => void look(), PEAK_LOOK_MS);
  try {
    const result = await work();
    await look();
    return { result, peakBytes };
  } finally {
    clearInterval(timer);
  }
};
