import { noneOf, type Finding } from '../checks/finding.js';
import { unexpectedFailures } from '../checks/unexpected-failures.js';
import { startCluster, type Cluster, type ClusterOptions } from '../cluster/cluster.js';
import { Load } from '../load/load.js';
import { seededRandom, type SeededRandom } from '../random/seeded-random.js';
import type { FaultOutcome, RowOptions, RowReport } from './row.js';

/** Context of a fault. */
export interface Scene {
  readonly cluster: Cluster;
  readonly load: Load;
  readonly random: SeededRandom;
  readonly rounds: number;
  readonly home: string;
  readonly say: (line: string) => void;
}

/** Load and fault of a scenario. */
export interface Plan {
  readonly row: string;
  readonly cluster: Omit<ClusterOptions, 'home'>;
  readonly writers?: number;
  readonly listeners?: number;
  /** Returns when the fault is over; the load goes on a little, then everything is checked. */
  readonly fault: (scene: Scene) => Promise<FaultOutcome>;
  /** Further checks after the last write. */
  readonly afterwards?: (cluster: Cluster) => Promise<readonly Finding[]>;
}

const WRITERS = 3;
const READY_MS = 120_000;
/** So many commands have to be acknowledged after the last fault. */
const AFTERWARDS = 10;
const AFTERWARDS_MS = 120_000;

/** Starts a cluster and its load, lets the fault happen, and checks everything afterwards. */
export const underLoad = async (options: RowOptions, plan: Plan): Promise<RowReport> => {
  const startedAt = Date.now();
  const { home, seed, rounds, say = () => undefined } = options;
  const cluster = await startCluster({ ...plan.cluster, home });
  try {
    const hears = plan.cluster.services.some((name) => name.startsWith('playback'));
    const size = { home, seed, writers: plan.writers ?? WRITERS, listeners: hears ? (plan.listeners ?? 2) : 0 };
    const load = await Load.start(cluster, size);
    const told = await plan.fault({ cluster, load, random: seededRandom(seed), rounds, home, say }).catch(async (error: unknown) => {
      // Nobody may write against a cluster that is being stopped.
      load.finish().catch(() => undefined);
      throw error;
    });
    await load.more(AFTERWARDS, AFTERWARDS_MS);
    await load.finish();
    await cluster.ready(READY_MS);
    const { findings: held, refusals, ...figures } = await load.check();
    const unclear = Object.entries(refusals).filter(([answer]) => answer.startsWith('internal'));
    const findings = [
      ...(told.findings ?? []),
      ...((await plan.afterwards?.(cluster)) ?? []),
      ...held,
      noneOf('answers that do not say what is the matter', [
        ...unclear.map(([answer, times]) => `${answer} ×${times}`),
        ...(unclear.length > 0 ? await unexpectedFailures(home) : []),
      ]),
    ];
    return {
      row: plan.row,
      seed,
      durationMs: Date.now() - startedAt,
      faults: told.faults,
      ...figures,
      findings,
      figures: { ...told.figures, refusals },
      selfExits: cluster.selfExits(),
    };
  } finally {
    await cluster.stop();
  }
};
