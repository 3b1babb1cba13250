import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ManageTypes } from '@continuo/client';
import { Command } from 'commander';
import {
  artConfigOf,
  backupsIn,
  OperatorError,
  counted,
  deletedAccounts,
  deleteOldest,
  formatBytes,
  isNameOfBackup,
  knownDataFolder,
  nameOf,
  secretsOf,
  takeBackup,
  verifyBackup,
} from '@continuo/operations';
import type { Cli } from '../cli.js';
import { followWork } from '../output/follow-work.js';
import { formatTable } from '../output/table.js';
import { reportOn } from './report.js';
import { wholeNumber } from '../whole-number.js';

type Backup = ManageTypes['schemas']['Backup'];
type Verification = ManageTypes['schemas']['BackupVerification'];

interface BackupOptions {
  readonly into?: string;
  readonly keep?: number;
  readonly withoutDatabase?: true;
  readonly withoutPictures?: true;
  readonly earlier?: string;
  readonly json: boolean;
}

const secretOf = async (cli: Cli, dataFolder: string | undefined): Promise<string> => {
  const [secret] = await secretsOf(cli.settings(), dataFolder);
  if (secret !== undefined) return secret;
  throw new OperatorError(
    'the secret of the server is not known',
    'set CONTINUO_SECRET to that of the server, so that a restore can tell whether it has the same one',
  );
};

/** Where a backup goes, and the one before it there. @throws OperatorError when it is not said, or said twice */
const placeOf = async (
  folder: string | undefined,
  { into, keep, earlier }: BackupOptions,
): Promise<{ folder: string; earlier: string | undefined }> => {
  if (folder !== undefined && into !== undefined)
    throw new OperatorError('name either a folder for this backup, or with --into one for all of them');
  if (keep !== undefined && into === undefined)
    throw new OperatorError('--keep does not go with a folder for one backup', 'name the folder that all backups lie in with --into');
  if (folder !== undefined) return { folder: resolve(folder), earlier: earlier === undefined ? undefined : resolve(earlier) };
  const all = resolve(into ?? '');
  return { folder: join(all, nameOf(new Date())), earlier: earlier === undefined ? (await backupsIn(all)).at(-1) : resolve(earlier) };
};

/** Has the server take a backup into its own folder, and follows that. @throws OperatorError when it fails */
const backupOfServer = async (cli: Cli, { keep, earlier, withoutDatabase, withoutPictures, json }: BackupOptions): Promise<void> => {
  if (earlier !== undefined)
    throw new OperatorError('--earlier goes with a folder', 'in its own folder the server shares pictures with the backup before');
  const api = await cli.api();
  const body = { database: !withoutDatabase, pictures: !withoutPictures, ...(keep === undefined ? {} : { keep }) };
  const begun = await api.ask((client) => client.POST('/backups', { body }));
  const path = { id: begun.id };
  const read = (): Promise<Backup> => api.ask((client) => client.GET('/backups/{id}', { params: { path } }));
  const taken = await followWork(cli.terminal, { label: 'Backup', begun, read });
  if (taken.state !== 'done') throw new OperatorError(`the backup failed: ${taken.problem ?? taken.state}`, '"continuo doctor" tells more');
  if (json) return cli.terminal.print(JSON.stringify(taken));
  const { tables, messages, pictures, sizeBytes } = taken;
  const content = [counted(tables ?? 0, 'table'), counted(messages ?? 0, 'message'), counted(pictures ?? 0, 'picture')].join(', ');
  cli.terminal.print(`Backup ${taken.id} lies on the server: ${content}, ${formatBytes(sizeBytes ?? 0)}.`);
  cli.terminal.print('The secret of the server is not in it: keep it elsewhere.');
};

const backup = async (cli: Cli, folder: string | undefined, options: BackupOptions): Promise<void> => {
  if (folder === undefined && options.into === undefined) return backupOfServer(cli, options);
  const access = await cli.locate();
  const dataFolder = await knownDataFolder(cli.settings(), access);
  const [place, secret, report] = [await placeOf(folder, options), await secretOf(cli, dataFolder), reportOn(cli.terminal, options.json)];
  const art = await artConfigOf(cli.settings(), access);
  const request = { access, art, secret, ...place, database: !options.withoutDatabase, pictures: !options.withoutPictures };
  await takeBackup(request, report);
  if (options.into === undefined || options.keep === undefined) return;
  const deleted = await deleteOldest(resolve(options.into), options.keep);
  if (deleted > 0) report.note(`${counted(deleted, 'older backup')} deleted.`);
};

