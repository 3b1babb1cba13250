import { startCluster, type Cluster, type ClusterOptions } from '../cluster/cluster.js';
import { seededRandom } from '../random/seeded-random.js';
import type { FaultOutcome, RowOptions, RowReport } from '../rows/row.js';
import { RetryingClient } from '../writes/retrying-client.js';
import { killSeries, type KillSeries } from './killer.js';

/** Work that kills interrupt, and its checks. */
export interface InterruptedWork extends Pick<KillSeries, 'busy' | 'interrupted'> {
  /** Returns when everything that was begun is over. */
  readonly finish: () => Promise<unknown>;
  /** Checks everything afterwards, when all services are ready again. */
  readonly check: () => Promise<Required<Omit<FaultOutcome, 'faults'>>>;
  /** Ends what the work has started besides the cluster. */
  readonly stop?: () => void;
}

/** Cluster, victims and work of a scenario. */
export interface KillPlan extends Pick<KillSeries, 'victims' | 'maxGapMs'> {
  readonly row: string;
  readonly cluster: Omit<ClusterOptions, 'home'>;
  readonly begin: (cluster: Cluster, client: RetryingClient) => Promise<InterruptedWork>;
}

const READY_MS = 90_000;

/** Starts a cluster, kills parts of it in the middle of the work, and checks everything afterwards. */
export const underKills = async ({ home, seed, rounds, say }: RowOptions, plan: KillPlan): Promise<RowReport> => {
  const startedAt = Date.now();
  const { row, victims, maxGapMs } = plan;
  const cluster = await startCluster({ ...plan.cluster, home });
  let work: InterruptedWork | undefined;
  try {
    const client = new RetryingClient(cluster.commands);
    work = await plan.begin(cluster, client);
    const { busy, interrupted } = work;
    const { faults, figures: told } = await killSeries(cluster, {
      rounds,
      victims,
      maxGapMs,
      random: seededRandom(seed),
      busy,
      interrupted,
      say,
    });
    await work.finish();
    const workedMs = Date.now() - startedAt;
    await cluster.ready(READY_MS);
    const { findings, figures } = await work.check();
    const { acknowledged: writes, refusals } = client;
    const durationMs = Date.now() - startedAt;
    return {
      row,
      seed,
      durationMs,
      faults,
      writes,
      findings,
      figures: { ...told, ...figures, refusals, workedMs },
      selfExits: cluster.selfExits(),
    };
  } finally {
    work?.stop?.();
    await cluster.stop();
  }
};
