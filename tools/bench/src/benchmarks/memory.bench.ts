import { setTimeout as delay } from 'node:timers/promises';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import { treeMemory } from '../measure/memory.js';
import type { Measurement } from '../measure/report.js';

const SETTLE_MS = 10_000;

/** Measures the idle memory of the server and its children after a restart over the same data. */
export const measureIdleMemory = async (server: StandaloneProcess): Promise<Measurement[]> => {
  await delay(SETTLE_MS);
  const processes = await treeMemory(server.pid);
  const byName = Map.groupBy(processes, ({ name }) => name);
  const total = processes.reduce((sum, { pssBytes }) => sum + pssBytes, 0);
  const mb = (bytes: number): number => bytes / 1024 ** 2;
  return [
    { what: 'resident memory, all processes, idle', value: mb(total), unit: 'MB', budget: { atMost: 400 } },
    ...[...byName].map(([name, members]) => ({
      what: `of this ${name}`,
      value: mb(members.reduce((sum, { pssBytes }) => sum + pssBytes, 0)),
      unit: 'MB',
      note: `${members.length} process${members.length === 1 ? '' : 'es'}`,
    })),
  ];
};
