import { setTimeout as delay } from 'node:timers/promises';
import { readModelProjections } from '@continuo/contracts';
import { Command } from 'commander';
import { OperatorError, formatCount } from '@continuo/operations';
import { listedCatalogs, type Catalog } from '../catalog/find-listed-catalog.js';
import type { Cli } from '../cli.js';
import type { Api } from '../connect/api.js';
import { followWork, stateText } from '../output/follow-work.js';
import { formatTable } from '../output/table.js';
import { describeCounts, scanDuration, scanSpeed, type Scan } from './scan-progress.js';

const POLL_MS = 500;
/** A scan that was queued but does not begin within this time will not: the ingestion service is not there. */
const BEGINS_WITHIN_MS = 15_000;
/** Time to wait for the catalogue after a scan, ms. */
const READABLE_WITHIN_MS = 60_000;
/** Skipped files that the summary lists unless `--all-skipped` is given. */
const SKIPPED_SHOWN = 20;

interface ScanOptions {
  readonly wait: boolean;
  readonly allSkipped: boolean;
  /** Every file is read, changed or not. */
  readonly everything: boolean;
}

const isOver = ({ state }: Scan): boolean => state === 'done' || state === 'failed' || state === 'cancelled';

/** Follows a scan until it is over. */
const follow = async ({ terminal }: Cli, api: Api, { name, songCount }: Catalog, id: string): Promise<Scan> => {
  const startedMs = Date.now();
  let told: string | null = null;
  const read = async (): Promise<Scan> => {
    const scan = await api.ask((client) => client.GET('/scans/{id}', { params: { path: { id } } }));
    if (isOver(scan)) return scan;
    if (scan.state === 'queued' && scan.problem === null && Date.now() - startedMs > BEGINS_WITHIN_MS)
      throw new OperatorError('the scan was queued but does not begin', '"continuo doctor" tells what is missing');
    // Reason for a delay, such as a full disk.
    if (scan.problem !== null && scan.problem !== told) terminal.warn(`${name}: ${scan.problem}`);
    told = scan.problem;
    // The number of files is roughly known from the last scan.
    return { ...scan, progress: { ...scan.progress, total: songCount } };
  };
  const label = `Scanning ${name}`;
  const describe = (scan: Scan): string =>
    terminal.moving.isTTY ? `${describeCounts(scan)} | ${scanSpeed(scan)}` : `${label}: ${describeCounts(scan)}`;
  return followWork(terminal, { label, begun: await read(), read, describe, hasBar: songCount > 0 });
};

/** Waits until everything that is in the library's log now can be read. */
const untilReadable = async (api: Api): Promise<void> => {
  const shown: ReadonlySet<string> = new Set(readModelProjections.EV_LIBRARY);
  const positions = async () => {
    const all = await api.all((client, cursor) => client.GET('/projections', { params: { query: { limit: 500, ...cursor } } }));
    return all.filter(({ name }) => shown.has(name));
  };
  const ends = Math.max(0, ...(await positions()).map(({ logEnd }) => logEnd ?? 0));
  for (const untilMs = Date.now() + READABLE_WITHIN_MS; Date.now() < untilMs; await delay(POLL_MS))
    if ((await positions()).every(({ live }) => live === null || live.position >= ends)) return;
};

interface Ended {
  readonly catalog: Catalog;
  readonly scan: Scan;
  readonly lists: 'all' | 'some';
}

/** Prints the outcome of a scan, notices, and skipped files. */
const printOutcome = async ({ terminal }: Cli, api: Api, { catalog: { id, name }, scan, lists }: Ended): Promise<void> => {
  terminal.print(`${name}: ${stateText(scan)} after ${scanDuration(scan, Date.now())}. ${describeCounts(scan)}.`);
  const skipped = await api.all((client, cursor) =>
    client.GET('/catalogs/{id}/skipped-files', { params: { path: { id }, query: { limit: 500, ...cursor } } }),
  );
  const files = lists === 'all' ? skipped : skipped.slice(0, SKIPPED_SHOWN);
  const listed = new Set(files.map(({ path, message }) => `${path}: ${message}`));
  for (const remark of (scan.problem ?? '').split('\n')) if (remark !== '' && !listed.has(remark)) terminal.print(remark);
  const total = skipped.length;
  if (total === 0) return;
  terminal.print(total === 1 ? '1 file of this catalog is left out:' : `${formatCount(total)} files of this catalog are left out:`);
  const rows = files.map(({ path, reason, message }) => [path, reason, message]);
  terminal.print(formatTable(['File', 'Reason', 'Explanation'], rows));
  if (files.length < total) terminal.print(`… and ${formatCount(total - files.length)} more; --all-skipped lists them.`);
};

const openScansOf = async (api: Api, catalogId: number): Promise<Scan[]> => {
  const states = ['queued', 'running'] as const;
  const lists = await Promise.all(
    states.map((state) => api.all((client, cursor) => client.GET('/scans', { params: { query: { catalogId, state, ...cursor } } }))),
  );
  return lists.flat();
};

const scanOne = async (cli: Cli, api: Api, catalog: Catalog, options: ScanOptions): Promise<void> => {
  const before = await openScansOf(api, catalog.id);
  const body = { catalogId: catalog.id, mode: options.everything ? 'update' : 'changes' } as const;
  const { id } = await api.ask((client) => client.POST('/scans', { body }));
  if (before.some((one) => one.id === id)) cli.terminal.warn(`A scan of ${catalog.name} is running already.`);
  if (!options.wait) return cli.terminal.print(`Scan ${id} of ${catalog.name} is queued.`);
  const scan = await follow(cli, api, catalog, id);
  if (scan.state === 'failed') cli.fail();
  await untilReadable(api);
  await printOutcome(cli, api, { catalog, scan, lists: options.allSkipped ? 'all' : 'some' });
};

const scan = async (cli: Cli, wanted: string, options: ScanOptions): Promise<void> => {
  const api = await cli.api();
  for (const catalog of await listedCatalogs(api, wanted)) await scanOne(cli, api, catalog, options);
};

const cancel = async (cli: Cli, wanted: string): Promise<void> => {
  const api = await cli.api();
  let cancelled = 0;
  for (const catalog of await listedCatalogs(api, wanted)) {
    for (const { id } of await openScansOf(api, catalog.id)) {
      await api.ask((client) => client.POST('/scans/{id}/cancel', { params: { path: { id } } }));
      cli.terminal.print(`The scan of ${catalog.name} is being stopped; what it has recorded stays.`);
      cancelled += 1;
    }
  }
  if (cancelled === 0) cli.terminal.print('No scan is running.');
};

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
