import { equal, type Finding } from '../checks/finding.js';
import { checkLibrary, libraryPosition, settled } from '../checks/library-checks.js';
import { checkAgainstDisk, checkMoves, songsOf } from '../checks/tables.js';
import { startCluster, type Cluster } from '../cluster/cluster.js';
import { makeMusic } from '../disk/music.js';
import { killSeries, type Kill } from '../killing/killer.js';
import { seededRandom } from '../random/seeded-random.js';
import type { Report } from '../report/report.js';
import { InsistentClient } from '../writes/insistent-client.js';
import { ScanChain, type ScannedFolder } from './scan-chain.js';
import { scanToTheEnd, type ScanOutcome } from './scan-driver.js';

/** How to run the scenario. */
export interface KillScan {
  readonly rounds: number;
  /** Media files of each scan. */
  readonly files: number;
  readonly seed: number;
  /** Folder for all data of the run; emptied first. */
  readonly home: string;
  /** Folder in which generated music is kept for later runs. */
  readonly musicFolder: string;
  readonly onKill?: ((kill: Kill) => void) | undefined;
}

const MAX_GAP_MS = 4000;
/** A small scan is over soon. */
const GAP_MS_PER_FILE = 2;
const LOOK_MS = 90_000;
const MUSIC_SEED = 11;

/**
 * Scans folders of real files while ingestion, library replicas, NATS and Postgres are killed one after the other. When a scan ends before
 * the last round, the next one follows, so that every kill meets a scan: by turns a new catalog with the same files, and a second scan of a
 * catalog in which files were moved, deleted and replaced meanwhile.
 */
export const killScan = async (options: KillScan): Promise<Report> => {
  const music = await makeMusic(options.musicFolder, options.files, MUSIC_SEED);
  const startedAt = Date.now();
  const cluster = await startCluster({ home: options.home, services: ['library-1', 'library-2', 'ingestion', 'ingestion-2', 'social'] });
  try {
    const client = new InsistentClient(cluster.commands);
    const random = seededRandom(options.seed);
    const scans = new ScanChain({ cluster, client, music, home: options.home, random: seededRandom(options.seed + 1) });
    const kills = await killSeries(cluster, {
      rounds: options.rounds,
      victims: ['ingestion', 'ingestion-2', 'projector', 'library', 'nats', 'postgres', 'everything'],
      random,
      maxGapMs: Math.min(MAX_GAP_MS, options.files * GAP_MS_PER_FILE),
      busy: () => scans.busy(),
      interrupted: () => scans.interrupted(),
      onKill: options.onKill,
    });
    const { catalogs, outcomes } = await scans.finish();
    const scannedMs = Date.now() - startedAt;
    await cluster.ready(LOOK_MS);
    await settled(cluster);
    const findings = [
      ...(await checkCatalogs(cluster, catalogs)),
      ...(await checkLibrary(cluster)),
      await checkRescan(cluster, client, catalogs),
    ];
    const figures = { filesPerScan: options.files, ...figuresOf(catalogs, outcomes), refusals: client.refusals, scannedMs };
    return {
      scenario: 'kill-scan',
      seed: options.seed,
      durationMs: Date.now() - startedAt,
      kills,
      findings,
      figures,
      selfExits: cluster.selfExits(),
    };
  } finally {
    await cluster.stop();
  }
};

const checkCatalogs = async (cluster: Cluster, catalogs: readonly ScannedFolder[]): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const { catalogId, files, altered } of catalogs) {
    const name = `catalog ${catalogId}`;
    const songs = await songsOf(cluster.db, catalogId);
    findings.push(...checkAgainstDisk(name, songs, files));
    if (altered) findings.push(checkMoves(name, altered.songsBefore, songs, altered.origins));
  }
  return findings;
};

/** A second scan of what is unchanged must add nothing to the library's log. */
const checkRescan = async (cluster: Cluster, client: InsistentClient, catalogs: readonly ScannedFolder[]): Promise<Finding> => {
  const before = await libraryPosition(cluster);
  for (const { catalogId } of catalogs) await scanToTheEnd(client, cluster.db, catalogId);
  return equal('rescan: last position of the library log', await libraryPosition(cluster), before);
};

const figuresOf = (catalogs: readonly ScannedFolder[], outcomes: readonly ScanOutcome[]): Record<string, unknown> => ({
  scans: outcomes.length,
  catalogs: catalogs.length,
  files: catalogs.reduce((sum, catalog) => sum + catalog.files.length, 0),
  alterations: catalogs.flatMap((catalog) => (catalog.altered ? [catalog.altered.done] : [])),
  scanMs: outcomes.map((outcome) => outcome.durationMs),
  resubmittedBecause: outcomes.flatMap((outcome) => outcome.failedWith),
});
