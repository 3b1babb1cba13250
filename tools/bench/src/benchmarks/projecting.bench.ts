import { requestRebuild } from '@continuo/operations';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import { withCpu } from '../measure/memory.js';
import type { Measurement } from '../measure/report.js';

const CATALOGUE = 'library-catalogue';

/** Fills fresh tables from the whole log and compares them with the live ones. Songs per second are counted until the tables are whole, with sums and indexes. */
export const measureProjecting = async (
  { session, pid }: StandaloneProcess,
  library: { events: number; songs: number },
): Promise<Measurement[]> => {
  const { result: report, cpuMs } = await withCpu(pid, () => requestRebuild(session, CATALOGUE, { mode: 'verify' }));
  const seconds = report.builtMs / 1000;
  return [
    {
      what: 'projecting',
      value: library.songs / seconds,
      unit: 'songs/s',
      budget: { atLeast: 16_667 },
      note: `${library.songs} songs in ${library.events} folder events`,
    },
    { what: 'rebuild with comparison', value: report.durationMs / 1000, unit: 's', note: `processor ${(cpuMs / 1000).toFixed(1)} s` },
    {
      what: 'tables that differ after the rebuild',
      value: report.differing.length,
      unit: 'tables',
      budget: { atMost: 0 },
      note: report.differing.join(', '),
    },
  ];
};
