import { setTimeout as delay } from 'node:timers/promises';
import { treeCpuMs, treePssBytes, withCpu, withTreePeak } from '../../measure/memory.js';
import { median } from '../../measure/stats.js';
import type { ProductProcess } from './product-process.js';
import type { Cell } from './table.js';

/** A server has settled when it takes less than this share of a core, or after the longest time. */
const SETTLED = { core: 0.2, longestMs: 300_000, windowMs: 1000 } as const;
const MEBIBYTE = 1024 ** 2;

/** Waits until a server has done what it does after a scan. */
export const untilSettled = async (pid: number): Promise<void> => {
  let before = await treeCpuMs(pid);
  for (let waited = 0; waited < SETTLED.longestMs; waited += SETTLED.windowMs) {
    await delay(SETTLED.windowMs);
    const now = await treeCpuMs(pid);
    if (now - before < SETTLED.core * SETTLED.windowMs) return;
    before = now;
  }
};

interface ScanStatus {
  readonly scanStatus: { readonly scanning: boolean; readonly count?: number };
}

/** A scan that nobody saw running was over before the first look. */
const SEEN_WITHIN_MS = 500;
/** Counts may follow the end of the scan: it has ended when they have not changed for so long. */
const STABLE_MS = 1000;

/** Time of a scan from the request to the first moment at which it is over and all songs are counted. @throws Error when it finds none */
const timeScan = async ({ client }: ProductProcess): Promise<{ readonly ms: number; readonly count: number }> => {
  const started = performance.now();
  await client.call('startScan');
  let [seen, stableSince, count] = [false, 0, -1];
  for (;;) {
    const elapsed = performance.now() - started;
    const { scanning, count: counted = 0 } = (await client.json<ScanStatus>('getScanStatus')).scanStatus;
    seen ||= scanning || elapsed > SEEN_WITHIN_MS;
    if (scanning || counted !== count) {
      stableSince = elapsed;
      count = counted;
    } else if (seen && elapsed - stableSince > STABLE_MS) {
      if (count === 0) throw new Error('the scan found no songs');
      return { ms: stableSince, count };
    }
    // Looks must neither cost much of a long scan nor miss the end of a short one.
    await delay(Math.min(250, Math.max(5, elapsed / 50)));
  }
};

/** Cells of the first scan, of later ones and of the rest after them, and the songs found. */
export interface ScanCells {
  readonly songs: number;
  readonly cells: Readonly<Record<'first' | 'rescan' | 'idle' | 'memory' | 'peak', Cell>>;
}

const RESCANS = 3;
/** After scans servers clear up once: Postgres looks for changed tables each minute, and vacuums all of the first scan then. What they take at rest begins after so many times as long as it is measured. */
const CLEARED_UP_AFTER = 4;

/** Measures scans of a server that has seen none, and what it takes when nobody asks anything for `idleMs`. */
export const measureScans = async (server: ProductProcess, idleMs: number): Promise<ScanCells> => {
  const { pid } = server;
  await untilSettled(pid);
  const scanned = await withCpu(pid, () =>
    withTreePeak(pid, async () => {
      const timed = await timeScan(server);
      await untilSettled(pid);
      return timed;
    }),
  );
  const { cpuMs: firstCpuMs, result } = scanned;
  const [first, peak] = [result.result, result.peakBytes];
  const again: Cell[] = [];
  for (let round = 0; round < RESCANS; round += 1) {
    const { result: rescan, cpuMs } = await withCpu(pid, () => timeScan(server));
    again.push({ value: rescan.count / (rescan.ms / 1000), cpuMs: cpuMs / rescan.count });
  }
  await untilSettled(pid);
  await delay(CLEARED_UP_AFTER * idleMs);
  const resting = await withCpu(pid, () => delay(idleMs));
  const memory = (await treePssBytes(pid)) / MEBIBYTE;
  const rescan = median(again.map(({ value }) => value));
  return {
    songs: first.count,
    cells: {
      first: { value: first.count / (first.ms / 1000), cpuMs: firstCpuMs / first.count, memoryMb: peak / MEBIBYTE },
      rescan: again.find(({ value }) => value === rescan) ?? { value: rescan },
      idle: { value: (resting.cpuMs / idleMs) * 100 },
      memory: { value: memory },
      peak: { value: peak / MEBIBYTE },
    },
  };
};
