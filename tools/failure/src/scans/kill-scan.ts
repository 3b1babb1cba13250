import { dirname } from 'node:path';
import { equal, type Finding } from '../checks/finding.js';
import { checkLibrary, libraryPosition, settled } from '../checks/library-checks.js';
import { checkAgainstDisk, checkMoves, songsOf } from '../checks/tables.js';
import type { Cluster } from '../cluster/cluster.js';
import { makeMusic } from '../disk/music.js';
import { underKills } from '../killing/under-kills.js';
import { seededRandom } from '../random/seeded-random.js';
import type { RowOptions, RowReport } from '../rows/row.js';
import type { RetryingClient } from '../writes/retrying-client.js';
import { ScanChain, type ScannedFolder } from './scan-chain.js';
import { scanToTheEnd, type ScanOutcome } from './scan-driver.js';

const MAX_GAP_MS = 4000;
/** A small scan is over soon. */
const GAP_MS_PER_FILE = 2;
const MUSIC_SEED = 11;

/**
 * Scans folders of real files while ingestion, library replicas, NATS and Postgres are killed one after the other. When a scan ends before
 * the last round, the next one follows, so that every kill meets a scan: by turns a new catalog with the same files, and a second scan of a
 * catalog in which files were moved, deleted and replaced meanwhile.
 */
export const killScan = async (options: RowOptions): Promise<RowReport> => {
  const { home, seed, isShort } = options;
  const files = isShort ? 300 : 2000;
  // Kept for later runs.
  const music = await makeMusic(dirname(home), files, MUSIC_SEED);
  return underKills(options, {
    row: 'kill-scan',
    cluster: { services: ['library-1', 'library-2', 'ingestion', 'ingestion-2', 'social'] },
    victims: ['ingestion', 'ingestion-2', 'projector', 'library', 'nats', 'postgres', 'everything'],
    maxGapMs: Math.min(MAX_GAP_MS, files * GAP_MS_PER_FILE),
    begin: (cluster, client) => {
      const scans = new ScanChain({ cluster, client, music, home, random: seededRandom(seed + 1) });
      return Promise.resolve({
        busy: () => scans.busy(),
        interrupted: () => scans.interrupted(),
        finish: () => scans.finish(),
        check: async () => {
          const { catalogs, outcomes } = await scans.finish();
          await settled(cluster);
          const findings = [
            ...(await checkCatalogs(cluster, catalogs)),
            ...(await checkLibrary(cluster)),
            await checkRescan(cluster, client, catalogs),
          ];
          return { findings, figures: { filesPerScan: files, ...figuresOf(catalogs, outcomes) } };
        },
      });
    },
  });
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
const checkRescan = async (cluster: Cluster, client: RetryingClient, catalogs: readonly ScannedFolder[]): Promise<Finding> => {
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
