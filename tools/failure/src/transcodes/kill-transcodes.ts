import { execFile } from 'node:child_process';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { addCatalog } from '@continuo/contracts';
import { sql } from 'kysely';
import { equal, noneOf, type Finding } from '../checks/finding.js';
import { settled } from '../checks/library-checks.js';
import type { Cluster, ServiceName } from '../cluster/cluster.js';
import { underKills } from '../killing/under-kills.js';
import type { RowOptions, RowReport } from '../rows/row.js';
import { scanToTheEnd } from '../scans/scan-driver.js';
import type { RetryingClient } from '../writes/retrying-client.js';
import { BatchChain } from './batch-chain.js';
import { makeNoiseFiles } from './noise-files.js';
import { BATCHES, cacheContents, checkBatches, checkWhole } from './transcode-checks.js';

const run = promisify(execFile);
const WORKERS = ['transcoding-1', 'transcoding-2', 'transcoding-3'] as const satisfies readonly ServiceName[];
const MAX_GAP_MS = 2500;

/**
 * Batches of transcodes while workers, NATS and Postgres are killed. Afterwards every medium of every batch is done with exactly once, every finished file is
 * whole, nothing half made is left over, and no ffmpeg runs on behalf of a worker that is dead.
 */
export const killTranscodes = (options: RowOptions): Promise<RowReport> => {
  const { home, isShort } = options;
  const noise = isShort ? { home, files: 6, seconds: 30 } : { home, files: 12, seconds: 60 };
  return underKills(options, {
    row: 'kill-transcodes',
    cluster: { services: ['library-1', 'ingestion', ...WORKERS] },
    victims: [...WORKERS, 'nats', 'postgres', 'everything'],
    maxGapMs: MAX_GAP_MS,
    begin: async (cluster, client) => {
      const songIds = await scannedNoise(cluster, client, noise);
      const chain = new BatchChain(client, cluster.db, songIds);
      return {
        busy: () => chain.busy(),
        interrupted: () => chain.interrupted(),
        finish: () => chain.finish(),
        check: async () => {
          await settled(cluster, BATCHES.projection, BATCHES.stream);
          const batches = chain.batchIds.length;
          const { findings, figures } = await afterwards(cluster, noise, batches * songIds.length);
          return { findings, figures: { batches, songs: songIds.length, ...figures } };
        },
      };
    },
  });
};

/** Songs to transcode. */
interface Noise {
  readonly home: string;
  /** Songs of each batch. */
  readonly files: number;
  /** Length of each song, s. */
  readonly seconds: number;
}

const scannedNoise = async (cluster: Cluster, client: RetryingClient, { home, files, seconds }: Noise): Promise<number[]> => {
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
  { home, seconds }: Noise,
  items: number,
): Promise<{ findings: Finding[]; figures: Record<string, unknown> }> => {
  const { finished, leftOver } = await cacheContents(WORKERS.map((name) => join(home, `cache of ${name}`)));
  const keys = new Set(finished.map((file) => basename(file)));
  const findings = [
    ...(await checkBatches(cluster, items)),
    equal('media of the batches that are made', keys.size, items),
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
