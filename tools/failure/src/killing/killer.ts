import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Cluster, PartName } from '../cluster/cluster.js';
import type { SeededRandom } from '../random/seeded-random.js';
import type { FaultOutcome } from '../rows/row.js';

/**
 * Process that a round may kill. The projector is the replica that holds the projection's lease, the other one (`library`, `standby`) stands by; `everything` is all processes at once, as when the power goes (though what the system has not written to the disk yet stays).
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

/** Two replicas that compete for a projection. */
export interface CompetingReplicas {
  readonly projection: string;
  readonly replicas: readonly [PartName, PartName];
}

/** The replicas of the library. */
const libraryRivals: CompetingReplicas = { projection: 'library-catalogue', replicas: ['library-1', 'library-2'] };

/** Options of a series of kills. */
export interface KillSeries {
  readonly rounds: number;
  readonly victims: readonly Victim[];
  readonly random: SeededRandom;
  /** Longest wait before a kill, ms. */
  readonly maxGapMs: number;
  /** Returns when there is work to interrupt. */
  readonly busy: () => Promise<void>;
  /** Describes the work that a kill would interrupt now; undefined when the work is over. */
  readonly interrupted: () => Promise<string | undefined>;
  readonly say?: ((line: string) => void) | undefined;
  /** Replicas that `projector` and `standby` mean; the library's by default. */
  readonly rivals?: CompetingReplicas | undefined;
}

const MAX_DOWN_MS = 1500;

/**
 * Kills one part per round at a random moment and starts it again after a random time. Every victim has its turn before one comes again;
 * the order and all times follow from the seed.
 */
export const killSeries = async (cluster: Cluster, series: KillSeries): Promise<FaultOutcome> => {
  const { random, victims, rounds, say = () => undefined } = series;
  const kills: Partial<Record<Victim, number>> = {};
  let turn: Victim[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    if (turn.length === 0) turn = random.shuffled(victims);
    const victim = turn.pop() as Victim;
    const [gapMs, downMs] = [random.between(50, series.maxGapMs), random.between(0, MAX_DOWN_MS)];
    const during = await rightMoment(series, gapMs);
    const parts = (await partsOf(cluster, victim, series.rivals ?? libraryRivals)).map((name) => cluster.part(name));
    say(`kill -9 ${victim} (${parts.map(({ name, pid }) => `${name} ${pid}`).join(', ')}), down ${downMs} ms, during: ${during}`);
    await Promise.all(parts.map((part) => part.kill()));
    kills[victim] = (kills[victim] ?? 0) + 1;
    await delay(downMs);
    await Promise.all(parts.map((part) => part.revive()));
  }
  return { faults: rounds, figures: { kills } };
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

const partsOf = async (cluster: Cluster, victim: Victim, rivals: CompetingReplicas): Promise<readonly PartName[]> => {
  if (victim === 'everything') return cluster.partNames;
  if (victim !== 'projector' && victim !== 'library' && victim !== 'standby') return [victim];
  const [first, second] = rivals.replicas;
  const owner = await projectorOf(cluster, rivals);
  return [victim === 'projector' ? owner : owner === first ? second : first];
};

/** The replica whose process id stands in the checkpoint; the first one while nobody has it. */
const projectorOf = async (cluster: Cluster, { projection, replicas: [first, second] }: CompetingReplicas): Promise<PartName> => {
  const found = await sql<{ owner: string | null }>`
    select owner from chassis.projection_checkpoint where name = ${projection} and state = 'live'`
    .execute(cluster.db)
    // Postgres may have come back a moment ago; any replica is as good then.
    .catch(() => ({ rows: [] }));
  const pid = Number(found.rows[0]?.owner?.split('/')[1]);
  return pid === cluster.part(second).pid ? second : first;
};
