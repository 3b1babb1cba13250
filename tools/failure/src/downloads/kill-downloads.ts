import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addCatalog } from '@continuo/contracts';
import { settled } from '../checks/library-checks.js';
import { startCluster } from '../cluster/cluster.js';
import { killSeries, type Kill } from '../killing/killer.js';
import { seededRandom } from '../random/seeded-random.js';
import type { Report } from '../report/report.js';
import { InsistentClient } from '../writes/insistent-client.js';
import { DownloadChain } from './download-chain.js';
import { checkDownloads, PODCASTS } from './download-checks.js';
import { EpisodeServer, makeShows, PUBLISHER } from './episode-server.js';

/** How to run the scenario. */
export interface KillDownloads {
  readonly rounds: number;
  /** Episodes of each podcast. */
  readonly files: number;
  /** Length of each episode, s. */
  readonly seconds: number;
  readonly seed: number;
  /** Folder for all data of the run; emptied first. */
  readonly home: string;
  readonly onKill?: ((kill: Kill) => void) | undefined;
}

/** Long enough for files to come between two kills, on a machine that has other things to do. */
const MAX_GAP_MS = 6000;
const READY_MS = 90_000;

/**
 * Downloads of episodes while workers, library, NATS and Postgres are killed. Afterwards every file is here once, bit for bit, nothing half fetched is left over, and what had
 * arrived before a kill was not fetched again.
 */
export const killDownloads = async (options: KillDownloads): Promise<Report> => {
  const startedAt = Date.now();
  const { home, files, seconds, seed, rounds } = options;
  const settings = { OUTBOUND_ALLOWED_NETWORKS: PUBLISHER, PODCAST_SYNC_MINUTES: '0' };
  const cluster = await startCluster({ home, services: ['library-1', 'social', 'ingestion', 'ingestion-2'], settings });
  const shows = await makeShows(join(home, 'shows'), files, seconds);
  const publisher = await EpisodeServer.start(shows);
  try {
    const client = new InsistentClient(cluster.commands);
    const folder = join(home, 'talks');
    await mkdir(folder);
    const { catalogId } = await client.send(addCatalog, { name: 'talks', path: folder, gatherTypes: 'podcast' });
    await settled(cluster);
    const chain = new DownloadChain({ client, db: cluster.db, publisher, catalogId, episodes: files });
    const kills = await killSeries(cluster, {
      rounds,
      victims: ['ingestion', 'ingestion-2', 'library-1', 'nats', 'postgres', 'everything'],
      random: seededRandom(seed),
      maxGapMs: MAX_GAP_MS,
      busy: () => chain.busy(),
      interrupted: () => chain.interrupted(),
      onKill: options.onKill,
    });
    await chain.finish();
    const fetchedMs = Date.now() - startedAt;
    await cluster.ready(READY_MS);
    await settled(cluster, PODCASTS.projection, PODCASTS.stream);
    const findings = await checkDownloads(cluster, chain.waves * files, folder, shows);
    const wantedBytes = chain.waves * shows.reduce((sum, { length }) => sum + length, 0);
    const { sentBytes, requests, continued } = publisher;
    const traffic = { wantedBytes, sentBytes, requests, continued };
    return {
      scenario: 'kill-downloads',
      seed,
      durationMs: Date.now() - startedAt,
      kills,
      findings,
      figures: { podcasts: chain.waves, files: chain.waves * files, ...traffic, refusals: client.refusals, fetchedMs },
      selfExits: cluster.selfExits(),
    };
  } finally {
    publisher.stop();
    await cluster.stop();
  }
};
