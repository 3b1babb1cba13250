import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { noneOf } from '../checks/finding.js';
import type { PartName } from '../cluster/cluster.js';
import { SmallDisk } from '../disk/small-disk.js';
import { until } from '../until.js';
import type { RowOptions, RowReport } from './row.js';
import { underLoad, type Scene } from './under-load.js';

const FULL_MS = 12_000;
const RECOVERED_MS = 120_000;
/** The log has to be writable again by then, without anybody's doing. */
const LOG_WRITABLE_MS = 30_000;
const SIZES_MIB = { nats: 256, postgres: 512 } as const;

/** The disk of the event log is full for a while. */
export const natsDiskFull = (options: RowOptions): Promise<RowReport> => diskFull(options, 'nats');

/** The disk of the database is full for a while. */
export const postgresDiskFull = (options: RowOptions): Promise<RowReport> => diskFull(options, 'postgres');

const diskFull = async (options: RowOptions, server: 'nats' | 'postgres'): Promise<RowReport> => {
  const disk = await SmallDisk.mount(`${options.home}.small`, SIZES_MIB[server]);
  try {
    return await underLoad(options, {
      row: `disk-full-${server}`,
      cluster: {
        services: ['library-1', 'library-2', 'playback-1', 'playback-2'],
        folders: { [server]: join(disk.folder, server) },
        // The services see the disk of the log, as those of the standalone do.
        ...(server === 'nats' ? { settings: { EVENT_LOG_FOLDER: disk.folder } } : {}),
      },
      fault: async (scene) => {
        const told: Recovery[] = [];
        for (let round = 1; round <= scene.rounds; round += 1) told.push(await fillAndEmpty(scene, disk, server));
        const late = told.filter(({ isRestarted, recoveredMs }) => isRestarted || recoveredMs > LOG_WRITABLE_MS);
        const findings =
          server === 'nats'
            ? [
                noneOf(
                  'rounds after which the log was not writable again by itself within 30 s',
                  late.map((one) => JSON.stringify(one)),
                ),
              ]
            : [];
        return { faults: scene.rounds, figures: { rounds: told }, findings };
      },
    });
  } finally {
    await disk.end();
  }
};

interface Recovery {
  /** Acknowledged while the disk was full. */
  readonly whileFull: number;
  /** It did not go on by itself. */
  readonly isRestarted: boolean;
  readonly recoveredMs: number;
}

const fillAndEmpty = async ({ cluster, load, say }: Scene, disk: SmallDisk, server: PartName): Promise<Recovery> => {
  const before = load.client.acknowledged;
  await disk.fill();
  say(`${server}'s disk is full after ${before} acknowledged writes`);
  await delay(FULL_MS);
  const whileFull = load.client.acknowledged - before;
  await disk.empty();
  const emptyAt = performance.now();
  // Where a server has ended, or has to be started again to write, that is what whoever keeps it running does.
  const isRestarted = !(await goesOn(load.client)) && (await restart(cluster, server));
  await load.more(5, RECOVERED_MS);
  const recoveredMs = Math.round(performance.now() - emptyAt);
  say(`${whileFull} acknowledged meanwhile, ${isRestarted ? 'restarted' : 'went on by itself'} after ${recoveredMs} ms`);
  // The disk counts, not the memory of the server.
  await restart(cluster, server);
  await load.more(5, RECOVERED_MS);
  return { whileFull, isRestarted, recoveredMs };
};

const GOES_ON_MS = 30_000;

const goesOn = async (client: { readonly acknowledged: number }): Promise<boolean> => {
  const before = client.acknowledged;
  try {
    await until('somebody is acknowledged something', GOES_ON_MS, () => Promise.resolve(client.acknowledged > before + 1));
    return true;
  } catch {
    return false;
  }
};

const restart = async (cluster: Scene['cluster'], server: PartName): Promise<true> => {
  await cluster.part(server).kill();
  await cluster.part(server).revive();
  return true;
};
