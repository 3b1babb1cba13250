import { setTimeout as delay } from 'node:timers/promises';
import { cancelScan, eventStreams, startScan, type ScanId, type ScanTable } from '@continuo/contracts';
import { Command } from 'commander';
import { findCatalogs, type FoundCatalog } from '../catalog/find-catalog.js';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import type { Session } from '../connect/session.js';
import { formatCount, formatTable } from '../output/table.js';
import { describeCounts, scanDuration, scanProgress } from './scan-progress.js';
import { skippedFiles } from './skipped-files.js';

const POLL_MS = 500;
/** A scan that was queued but does not show within this time will not: the ingestion service is not there. */
const SHOWS_WITHIN_MS = 15_000;
/** How long to wait for the catalogue after a scan, ms. */
const READABLE_WITHIN_MS = 60_000;
/** Skipped files that the summary lists unless `--all-skipped` is given. */
const SKIPPED_SHOWN = 20;

interface ScanOptions {
  readonly wait: boolean;
  readonly allSkipped: boolean;
  /** Every file is read, changed or not. */
  readonly everything: boolean;
}

const scanRow = ({ db }: Session, id: string): Promise<ScanTable | undefined> =>
  db.selectFrom('ingestion.scan').selectAll().where('id', '=', id).executeTakeFirst();

const isOver = (scan: ScanTable): boolean => scan.state === 'finished' || scan.state === 'failed' || scan.state === 'cancelled';

/** Follows a scan until it is over. */
const follow = async (cli: Cli, session: Session, catalog: FoundCatalog, id: ScanId): Promise<ScanTable> => {
  const progress = scanProgress(`Scanning ${catalog.name}`, catalog.songCount, cli.terminal);
  const startedMs = Date.now();
  let told: string | null = null;
  try {
    for (;;) {
      const scan = await scanRow(session, id);
      if (scan) progress.update(scan);
      else if (Date.now() - startedMs > SHOWS_WITHIN_MS)
        throw new CliError('the scan was queued but does not begin', '"continuo doctor" tells what is missing');
      if (scan && isOver(scan)) return scan;
      // What it waits for, such as a disk that is full.
      if (scan?.message && scan.message !== told) cli.terminal.warn(`${catalog.name}: ${scan.message}`);
      told = scan?.message ?? null;
      await delay(POLL_MS);
    }
  } finally {
    progress.stop();
  }
};

/** Waits until everything that is in the library's log now can be read. */
const untilReadable = async ({ manager, watch }: Session): Promise<void> => {
  const { state } = await manager.streams.info(eventStreams.library);
  await watch.waitFor([{ stream: eventStreams.library, position: state.last_seq }], READABLE_WITHIN_MS);
};

interface Ended {
  readonly catalog: FoundCatalog;
  readonly scan: ScanTable;
  /** Skipped files to list. */
  readonly limit: number;
}

/** What came of a scan, remarks that are no skipped file of their own, and the files that the library leaves out. */
const printOutcome = async ({ terminal }: Cli, { db }: Session, { catalog, scan, limit }: Ended): Promise<void> => {
  terminal.print(`${catalog.name}: ${scan.state} after ${scanDuration(scan, Date.now())}. ${describeCounts(scan)}.`);
  const { total, files } = await skippedFiles(db, catalog.id, limit);
  const listed = new Set(files.map((file) => `${file.path}: ${file.message}`));
  for (const remark of (scan.message ?? '').split('\n')) if (remark !== '' && !listed.has(remark)) terminal.print(remark);
  if (total === 0) return;
  terminal.print(total === 1 ? '1 file of this catalog is left out:' : `${formatCount(total)} files of this catalog are left out:`);
  const rows = files.map((file) => [file.path, file.reason, file.message]);
  terminal.print(formatTable(['File', 'Reason', 'Explanation'], rows));
  if (files.length < total) terminal.print(`… and ${formatCount(total - files.length)} more; --all-skipped lists them.`);
};

const scanOne = async (cli: Cli, session: Session, catalog: FoundCatalog, options: ScanOptions): Promise<void> => {
  const { result } = await session.commands.send(
    startScan,
    { catalogId: catalog.id, mode: options.everything ? 'update' : 'changes' },
    session.context(),
  );
  if (result.alreadyRunning) cli.terminal.warn(`A scan of ${catalog.name} is running already.`);
  if (!options.wait) return cli.terminal.print(`Scan ${result.scanId} of ${catalog.name} is queued.`);
  const ended = await follow(cli, session, catalog, result.scanId);
  if (ended.state === 'failed') cli.fail();
  await untilReadable(session);
  await printOutcome(cli, session, { catalog, scan: ended, limit: options.allSkipped ? Number.MAX_SAFE_INTEGER : SKIPPED_SHOWN });
};

const scan = (cli: Cli, wanted: string, options: ScanOptions): Promise<void> =>
  cli.withSession(async (session) => {
    for (const catalog of await findCatalogs(session.db, wanted)) await scanOne(cli, session, catalog, options);
  });

const cancel = (cli: Cli, wanted: string): Promise<void> =>
  cli.withSession(async ({ db, commands, context }) => {
    const catalogs = new Map((await findCatalogs(db, wanted)).map((catalog) => [catalog.id as number, catalog.name]));
    const running = await db
      .selectFrom('ingestion.scan')
      .select(['id', 'catalog_id'])
      .where('state', 'in', ['queued', 'running'])
      .execute();
    const meant = running.filter((row) => catalogs.has(row.catalog_id));
    if (meant.length === 0) cli.terminal.print('No scan is running.');
    for (const row of meant) {
      await commands.send(cancelScan, { scanId: row.id }, context());
      cli.terminal.print(`The scan of ${catalogs.get(row.catalog_id)} is being stopped; what it has recorded stays.`);
    }
  });

/** `continuo scan …`: reads what is new in the catalogs' folders. */
export const scanCommand = (cli: Cli): Command => {
  const command = new Command('scan')
    .description('look for new, changed and removed files')
    .argument('<catalog>', 'name or number of a catalog, or "all"')
    .option('--no-wait', 'return at once instead of showing progress')
    .option('--all-skipped', 'list every file that was left out', false)
    .option('--everything', 'read every file again, also where size and time are as recorded', false)
    .action((wanted: string, options: ScanOptions) => scan(cli, wanted, options));
  command
    .command('cancel')
    .description('stop running scans')
    .argument('[catalog]', 'name or number of a catalog', 'all')
    .action((wanted: string) => cancel(cli, wanted));
  return command;
};
