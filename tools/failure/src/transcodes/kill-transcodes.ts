import { execFile } from 'node:child_process';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { addCatalog } from '@continuo/contracts';
import { sql } from 'kysely';
import { noneOf, type Finding } from '../checks/finding.js';
import { settled } from '../checks/library-checks.js';
import { startCluster, type Cluster, type ServiceName } from '../cluster/cluster.js';
import { killSeries, type Kill } from '../killing/killer.js';
import { seededRandom } from '../random/seeded-random.js';
import type { Report } from '../report/report.js';
import { scanToTheEnd } from '../scans/scan-driver.js';
import { InsistentClient } from '../writes/insistent-client.js';
import { BatchChain } from './batch-chain.js';
import { makeNoiseFiles } from './noise-files.js';
import { BATCHES, cacheContents, checkBatches, checkWhole } from './transcode-checks.js';

/** How to run the scenario. */
export interface KillTranscodes {
  readonly rounds: number;
  /** Songs of each batch. */
  readonly files: number;
  /** Length of each song, s. */
  readonly seconds: number;
  readonly seed: number;
  /** Folder for all data of the run; emptied first. */
  readonly home: string;
  readonly onKill?: ((kill: Kill) => void) | undefined;
}

const run = promisify(execFile);
const WORKERS = ['transcoding-1', 'transcoding-2', 'transcoding-3'] as const satisfies readonly ServiceName[];
const MAX_GAP_MS = 2500;
const READY_MS = 90_000;

/**
 * Batches of transcodes while workers, NATS and Postgres are killed. Afterwards every medium of every batch is done with exactly once, every finished file is
 * whole, nothing half made is left over, and no ffmpeg runs on behalf of a worker that is dead.
 */
export const killTranscodes = async (options: KillTranscodes): Promise<Report> => {
  const startedAt = Date.now();
  const cluster = await startCluster({ home: options.home, services: ['library-1', 'ingestion', ...WORKERS] });
  try {
    const client = new InsistentClient(cluster.commands);
    const songIds = await scannedNoise(cluster, client, options);
    const chain = new BatchChain(client, cluster.db, songIds);
    const kills = await killSeries(cluster, {
      rounds: options.rounds,
      victims: [...WORKERS, 'nats', 'postgres', 'everything'],
      random: seededRandom(options.seed),
      maxGapMs: MAX_GAP_MS,
      busy: () => chain.busy(),
      interrupted: () => chain.interrupted(),
      onKill: options.onKill,
    });
    await chain.finish();
    const madeMs = Date.now() - startedAt;
    await cluster.ready(READY_MS);
    await settled(cluster, BATCHES.projection, BATCHES.stream);
    const { findings, figures } = await afterwards(cluster, options, chain.batchIds.length * songIds.length);
    const { seed } = options;
    return {
      scenario: 'kill-transcodes',
      seed,
      durationMs: Date.now() - startedAt,
      kills,
      findings,
      figures: { batches: chain.batchIds.length, songs: songIds.length, ...figures, refusals: client.refusals, madeMs },
      selfExits: cluster.selfExits(),
    };
  } finally {
    await cluster.stop();
  }
};

const scannedNoise = async (cluster: Cluster, client: InsistentClient, { home, files, seconds }: KillTranscodes): Promise<number[]> => {
  const folder = join(home, 'noise');
  await makeNoiseFiles(folder, files, seconds);
  const { catalogId } = await client.send(addCatalog, { name: 'noise', path: folder });
  await scanToTheEnd(client, cluster.db, catalogId);
  await settled(cluster);
  const { rows } = await sql<{ id: number }>`select id from library.song order by id`.execute(cluster.db);
  return rows.map(({ id }) => id);
};

/** Looks at logs, tables and caches; `repeated` counts files that two workers made, which a worker's death between making and saying so can cause. */
const afterwards = async (
  cluster: Cluster,
  { home, seconds }: KillTranscodes,
  items: number,
): Promise<{ findings: Finding[]; figures: Record<string, unknown> }> => {
  const { finished, leftOver } = await cacheContents(WORKERS.map((name) => join(home, `cache of ${name}`)));
  const keys = new Set(finished.map((file) => basename(file)));
  const findings = [
    ...(await checkBatches(cluster, items)),
    await checkWhole(finished, seconds),
    noneOf('files half made and left over', leftOver),
    noneOf('ffmpeg that still runs for this cluster', await strayFfmpeg(home)),
  ];
  return { findings, figures: { transcodes: keys.size, wanted: items, repeated: finished.length - keys.size } };
};

/** Programs that still read the files of the run. */
const strayFfmpeg = async (home: string): Promise<string[]> => {
  const { stdout } = await run('ps', ['-eo', 'pid,args']);
  return stdout.split('\n').filter((line) => /\bffmpeg\b/.test(line) && line.includes(join(home, 'noise')));
};
