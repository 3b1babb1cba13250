import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import type { Access } from '../connect/locate.js';
import { openNats } from '../connect/session.js';
import { reportOn } from './report.js';
import { secretsOf } from './secrets.js';
import { deletedAccounts } from './streams/backup-streams.js';
import { takeBackup } from './take-backup.js';
import { verifyBackup } from './verify-backup.js';

interface BackupOptions {
  readonly database: boolean;
  readonly pictures: boolean;
  readonly earlier?: string;
  readonly json: boolean;
}

/** The data folder, where it is known: that of the standalone, else the one that is set, if it is there. */
export const knownDataFolder = async (cli: Cli, { dataFolder }: Pick<Access, 'dataFolder'>): Promise<string | undefined> => {
  if (dataFolder !== undefined) return dataFolder;
  const set = resolve(cli.settings().CONTINUO_DATA);
  return (await stat(set).catch(() => undefined))?.isDirectory() ? set : undefined;
};

const backup = async (cli: Cli, folder: string, options: BackupOptions): Promise<void> => {
  const access = await cli.locate();
  const dataFolder = await knownDataFolder(cli, access);
  const [secret] = await secretsOf(cli.settings(), dataFolder);
  if (secret === undefined)
    throw new CliError(
      'the secret of the server is not known',
      'set CONTINUO_SECRET to that of the server, so that a restore can tell whether it has the same one',
    );
  const { database, pictures, earlier, json } = options;
  const wish = { access, dataFolder, secret, folder, database, pictures, earlier: earlier === undefined ? undefined : resolve(earlier) };
  await takeBackup(wish, reportOn(cli.terminal, json));
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
    .argument('<folder>', 'is made; each backup has its own')
    .option('--without-database', 'leave the tables out: a restore is slower, and fills them from the log')
    .option('--without-pictures', 'leave covers and other pictures out')
    .option('--earlier <folder>', 'an earlier backup beside this one: pictures that it has take no room again')
    .option('--json', 'print one JSON object at the end, and nothing else', false)
    .action((folder: string, options: { withoutDatabase?: true; withoutPictures?: true; earlier?: string; json: boolean }) =>
      backup(cli, folder, { ...options, database: !options.withoutDatabase, pictures: !options.withoutPictures }),
    );
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
