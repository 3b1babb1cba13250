import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addCatalog } from '@continuo/contracts';
import { checkLibrary, settled } from '../checks/library-checks.js';
import { songsOf } from '../checks/tables.js';
import { startCluster, type Cluster } from '../cluster/cluster.js';
import { killSeries, type Kill } from '../killing/killer.js';
import { seededRandom } from '../random/seeded-random.js';
import type { Report } from '../report/report.js';
import { CatalogAdder } from './catalog-adder.js';
import { InsistentClient } from './insistent-client.js';
import { Ledger } from './ledger.js';
import { Writer } from './writer.js';

/** How to run the scenario. */
export interface KillWrites {
  readonly rounds: number;
  readonly writers: number;
  readonly seed: number;
  /** Folder for all data of the run; emptied first. */
  readonly home: string;
  readonly onKill?: ((kill: Kill) => void) | undefined;
}

const MAX_GAP_MS = 2500;
const READY_MS = 90_000;

/**
 * Writers send folders to the library and keep their own account of what was acknowledged, while library replicas, NATS and Postgres are
 * killed. Nothing acknowledged may be missing, nothing may be there twice, and a rebuild must give the same tables.
 */
export const killWrites = async (options: KillWrites): Promise<Report> => {
  const startedAt = Date.now();
  const cluster = await startCluster({ home: options.home, services: ['library-1', 'library-2'] });
  try {
    const client = new InsistentClient(cluster.commands);
    const ledger = new Ledger();
    const root = await made(join(options.home, 'written'));
    const { catalogId } = await client.send(addCatalog, { name: 'written', path: root });
    const adder = new CatalogAdder(client, await made(join(options.home, 'catalogs')));
    let over = false;
    const tools = { client, ledger, db: cluster.db, catalogId };
    const work = Promise.all([
      ...Array.from({ length: options.writers }, (_, number) => new Writer(tools, number).run(() => over)),
      adder.run(() => over),
    ]);
    // A writer that is refused for good ends the series; it must not go on against a cluster that is being stopped.
    const refused = new AbortController();
    work.catch(() => refused.abort());
    const kills = await whileKilling(cluster, options, { client, signal: refused.signal });
    over = true;
    await work;
    const writtenMs = Date.now() - startedAt;
    await cluster.ready(READY_MS);
    await settled(cluster);
    const findings = [
      ...ledger.check(await songsOf(cluster.db, catalogId)),
      ...(await adder.check(cluster.db)),
      ...(await checkLibrary(cluster)),
    ];
    const figures = { acknowledged: client.acknowledged, files: ledger.files, refusals: client.refusals, writtenMs };
    return {
      scenario: 'kill-writes',
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

const whileKilling = (
  cluster: Cluster,
  options: KillWrites,
  { client, signal }: { client: InsistentClient; signal: AbortSignal },
): Promise<Kill[]> =>
  killSeries(cluster, {
    rounds: options.rounds,
    victims: ['projector', 'library', 'nats', 'postgres', 'everything'],
    random: seededRandom(options.seed),
    maxGapMs: MAX_GAP_MS,
    busy: () => Promise.resolve(),
    interrupted: () => Promise.resolve(`${client.acknowledged} commands acknowledged`),
    onKill: options.onKill,
    signal,
  });

const made = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true });
  return folder;
};
