import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Cluster, PartName } from '../cluster/cluster.js';
import type { SeededRandom } from '../random/seeded-random.js';

/**
 * What a round may kill. The projector is the replica that owns the projection at that moment, the other one (`library`, `standby`) stands by; `everything` is all processes at once, as when the power goes (though what the system has not written to the disk yet stays).
 */
export type Victim =
  | 'ingestion'
  | 'ingestion-2'
  | 'library-1'
  | 'projector'
  | 'library'
  | 'standby'
  | 'nats'
  | 'postgres'
  | 'everything'
  | `transcoding-${1 | 2 | 3}`;

/** One kill. Times in milliseconds. */
export interface Kill {
  readonly round: number;
  readonly victim: Victim;
  readonly parts: readonly PartName[];
  readonly pids: readonly number[];
  /** After the start of the series. */
  readonly atMs: number;
  readonly downMs: number;
  /** What was going on, as the scenario puts it. */
  readonly during: string;
}

/** Two replicas that compete for a projection. */
export interface Rivals {
  readonly projection: string;
  readonly replicas: readonly [PartName, PartName];
}

/** The replicas of the library. */
const libraryRivals: Rivals = { projection: 'library-catalogue', replicas: ['library-1', 'library-2'] };

/** How a series of kills goes. */
export interface KillSeries {
  readonly rounds: number;
  readonly victims: readonly Victim[];
  readonly random: SeededRandom;
  /** Longest wait before a kill, ms. */
  readonly maxGapMs: number;
  /** Returns when there is work to interrupt. */
  readonly busy: () => Promise<void>;
  /** What a kill would interrupt at this moment; undefined when the work is over. */
  readonly interrupted: () => Promise<string | undefined>;
  readonly onKill?: ((kill: Kill) => void) | undefined;
  /** Whom `projector` and `standby` mean; the library's replicas when nothing is said. */
  readonly rivals?: Rivals;
  /** Ends the series early, between two rounds. */
  readonly signal?: AbortSignal;
}

const MAX_DOWN_MS = 1500;

/**
 * Kills one part per round at a random moment and starts it again after a random time. Every victim has its turn before one comes again;
 * the order and all times follow from the seed.
 */
export const killSeries = async (cluster: Cluster, series: KillSeries): Promise<Kill[]> => {
  const { random, victims } = series;
  const startedAt = Date.now();
  const kills: Kill[] = [];
  let turn: Victim[] = [];
  for (let round = 1; round <= series.rounds && !series.signal?.aborted; round += 1) {
    if (turn.length === 0) turn = random.shuffled(victims);
    const victim = turn.pop() as Victim;
    const [gapMs, downMs] = [random.between(50, series.maxGapMs), random.between(0, MAX_DOWN_MS)];
    const during = await rightMoment(series, gapMs);
    const names = await partsOf(cluster, victim, series.rivals ?? libraryRivals);
    const parts = names.map((name) => cluster.part(name));
    const kill: Kill = { round, victim, parts: names, pids: parts.map(({ pid }) => pid), atMs: Date.now() - startedAt, downMs, during };
    await Promise.all(parts.map((part) => part.kill()));
    series.onKill?.(kill);
    kills.push(kill);
    await delay(downMs);
    await Promise.all(parts.map((part) => part.revive()));
  }
  return kills;
};

/** Waits for the moment of a kill; one that would come after the work's end comes earlier in the next piece of work. */
const rightMoment = async (series: KillSeries, gapMs: number): Promise<string> => {
  for (let waitMs = gapMs; ; waitMs /= 2) {
    await series.busy();
    await delay(waitMs);
    const during = await series.interrupted();
    if (during !== undefined) return during;
  }
};

const partsOf = async (cluster: Cluster, victim: Victim, rivals: Rivals): Promise<readonly PartName[]> => {
  if (victim === 'everything') return cluster.partNames;
  if (victim !== 'projector' && victim !== 'library' && victim !== 'standby') return [victim];
  const [first, second] = rivals.replicas;
  const owner = await projectorOf(cluster, rivals);
  return [victim === 'projector' ? owner : owner === first ? second : first];
};

/** The replica whose process id stands in the checkpoint; the first one while nobody has it. */
const projectorOf = async (cluster: Cluster, { projection, replicas: [first, second] }: Rivals): Promise<PartName> => {
  const found = await sql<{ owner: string | null }>`
    select owner from chassis.projection_checkpoint where name = ${projection} and state = 'live'`
    .execute(cluster.db)
    // Postgres may have come back a moment ago; any replica is as good then.
    .catch(() => ({ rows: [] }));
  const pid = Number(found.rows[0]?.owner?.split('/')[1]);
  return pid === cluster.part(second).pid ? second : first;
};
