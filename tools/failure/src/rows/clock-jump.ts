import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { equal } from '../checks/finding.js';
import { FakeClock } from '../clock/fake-clock.js';
import { repository } from '../config.js';
import type { RowOptions, RowReport } from './row.js';
import { underLoad } from './under-load.js';

const HOUR_S = 3600;
const JUMPS_S = [HOUR_S, 0, -HOUR_S, 0] as const;
const STAYS_MS = 4000;
const MORE_MS = 90_000;
const SERVICES = ['library-1', 'playback-1'] as const;

/** The wall clock of a service jumps forward and back by an hour while the others' stay. */
export const clockJumps = async (options: RowOptions): Promise<RowReport> => {
  const folder = `${options.home}.clock`;
  await mkdir(folder, { recursive: true });
  const clock = await FakeClock.make(join(folder, 'offset'), join(repository, '.cache', 'libfaketime'));
  return underLoad(options, {
    row: 'clock-jump',
    cluster: {
      services: ['library-1', 'library-2', 'playback-1', 'playback-2'],
      detour: () => Promise.resolve(Object.fromEntries(SERVICES.map((name) => [name, clock.settings]))),
    },
    fault: async ({ load, rounds, say }) => {
      let jumps = 0;
      for (let round = 1; round <= rounds; round += 1) {
        for (const offsetS of JUMPS_S) {
          await clock.set(offsetS);
          say(`clocks of ${SERVICES.join(' and ')}: ${offsetS} s off`);
          jumps += 1;
          await delay(STAYS_MS);
          await load.more(10, MORE_MS);
        }
      }
      return { faults: jumps, findings: [equal('jumps that were lived through', jumps, rounds * JUMPS_S.length)] };
    },
  });
};
