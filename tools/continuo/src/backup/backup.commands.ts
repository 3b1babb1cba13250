import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import type { Access } from '../connect/locate.js';
import { openNats } from '../connect/session.js';
import { counted } from '../output/table.js';
import { backupsIn, deleteOldest, nameOf } from './kept-backups.js';
import { reportOn } from './report.js';
import { secretsOf } from './secrets.js';
import { deletedAccounts } from './streams/backup-streams.js';
import { takeBackup } from './take-backup.js';
import { verifyBackup } from './verify-backup.js';

interface BackupOptions {
  readonly into?: string;
  readonly keep?: number;
  readonly withoutDatabase?: true;
  readonly withoutPictures?: true;
  readonly earlier?: string;
  readonly json: boolean;
}

/** The data folder, where it is known: that of the standalone, else the one that is set, if it is there. */
export const knownDataFolder = async (cli: Cli, { dataFolder }: Pick<Access, 'dataFolder'>): Promise<string | undefined> => {
  if (dataFolder !== undefined) return dataFolder;
  const set = resolve(cli.settings().CONTINUO_DATA);
  return (await stat(set).catch(() => undefined))?.isDirectory() ? set : undefined;
};

const secretOf = async (cli: Cli, dataFolder: string | undefined): Promise<string> => {
  const [secret] = await secretsOf(cli.settings(), dataFolder);
  if (secret !== undefined) return secret;
  throw new CliError(
    'the secret of the server is not known',
    'set CONTINUO_SECRET to that of the server, so that a restore can tell whether it has the same one',
  );
};

/** Where a backup goes, and the one before it there. @throws CliError when it is not said, or said twice */
const placeOf = async (
  folder: string | undefined,
  { into, keep, earlier }: BackupOptions,
): Promise<{ folder: string; earlier: string | undefined }> => {
  if ((folder === undefined) === (into === undefined))
    throw new CliError('name either a folder for this backup, or with --into one for all of them');
  if (keep !== undefined && into === undefined)
    throw new CliError('--keep goes with --into', 'name the folder that all backups lie in with --into');
  if (folder !== undefined) return { folder: resolve(folder), earlier: earlier === undefined ? undefined : resolve(earlier) };
  const all = resolve(into ?? '');
  return { folder: join(all, nameOf(new Date())), earlier: earlier === undefined ? (await backupsIn(all)).at(-1) : resolve(earlier) };
};

const backup = async (cli: Cli, folder: string | undefined, options: BackupOptions): Promise<void> => {
  const access = await cli.locate();
  const dataFolder = await knownDataFolder(cli, access);
  const [place, secret, report] = [await placeOf(folder, options), await secretOf(cli, dataFolder), reportOn(cli.terminal, options.json)];
  const wish = { access, dataFolder, secret, ...place, database: !options.withoutDatabase, pictures: !options.withoutPictures };
  await takeBackup(wish, report);
  if (options.into === undefined || options.keep === undefined) return;
  const deleted = await deleteOldest(resolve(options.into), options.keep);
  if (deleted > 0) report.note(`${counted(deleted, 'older backup')} deleted.`);
};

const howMany = (text: string): number => {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('It is a whole number from 1.');
  return number;
};

const verify = async (cli: Cli, folder: string, { json }: { readonly json: boolean }): Promise<void> => {
  const faults = await verifyBackup(resolve(folder), reportOn(cli.terminal, json));
  if (faults.length > 0) cli.fail();
};

const deletions = async (cli: Cli): Promise<void> => {
  const nats = await openNats(await cli.locate());
  try {
    const manager = await jetstreamManager(nats);
    for (const account of await deletedAccounts({ nats, manager })) cli.terminal.print(String(account));
  } finally {
    await nats.close();
  }
};

/** `continuo backup …`: everything that cannot be had back otherwise, of a running server. */
export const backupCommand = (cli: Cli): Command => {
  const command = new Command('backup')
    .description('write a backup of the running server into a new folder: tables, log, keys, pictures')
    .argument('[folder]', 'is made; each backup has its own')
    .option(
      '--into <folder>',
      'instead: a folder for many backups, each under its time; pictures that the one before has take no room again',
    )
    .option('--keep <n>', 'with --into: delete the oldest backups, so that as many are left', howMany)
    .option('--earlier <folder>', 'an earlier backup beside this one: pictures that it has take no room again')
    .option('--without-database', 'leave the tables out: a restore is slower, and fills them from the log')
    .option('--without-pictures', 'leave covers and other pictures out')
    .option('--json', 'print one JSON object at the end, and nothing else', false)
    .action((folder: string | undefined, options: BackupOptions) => backup(cli, folder, options));
  command
    .command('verify')
    .description('look a backup through without restoring it; exit code 1 when something is wrong')
    .argument('<folder>')
    .option('--json', 'print one JSON object, and nothing else', false)
    .action((folder: string, _: unknown, given: Command) => verify(cli, folder, given.optsWithGlobals()));
  command
    .command('deletions')
    .description('numbers of all accounts that were deleted: keep them for "restore --deletions"')
    .action(() => deletions(cli));
  return command;
};