/** Has the server look one of its own backups through, and follows that. @throws OperatorError when it fails */
const verifyOfServer = async (cli: Cli, backupId: string, json: boolean): Promise<void> => {
  const api = await cli.api();
  const begun = await api.ask((client) => client.POST('/backup-verifications', { body: { backupId } }));
  const path = { id: begun.id };
  const read = (): Promise<Verification> => api.ask((client) => client.GET('/backup-verifications/{id}', { params: { path } }));
  const { faults, problem } = await followWork(cli.terminal, { label: backupId, begun, read });
  if (faults === null) throw new OperatorError(problem ?? `${backupId} was not read to its end`, '"continuo doctor" tells more');
  const whole = faults.length === 0;
  if (!whole) cli.fail();
  if (json) return cli.terminal.print(JSON.stringify({ id: backupId, whole, faults }));
  for (const fault of faults) cli.terminal.print(`${fault}.`);
  cli.terminal.print(whole ? `The backup ${backupId} is whole.` : `The backup ${backupId} is damaged: do not rely on it.`);
};

const verify = async (cli: Cli, folder: string, { json }: { readonly json: boolean }): Promise<void> => {
  if (isNameOfBackup(folder) && (cli.isElsewhere || !existsSync(folder))) return verifyOfServer(cli, folder, json);
  const faults = await verifyBackup(resolve(folder), reportOn(cli.terminal, json));
  if (faults.length > 0) cli.fail();
};

/** Lists the backups in the folder of the server. */
const list = async (cli: Cli, json: boolean): Promise<void> => {
  const api = await cli.api();
  const backups = await api.all((client, cursor) => client.GET('/backups', { params: { query: { limit: 500, ...cursor } } }));
  if (json) return cli.terminal.print(JSON.stringify(backups));
  const rows = backups.map(({ id, state, startedAt, sizeBytes, tables, messages, pictures }) => [
    id,
    state,
    startedAt,
    sizeBytes === null ? '' : formatBytes(sizeBytes),
    tables ?? '',
    messages ?? '',
    pictures ?? '',
  ]);
  cli.terminal.print(formatTable(['Name', 'State', 'Begun', 'Size', 'Tables', 'Messages', 'Pictures'], rows));
};

const remove = async (cli: Cli, id: string): Promise<void> => {
  const api = await cli.api();
  await api.ask((client) => client.DELETE('/backups/{id}', { params: { path: { id } } }));
  cli.terminal.print(`The backup ${id} is gone.`);
};

const deletions = (cli: Cli): Promise<void> =>
  cli.withSession(async (session) => {
    for (const account of await deletedAccounts(session)) cli.terminal.print(String(account));
  });

/** `continuo backup …`: everything that cannot be had back otherwise, of a running server. */
export const backupCommand = (cli: Cli): Command => {
  const command = new Command('backup')
    .description('write a backup of the running server into a new folder: tables, log, keys, pictures')
    .argument('[folder]', 'is made, on this machine; without one and without --into the server writes into its own folder')
    .option(
      '--into <folder>',
      'instead: a folder for many backups, each under its time; pictures that the one before has take no room again',
    )
    .option('--keep <n>', 'of many backups: delete the oldest ones, so that as many are left', wholeNumber(1))
    .option('--earlier <folder>', 'an earlier backup beside this one: pictures that it has take no room again')
    .option('--without-database', 'leave the tables out: a restore is slower, and fills them from the log')
    .option('--without-pictures', 'leave covers and other pictures out')
    .option('--json', 'print one JSON object at the end, and nothing else', false)
    .action((folder: string | undefined, options: BackupOptions) => backup(cli, folder, options));
  command
    .command('verify')
    .description('look a backup through without restoring it; exit code 1 when something is wrong')
    .argument('<backup>', 'its folder, or the name of one in the folder of the server')
    .option('--json', 'print one JSON object, and nothing else', false)
    .action((folder: string, _: unknown, given: Command) => verify(cli, folder, given.optsWithGlobals()));
  command
    .command('list')
    .description('the backups in the folder of the server, the latest first')
    .option('--json', 'print one JSON array, and nothing else', false)
    .action((_: unknown, given: Command) => list(cli, given.optsWithGlobals<{ json: boolean }>().json));
  command
    .command('delete')
    .description('delete a backup from the folder of the server')
    .argument('<name>', 'as "backup list" tells it')
    .action((name: string) => remove(cli, name));
  command
    .command('deletions')
    .description('numbers of all accounts that were deleted: keep them for "restore --deletions"')
    .action(() => deletions(cli));
  return command;
};
