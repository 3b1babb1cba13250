import { removeCatalog, type CatalogId } from '@continuo/contracts';
import type { Manifest } from '@continuo/media-fixtures';
import { newCatalog, scanCatalog } from '../harness/library.js';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import { startWorkerProcess } from '../harness/worker-process.js';
import { treeMemory, withCpu } from '../measure/memory.js';
import type { Measurement } from '../measure/report.js';

/** A folder of generated files. */
export interface ScannedFiles {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Where growth is not linear, the larger folder takes more for each file than this many times what the smaller one takes. */
const MAX_GROWTH = 1.5;

interface Scanned {
  readonly catalogId: CatalogId;
  readonly firstPerSecond: number;
  readonly againPerSecond: number;
  /** Processor time of the server and its databases for each file of the first scan, ms: what a busy machine does not change. */
  readonly firstCpuMs: number;
  readonly againCpuMs: number;
}

const scanned = async ({ session, pid }: StandaloneProcess, { folder, manifest }: ScannedFiles, name: string): Promise<Scanned> => {
  const catalogId = await newCatalog(session, name, folder);
  const once = async (): Promise<{ perSecond: number; cpuMs: number }> => {
    const started = performance.now();
    const { result, cpuMs } = await withCpu(pid, () => scanCatalog(session, catalogId));
    const { songs_added: added, songs_changed: changed, files_seen: seen } = result;
    if (seen !== manifest.songs || changed > 0)
      throw new Error(`the scan saw ${seen} files of ${manifest.songs}, ${added} new, ${changed} changed`);
    return { perSecond: manifest.songs / ((performance.now() - started) / 1000), cpuMs: cpuMs / manifest.songs };
  };
  const [first, again] = [await once(), await once()];
  return {
    catalogId,
    firstPerSecond: first.perSecond,
    againPerSecond: again.perSecond,
    firstCpuMs: first.cpuMs,
    againCpuMs: again.cpuMs,
  };
};

const forget = async ({ session }: StandaloneProcess, catalogId: CatalogId): Promise<void> => {
  const { positions } = await session.commands.send(removeCatalog, { catalogId }, session.context(), { timeoutMs: 60_000 });
  await session.watch.waitFor(positions, 60_000);
};

const memoryMb = async (pid: number): Promise<{ node: number; all: number }> => {
  const processes = await treeMemory(pid);
  const sum = (of: readonly { pssBytes: number }[]): number => of.reduce((total, { pssBytes }) => total + pssBytes, 0) / 1e6;
  return { node: sum(processes.filter((one) => one.pid === pid)), all: sum(processes) };
};

/** The same files scanned for the first time by one worker, and by two that share them; what memory is held afterwards. */
export const measureScanWorkers = async (server: StandaloneProcess, files: ScannedFiles): Promise<Measurement[]> => {
  const one = await scanned(server, files, 'One worker');
  await forget(server, one.catalogId);
  const second = await startWorkerProcess(server, { CONTINUO_DATA: server.dataFolder }, 'ingestion');
  try {
    const two = await scanned(server, files, 'Two workers');
    const [first, helper] = [await memoryMb(server.pid), await memoryMb(second.pid)];
    await forget(server, two.catalogId);
    return [
      {
        what: 'first scan, one worker',
        value: one.firstPerSecond,
        unit: 'files/s',
        budget: { atLeast: 500 },
        note: `${files.manifest.songs} files`,
      },
      { what: 'first scan, two workers', value: two.firstPerSecond, unit: 'files/s', budget: { atLeast: 500 } },
      { what: 'rescan, one worker', value: one.againPerSecond, unit: 'files/s', budget: { atLeast: 20_000 } },
      {
        what: 'memory of the server after it, its own process',
        value: first.node,
        unit: 'MB',
        note: `${Math.round(first.all)} MB with Postgres and NATS`,
      },
      { what: 'memory of the second worker after it', value: helper.node, unit: 'MB' },
    ];
  } finally {
    await second.stop();
  }
};

/** A folder, and one of ten times as many files: what a file costs in each. */
export const measureScanGrowth = async (server: StandaloneProcess, small: ScannedFiles, large: ScannedFiles): Promise<Measurement[]> => {
  const little = await scanned(server, small, 'Small');
  await forget(server, little.catalogId);
  const much = await scanned(server, large, 'Large');
  const memory = await memoryMb(server.pid);
  const growth = (part: 'firstCpuMs' | 'againCpuMs'): number => much[part] / little[part];
  const cost = (part: 'firstCpuMs' | 'againCpuMs'): string => `${little[part].toFixed(2)} and ${much[part].toFixed(2)} ms`;
  return [
    { what: `first scan of ${small.manifest.songs} files`, value: little.firstPerSecond, unit: 'files/s', budget: { atLeast: 500 } },
    { what: `first scan of ${large.manifest.songs} files`, value: much.firstPerSecond, unit: 'files/s', budget: { atLeast: 500 } },
    {
      what: 'processor time of a file in the larger one',
      value: growth('firstCpuMs'),
      unit: 'times',
      budget: { atMost: MAX_GROWTH },
      note: cost('firstCpuMs'),
    },
    { what: `rescan of ${large.manifest.songs} files`, value: much.againPerSecond, unit: 'files/s', budget: { atLeast: 20_000 } },
    {
      what: 'processor time of a file in the larger rescan',
      value: growth('againCpuMs'),
      unit: 'times',
      budget: { atMost: MAX_GROWTH },
      note: cost('againCpuMs'),
    },
    {
      what: 'memory of the server after it, its own process',
      value: memory.node,
      unit: 'MB',
      note: `${Math.round(memory.all)} MB with Postgres and NATS`,
    },
  ];
};
