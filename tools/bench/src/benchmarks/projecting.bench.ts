import { setTimeout as delay } from 'node:timers/promises';
import { projectionStates, requestRebuild, type Session } from '@continuo/operations';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import { withCpu } from '../measure/memory.js';
import type { Measurement } from '../measure/report.js';

const CATALOGUE = 'library-catalogue';

/** Waits until the generation under construction has reached the end of the log; answers how long that took, ms. */
const untilBuilt = async (session: Session, signal: AbortSignal): Promise<number> => {
  const started = performance.now();
  let seen = false;
  while (!signal.aborted) {
    const building = (await projectionStates(session)).find((state) => state.name === CATALOGUE && state.state === 'building');
    if (building?.lagEvents === 0) return performance.now() - started;
    if (seen && !building) break;
    seen ||= building !== undefined;
    await delay(50);
  }
  return performance.now() - started;
};

/** Fills fresh tables from the whole log and compares them with the live ones. Events per second are counted without the comparison. */
export const measureProjecting = async (
  { session, pid }: StandaloneProcess,
  library: { events: number; songs: number },
): Promise<Measurement[]> => {
  const done = new AbortController();
  const building = untilBuilt(session, done.signal);
  const { result: report, cpuMs } = await withCpu(pid, () =>
    requestRebuild(session, CATALOGUE, { mode: 'verify' }).finally(() => done.abort()),
  );
  const seconds = (await building) / 1000;
  return [
    {
      what: 'projecting',
      value: library.events / seconds,
      unit: 'events/s',
      note: `${library.events} folder events with ${library.songs} songs`,
    },
    { what: 'projecting', value: library.songs / seconds, unit: 'songs/s', budget: { atLeast: 16_667 } },
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
