import { join } from 'node:path';
import { addCatalog, type CatalogId } from '@continuo/contracts';
import { equal, type Finding } from '../checks/finding.js';
import { checkLibrary, libraryPosition, settled } from '../checks/library-checks.js';
import { checkAgainstDisk, songsOf } from '../checks/tables.js';
import { startCluster, type Cluster } from '../cluster/cluster.js';
import { linkedCopy, makeMusic, mediaFiles } from '../disk/music.js';
import { killSeries, type Kill } from '../killing/killer.js';
import { seededRandom } from '../random/seeded-random.js';
import type { Report } from '../report/report.js';
import { persistently, until } from '../until.js';
import { InsistentClient } from '../writes/insistent-client.js';
import { scanState, scanToTheEnd, type ScanOutcome } from './scan-driver.js';

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
/** A worker that was killed is missed after its acknowledgement time only. */
const BUSY_MS = 180_000;
const MUSIC_SEED = 11;

/**
 * Scans folders of real files while ingestion, library replicas, NATS and Postgres are killed one after the other. When a scan ends before
 * the last round, the next catalog with the same files follows, so that every kill meets a scan.
 */
export const killScan = async (options: KillScan): Promise<Report> => {
  const music = await makeMusic(options.musicFolder, options.files, MUSIC_SEED);
  const startedAt = Date.now();
  const cluster = await startCluster({ home: options.home, services: ['library-1', 'library-2', 'ingestion', 'social'] });
  try {
    const client = new InsistentClient(cluster.commands);
    const scans = new ScanChain(cluster, client, { music, home: options.home });
    const kills = await killSeries(cluster, {
      rounds: options.rounds,
      victims: ['ingestion', 'projector', 'library', 'nats', 'postgres'],
      random: seededRandom(options.seed),
      maxGapMs: Math.min(MAX_GAP_MS, options.files * GAP_MS_PER_FILE),
      busy: () => scans.busy(),
      interrupted: () => scans.interrupted(),
      onKill: options.onKill,
    });
    const outcomes = await scans.finish();
    const scannedMs = Date.now() - startedAt;
    await cluster.ready(LOOK_MS);
    await settled(cluster);
    const findings = [
      ...(await checkCatalogs(cluster, music, outcomes)),
      ...(await checkLibrary(cluster)),
      await checkRescan(cluster, client, outcomes),
    ];
    const figures = figuresOf(options, outcomes, { refusals: client.refusals, scannedMs });
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

/** One scan after the other, each of a catalog of its own. */
class ScanChain {
  readonly #cluster: Cluster;
  readonly #client: InsistentClient;
  readonly #place: { readonly music: string; readonly home: string };
  readonly #done: ScanOutcome[] = [];
  #current: { readonly catalogId: CatalogId; readonly scan: Promise<void> } | undefined;
  #catalogs = 0;
  #fault: Error | undefined;

  constructor(cluster: Cluster, client: InsistentClient, place: { music: string; home: string }) {
    this.#cluster = cluster;
    this.#client = client;
    this.#place = place;
  }

  /**
   * Returns when a scan is writing to the log, the next one when the last is over: after a kill of its worker it rests for a while, and a kill
   * in that time would meet nothing. @throws Error when a scan could not be brought to an end
   */
  async busy(): Promise<void> {
    let position = Number.POSITIVE_INFINITY;
    await until('a scan is at work', BUSY_MS, async () => {
      if (this.#fault) return true;
      this.#current ??= await this.#begin();
      const before = position;
      position = await libraryPosition(this.#cluster);
      return position > before && (await scanState(this.#cluster.db, this.#current.catalogId)).isRunning;
    });
    if (this.#fault) throw this.#fault;
  }

  /** The scan that is at work at this moment. */
  async interrupted(): Promise<string | undefined> {
    const current = this.#current;
    if (!current) return undefined;
    const look = () => scanState(this.#cluster.db, current.catalogId);
    const { isRunning, songsShown } = await persistently('the state of the scan', LOOK_MS, look);
    return isRunning ? `scan of catalog ${current.catalogId}, ${songsShown} songs shown` : undefined;
  }

  /** Waits for the last scan. */
  async finish(): Promise<readonly ScanOutcome[]> {
    await this.#current?.scan;
    if (this.#fault) throw this.#fault;
    return this.#done;
  }

  async #begin(): Promise<{ catalogId: CatalogId; scan: Promise<void> }> {
    this.#catalogs += 1;
    const name = `copy ${this.#catalogs}`;
    const path = await linkedCopy(this.#place.music, join(this.#place.home, 'catalogs', name));
    const { catalogId } = await this.#client.send(addCatalog, { name, path });
    return { catalogId, scan: this.#scan(catalogId) };
  }

  async #scan(catalogId: CatalogId): Promise<void> {
    try {
      this.#done.push(await scanToTheEnd(this.#client, this.#cluster.db, catalogId));
    } catch (error) {
      this.#fault = error instanceof Error ? error : new Error(String(error));
    }
    this.#current = undefined;
  }
}

const checkCatalogs = async (cluster: Cluster, music: string, outcomes: readonly ScanOutcome[]): Promise<Finding[]> => {
  const files = await mediaFiles(music);
  const findings: Finding[] = [];
  for (const { catalogId } of outcomes)
    findings.push(...checkAgainstDisk(`catalog ${catalogId}`, await songsOf(cluster.db, catalogId), files));
  return findings;
};

/** A second scan of what is unchanged must add nothing to the library's log. */
const checkRescan = async (cluster: Cluster, client: InsistentClient, outcomes: readonly ScanOutcome[]): Promise<Finding> => {
  const before = await libraryPosition(cluster);
  for (const { catalogId } of outcomes) await scanToTheEnd(client, cluster.db, catalogId);
  return equal('rescan: last position of the library log', await libraryPosition(cluster), before);
};

const figuresOf = (options: KillScan, outcomes: readonly ScanOutcome[], rest: Record<string, unknown>): Record<string, unknown> => ({
  filesPerScan: options.files,
  scans: outcomes.length,
  files: options.files * outcomes.length,
  scanMs: outcomes.map((outcome) => outcome.durationMs),
  resubmittedBecause: outcomes.flatMap((outcome) => outcome.failedWith),
  ...rest,
});
