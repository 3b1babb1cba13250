import { readdir, readFile } from 'node:fs/promises';

/** A process and what it takes of the memory. */
export interface ProcessMemory {
  readonly pid: number;
  readonly name: string;
  /** Proportional share: pages used by several processes are divided among them. */
  readonly pssBytes: number;
}

const parentOf = async (pid: string): Promise<number | undefined> => {
  // The name in brackets may hold blanks and brackets itself.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
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
