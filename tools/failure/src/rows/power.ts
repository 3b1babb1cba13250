import { open, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { noneOf, type Finding } from '../checks/finding.js';
import type { PartName } from '../cluster/cluster.js';
import { PowerDisk } from '../disk/power-disk.js';
import type { RowOptions, RowReport } from './row.js';
import { underLoad, type Scene } from './under-load.js';

const SIZE_MIB = 1024;
const MAX_GAP_MS = 4000;
const READY_MS = 120_000;

/** Everything ends at once and what was not written through to the disk is gone: NATS and Postgres lie on a disk whose power is cut. */
export const allPower = async (options: RowOptions): Promise<RowReport> => {
  const disk = await PowerDisk.mount(`${options.home}.power`, SIZE_MIB);
  try {
    return await underLoad(options, {
      row: 'power',
      cluster: {
        services: ['library-1', 'library-2', 'playback-1', 'playback-2'],
        folders: { postgres: join(disk.folder, 'postgres'), nats: join(disk.folder, 'nats') },
      },
      fault: async (scene) => {
        const findings: Finding[] = [];
        for (let round = 1; round <= scene.rounds; round += 1) findings.push(...(await powerCut(scene, disk, round)));
        return { faults: scene.rounds, findings };
      },
    });
  } finally {
    await disk.end();
  }
};

const powerCut = async ({ cluster, load, random, say }: Scene, disk: PowerDisk, round: number): Promise<Finding[]> => {
  await delay(random.between(200, MAX_GAP_MS));
  await writeThrough(join(disk.folder, `written through ${round}`));
  const parts = cluster.partNames.map((name: PartName) => cluster.part(name));
  // Nobody may be told anything between the power's end and the process's.
  for (const { pid } of parts) process.kill(pid, 'SIGSTOP');
  await disk.cutPower(`not written through ${round}`);
  for (const { pid } of parts) process.kill(pid, 'SIGKILL');
  const acknowledged = load.client.acknowledged;
  await disk.restore();
  // Files beside the data are removed when the disk is back.
  await Promise.all(parts.map((part) => part.kill()));
  const left = await readdir(disk.folder);
  say(`power cut ${round} after ${acknowledged} acknowledged writes`);
  for (const part of parts) await part.revive();
  await cluster.ready(READY_MS);
  await load.more(5, READY_MS);
  const kept = await readFile(join(disk.folder, `written through ${round}`), 'utf8').catch(() => 'lost');
  return [
    noneOf(`power cut ${round}: what was written through and is gone`, kept === 'kept' ? [] : [kept]),
    noneOf(
      `power cut ${round}: what was not written through and is there all the same`,
      left.filter((name) => name === `not written through ${round}`),
    ),
  ];
};

const writeThrough = async (path: string): Promise<void> => {
  const file = await open(path, 'w');
  await file.writeFile('kept');
  await file.sync();
  await file.close();
};
