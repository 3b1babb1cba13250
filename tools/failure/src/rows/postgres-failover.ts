import { dirname, join } from 'node:path';
import { addCatalog } from '@continuo/contracts';
import { testStandby } from '@continuo/local-servers';
import { sql } from 'kysely';
import { equal, noneOf, type Finding } from '../checks/finding.js';
import { settled } from '../checks/library-checks.js';
import { behindGateways, type Cluster } from '../cluster/cluster.js';
import { linkedCopy, makeMusic } from '../disk/music.js';
import { scanToTheEnd, type ScanOutcome } from '../scans/scan-driver.js';
import { administrator, ask } from '../http/api-client.js';
import type { Load } from '../load/load.js';
import { retryUntil, until } from '../until.js';
import type { RowOptions, RowReport } from './row.js';
import { underLoad, type Scene } from './under-load.js';

const FILES = 300;
const BACK_MS = 120_000;
const LOOK_MS = 60_000;
/** Commands that are acknowledged while the standby is cut off: what it has not heard of. */
const UNHEARD = 120;

/** Postgres dies and its standby, which has every transaction, takes its address. */
export const postgresFailsOver = (options: RowOptions): Promise<RowReport> => failOver(options, 'postgres-failover', true);

/** The same with a standby that has not heard of the last transactions: the log knows more than the tables. */
export const postgresFailsOverBehind = (options: RowOptions): Promise<RowReport> => failOver(options, 'postgres-failover-behind', false);

const failOver = async (options: RowOptions, row: string, isSynchronous: boolean): Promise<RowReport> => {
  const folders = { postgres: join(options.home, 'postgres') };
  let standby: Standby | undefined;
  try {
    return await underLoad(options, {
      row,
      cluster: { services: ['gateway-1', ...behindGateways, 'library-1', 'library-2', 'playback-2'], settings: administrator, folders },
      fault: async (scene) => {
        standby = await testStandby({ url: scene.cluster.addresses.DATABASE_URL, dataDir: folders.postgres });
        return takeOver(scene, standby, { folders, isSynchronous });
      },
      afterwards: oneIdForEachName,
    });
  } finally {
    await standby?.stop();
  }
};

type Standby = Awaited<ReturnType<typeof testStandby>>;

const takeOver = async (
  { cluster, load, home, say }: Scene,
  standby: Standby,
  { folders, isSynchronous }: { readonly folders: { postgres: string }; readonly isSynchronous: boolean },
) => {
  // Kept for later runs.
  const music = await makeMusic(dirname(home), FILES, 1);
  if (isSynchronous) await waitForStandby(cluster);
  else await standby.away();
  const scan = await scanOf(music, cluster, load);
  await load.more(UNHEARD, LOOK_MS);
  const before = await checkpoints(cluster);
  await cluster.part('postgres').kill();
  if (isSynchronous) await standby.away();
  folders.postgres = standby.dataDir;
  const downAt = performance.now();
  await cluster.part('postgres').revive();
  await sql`select pg_promote()`.execute(cluster.db);
  const after = await checkpoints(cluster);
  say(`checkpoints: ${before} before, ${after} after`);
  await until('the gateway lists artists', BACK_MS, async () => (await ask(cluster.gatewayUrl('gateway-1'), 'getArtists')).isGood);
  const readsMs = Math.round(performance.now() - downAt);
  await load.more(5, BACK_MS);
  const writesMs = Math.round(performance.now() - downAt);
  await cluster.ready(BACK_MS);
  const readyMs = Math.round(performance.now() - downAt);
  const { filesSeen } = await scan.over;
  // The same names once more, of which some were given their ids before.
  const again = await scanOf(await linkedCopy(music, join(home, 'copy')), cluster, load);
  await again.over;
  return {
    faults: 1,
    findings: [
      equal('files that the scan has seen', filesSeen, FILES),
      equal('standbys that were behind', after < before ? 1 : 0, isSynchronous ? 0 : 1),
    ],
    figures: { before, after, readsMs, writesMs, readyMs },
  };
};

const waitForStandby = async ({ db }: Cluster): Promise<void> => {
  await sql`alter system set synchronous_standby_names = '*'`.execute(db);
  await sql`select pg_reload_conf()`.execute(db);
  await until('the standby is synchronous', LOOK_MS, async () => {
    const { rows } = await sql`select from pg_stat_replication where sync_state = 'sync'`.execute(db);
    return rows.length === 1;
  });
};

/** Begins a scan. */
const scanOf = async (path: string, { db }: Cluster, { client }: Load): Promise<{ readonly over: Promise<ScanOutcome> }> => {
  const { catalogId } = await client.send(addCatalog, { name: path, path });
  await until('the catalog is shown', LOOK_MS, async () => {
    const { rows } = await sql`select from library.catalog where id = ${catalogId}`.execute(db);
    return rows.length === 1;
  });
  return { over: scanToTheEnd(client, db, catalogId) };
};

const oneIdForEachName = async (cluster: Cluster): Promise<Finding[]> => {
  await settled(cluster);
  const { rows } = await sql<{ name: string }>`select name from library.artist group by name having count(*) > 1`.execute(cluster.db);
  const names = rows.map(({ name }) => name);
  return [noneOf('artists under two ids', names)];
};

/** Sum of the positions of all projections. */
const checkpoints = ({ db }: Cluster): Promise<number> =>
  retryUntil('the checkpoints', LOOK_MS, async () => {
    const { rows } = await sql<{ sum: number }>`select sum(position) as sum from chassis.projection_checkpoint`.execute(db);
    return rows[0]?.sum ?? 0;
  });
