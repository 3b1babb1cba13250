import { settled } from '../checks/library-checks.js';
import { startCluster, type Cluster } from '../cluster/cluster.js';
import { killSeries, type Kill } from '../killing/killer.js';
import { seededRandom } from '../random/seeded-random.js';
import type { Report } from '../report/report.js';
import { InsistentClient } from '../writes/insistent-client.js';
import { Listener } from './listener.js';
import { checkPlays, countsInTables, PLAYS } from './play-checks.js';
import { PlayLedger } from './play-ledger.js';

/** How to run the scenario. */
export interface KillPlays {
  readonly rounds: number;
  readonly listeners: number;
  readonly seed: number;
  /** Folder for all data of the run; emptied first. */
  readonly home: string;
  readonly onKill?: ((kill: Kill) => void) | undefined;
}

const MAX_GAP_MS = 2500;
const READY_MS = 90_000;
/** An account that two listeners use at the same time has a number from here on. */
const SHARED = 10_000;

/**
 * Listeners play, skip and send lists, and keep their own account of what was acknowledged, while playback replicas, NATS and Postgres are killed. Every
 * acknowledged play is counted once, every unacknowledged one once or not at all, as the log says, and a rebuild gives the same counts.
 */
export const killPlays = async (options: KillPlays): Promise<Report> => {
  const startedAt = Date.now();
  const cluster = await startCluster({ home: options.home, services: ['playback-1', 'playback-2'] });
  try {
    const client = new InsistentClient(cluster.commands);
    const ledger = new PlayLedger();
    const kills = await whileKilling(cluster, options, { client, ledger });
    const playedMs = Date.now() - startedAt;
    await cluster.ready(READY_MS);
    await settled(cluster, PLAYS.projection, PLAYS.stream);
    const findings = [...ledger.check(await countsInTables(cluster.db)), ...(await checkPlays(cluster))];
    const { plays, skips, unanswered } = ledger;
    const figures = { acknowledged: client.acknowledged, plays, skips, unanswered, refusals: client.refusals, playedMs };
    const { seed } = options;
    return { scenario: 'kill-plays', seed, durationMs: Date.now() - startedAt, kills, findings, figures, selfExits: cluster.selfExits() };
  } finally {
    await cluster.stop();
  }
};

const whileKilling = async (
  cluster: Cluster,
  options: KillPlays,
  { client, ledger }: { readonly client: InsistentClient; readonly ledger: PlayLedger },
): Promise<Kill[]> => {
  let over = false;
  const listeners = Array.from({ length: options.listeners }, (_, n) => {
    const tools = { client, ledger, commands: cluster.commands, random: seededRandom(options.seed * 1000 + n) };
    return new Listener(tools, { own: 1 + n, shared: SHARED + Math.floor(n / 2) });
  });
  const work = Promise.all(listeners.map((listener) => listener.run(() => over)));
  // A listener that is refused for good ends the series; it must not go on against a cluster that is being stopped.
  const refused = new AbortController();
  work.catch(() => refused.abort());
  const kills = await killSeries(cluster, {
    rounds: options.rounds,
    victims: ['projector', 'standby', 'nats', 'postgres', 'everything'],
    rivals: { projection: PLAYS.projection, replicas: ['playback-1', 'playback-2'] },
    random: seededRandom(options.seed),
    maxGapMs: MAX_GAP_MS,
    busy: () => Promise.resolve(),
    interrupted: () => Promise.resolve(`${client.acknowledged} commands acknowledged`),
    onKill: options.onKill,
    signal: refused.signal,
  });
  over = true;
  await work;
  return kills;
};
