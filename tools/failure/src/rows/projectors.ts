import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { equal, noneOf } from '../checks/finding.js';
import type { Cluster, PartName } from '../cluster/cluster.js';
import { until } from '../until.js';
import type { FaultOutcome, RowOptions, RowReport } from './row.js';
import { underLoad, type Scene } from './under-load.js';

const LIBRARY = 'library-catalogue';
const REPLICAS = ['library-1', 'library-2'] as const;
const READY_MS = 120_000;
/** Time until another replica takes over from an owner that hangs, ms. */
const TAKEOVER_MS = 90_000;
const TRIES = 200;
const BETWEEN_TRIES_MS = 15;

/** The projector dies; every third time both replicas do. */
export const projectorsDie = (options: RowOptions): Promise<RowReport> =>
  underLoad(options, {
    row: 'projectors',
    cluster: { services: [...REPLICAS] },
    fault: async ({ cluster, load, random, rounds, say }) => {
      for (let round = 1; round <= rounds; round += 1) {
        const victims = round % 3 === 0 ? REPLICAS : [(await ownerOf(cluster)) ?? 'library-1'];
        await Promise.all(victims.map((name) => cluster.part(name).kill()));
        say(`killed ${victims.join(' and ')}`);
        await delay(random.between(0, 1500));
        await Promise.all(victims.map((name) => cluster.part(name).revive()));
        await cluster.ready(READY_MS);
        await load.more(3, READY_MS);
      }
      return { faults: rounds };
    },
  });

/** The projector stands still in the middle of a transaction, another one takes over, and the first one comes back. */
export const projectorPaused = (options: RowOptions): Promise<RowReport> =>
  underLoad(options, { row: 'projector-paused', cluster: { services: [...REPLICAS] }, fault: pauseProjectors });

const pauseProjectors = async ({ cluster, load, rounds, say }: Scene): Promise<FaultOutcome> => {
  const takeovers: number[] = [];
  let inTransaction = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const { name, pid, isInTransaction } = await pausedProjector(cluster);
    inTransaction += isInTransaction ? 1 : 0;
    const pausedAt = performance.now();
    try {
      await until('another replica has taken over', TAKEOVER_MS, async () => {
        const owner = await ownerOf(cluster);
        return owner !== undefined && owner !== name;
      });
      takeovers.push(Math.round(performance.now() - pausedAt));
      say(`${name} (${pid}) paused${isInTransaction ? ' in a transaction' : ''}, taken over after ${takeovers.at(-1)} ms`);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await load.more(3, READY_MS);
    await cluster.ready(READY_MS);
  }
  const fences = await fenceOf(cluster);
  return {
    faults: rounds,
    findings: [
      equal('pauses that ended with a takeover', takeovers.length, rounds),
      noneOf('takeovers without a higher fence', fences > rounds ? [] : [`fence ${fences} after ${rounds} takeovers`]),
    ],
    figures: { inTransaction, takeoverMs: takeovers },
  };
};

/** Stops the projector, if it can be met there within a transaction. */
const pausedProjector = async (cluster: Cluster): Promise<{ name: PartName; pid: number; isInTransaction: boolean }> => {
  for (let attempt = 1; ; attempt += 1) {
    const name = (await ownerOf(cluster)) ?? 'library-1';
    const { pid } = cluster.part(name);
    process.kill(pid, 'SIGSTOP');
    // Queries are answered by now; an open transaction belongs to the paused projector.
    await delay(BETWEEN_TRIES_MS);
    const isInTransaction = await hasOpenTransaction(cluster);
    if (isInTransaction || attempt === TRIES) return { name, pid, isInTransaction };
    process.kill(pid, 'SIGCONT');
    await delay(BETWEEN_TRIES_MS);
  }
};

const hasOpenTransaction = async ({ db }: Cluster): Promise<boolean> => {
  const { rows } = await sql<{ open: number }>`select count(*)::int as open from pg_stat_activity
    where application_name = 'continuo-library-projections' and state like 'idle in transaction%'`.execute(db);
  return (rows[0]?.open ?? 0) > 0;
};

/** The replica whose process id stands in the checkpoint. */
const ownerOf = async (cluster: Cluster): Promise<(typeof REPLICAS)[number] | undefined> => {
  const { rows } = await sql<{ owner: string | null }>`
    select owner from chassis.projection_checkpoint where name = ${LIBRARY} and state = 'live'`.execute(cluster.db);
  const pid = Number(rows[0]?.owner?.split('/')[1]);
  return REPLICAS.find((name) => cluster.part(name).pid === pid);
};

const fenceOf = async ({ db }: Cluster): Promise<number> => {
  const { rows } = await sql<{ fence: number }>`
    select fence from chassis.projection_checkpoint where name = ${LIBRARY} and state = 'live'`.execute(db);
  return rows[0]?.fence ?? 0;
};
