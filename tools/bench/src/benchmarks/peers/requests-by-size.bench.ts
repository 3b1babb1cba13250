import { formatCount } from '@continuo/operations';
import { CompatClient } from '../../harness/compat-client.js';
import { startLoadGenerator, type LoadGenerator } from '../../measure/load.js';
import type { Measurement } from '../../measure/report.js';
import type { SizedServer } from '../lists.bench.js';
import { measureKind } from './request-times.js';
import { requestKinds, sampleLibrary } from './requests.js';
import { peerRows, type Cell } from './table.js';

const cellsOf = async ({ server, songs }: SizedServer, load: LoadGenerator, seconds: number): Promise<Map<string, Cell>> => {
  const client = new CompatClient(server);
  try {
    const job = { server: { url: server.url, pid: server.pid, client }, sample: await sampleLibrary(client, songs), load };
    const cells = new Map<string, Cell>();
    // There are no files behind a library that was written straight into the log.
    for (const kind of requestKinds.filter(({ isBinary }) => !isBinary))
      for (const [key, cell] of await measureKind({ ...job, durationMs: seconds * 1000 }, kind)) cells.set(key, cell);
    return cells;
  } finally {
    client.close();
  }
};

/** Measures the requests of the comparison with peers at each size; none may take more than twice as long as at the smallest. */
export const measureRequestsBySize = async (sized: readonly SizedServer[], seconds: number): Promise<Measurement[]> => {
  const load = startLoadGenerator();
  try {
    const bySize: (readonly [songs: number, Map<string, Cell>])[] = [];
    for (const one of sized) bySize.push([one.songs, await cellsOf(one, load, seconds)]);
    return compareRequests(bySize);
  } finally {
    load.stop();
  }
};

/** Rows of every size, each of the larger ones with how many times it takes the time of the smallest. */
export const compareRequests = (bySize: readonly (readonly [songs: number, ReadonlyMap<string, Cell>])[]): Measurement[] =>
  peerRows(bySize[0]?.[0] ?? 0).flatMap(({ key, what, unit, goal }) =>
    bySize.flatMap(([songs, cells], index) => {
      const [base, cell] = [bySize[0]?.[1].get(key), cells.get(key)];
      if (!cell || !base) return [];
      const label = `${what}, ${formatCount(songs)} songs`;
      const value: Measurement = { what: label, value: cell.value, unit, note: `processor ${(cell.cpuMs ?? 0).toFixed(2)} ms` };
      const times = 'atLeast' in goal ? base.value / cell.value : cell.value / base.value;
      return index === 0 ? [value] : [value, { what: `${label}, against the smallest`, value: times, unit: '×', budget: { atMost: 2 } }];
    }),
  );
