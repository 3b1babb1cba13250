import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { equal, noneOf } from '../checks/finding.js';
import type { Cluster } from '../cluster/cluster.js';
import { retryUntil, until } from '../until.js';
import type { FaultOutcome, RowOptions, RowReport } from './row.js';
import { underLoad, type Scene } from './under-load.js';

const AWAY_MS = 2000;
const REBUILT_MS = 180_000;
const LOOK_MS = 60_000;
const PROJECTIONS = ['library-catalogue', 'playback-plays'];

/** Postgres is gone for good: its folder is thrown away and an empty server takes its place. Everything comes back from the streams, without anybody's doing. */
export const postgresLost = (options: RowOptions): Promise<RowReport> =>
  underLoad(options, {
    row: 'postgres-lost',
    cluster: { services: ['library-1', 'library-2', 'playback-1', 'playback-2', 'social'] },
    fault: loseIt,
  });

const loseIt = async ({ cluster, load, rounds, home, say }: Scene): Promise<FaultOutcome> => {
  const rebuiltMs: number[] = [];
  const differing: string[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const before = await numbersOfCatalogs(cluster);
    await cluster.part('postgres').kill();
    // Processes of the killed server may still write for a moment: they do so where their folder went.
    await rename(join(home, 'postgres'), join(home, `postgres-lost-${round}`));
    await delay(AWAY_MS);
    const emptyAt = performance.now();
    await cluster.part('postgres').revive();
    say(`an empty Postgres after ${load.client.acknowledged} acknowledged writes`);
    await cluster.ready(REBUILT_MS);
    for (const projection of PROJECTIONS) await caughtUp(cluster, projection);
    rebuiltMs.push(Math.round(performance.now() - emptyAt));
    say(`rebuilt after ${rebuiltMs.at(-1)} ms`);
    await load.more(5, REBUILT_MS);
    const after = await allOf(cluster, before);
    for (const [path, id] of before) if (after.get(path) !== id) differing.push(`${path} was ${id}, is ${after.get(path)}`);
  }
  const findings = [
    equal('times that everything came back', rebuiltMs.length, rounds),
    noneOf('catalogs under another number than before', differing),
  ];
  return { faults: rounds, findings, figures: { rebuiltMs } };
};

const numbersOfCatalogs = (cluster: Cluster): Promise<Map<string, number>> =>
  retryUntil('the catalogs', LOOK_MS, async () => {
    const { rows } = await sql<{ id: number; path: string }>`select id, path from library.catalog`.execute(cluster.db);
    return new Map(rows.map(({ id, path }) => [path, id]));
  });

/** The numbers that there are when everything that was there is there again. */
const allOf = async (cluster: Cluster, before: ReadonlyMap<string, number>): Promise<Map<string, number>> => {
  let after = new Map<string, number>();
  await until('every catalog is there again', REBUILT_MS, async () => {
    after = await numbersOfCatalogs(cluster);
    return [...before.keys()].every((path) => after.has(path));
  }).catch(() => undefined);
  return after;
};

/** Readers see its tables again. */
const caughtUp = ({ db }: Cluster, projection: string): Promise<void> =>
  until(`${projection} is there again`, REBUILT_MS, async () => {
    const { rows } = await sql<{ live: boolean }>`
      select true as live from chassis.projection_checkpoint where name = ${projection} and state = 'live'`.execute(db);
    return rows.length > 0;
  });
