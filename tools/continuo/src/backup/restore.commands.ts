import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import { locateServer, type Access } from '../connect/locate.js';
import { knownDataFolder } from './backup.commands.js';
import { readManifest } from './format/manifest.js';
import { reportOn } from './report.js';
import { readDeletions } from './restore/deletions.js';
import { startLocalServers, type LocalServers } from './restore/local-servers.js';
import { restoreBackup } from './restore/restore-backup.js';
import { checkRelease, checkSecret } from './restore/suits.js';
import { secretsOf } from './secrets.js';

const MOST_COPIES = 5;

interface RestoreOptions {
  readonly replace: boolean;
  readonly until?: string;
  readonly replicas?: number;
  readonly deletions?: string;
  readonly withoutDatabase?: true;
  readonly withoutPictures?: true;
  readonly json: boolean;
}

const copies = (text: string): number => {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > MOST_COPIES)
    throw new InvalidArgumentError(`It is a whole number from 1 to ${MOST_COPIES}.`);
  return number;
};

/** The servers that are named, else those of a standalone that is not running, started for as long as this takes. */
const serversFor = async (cli: Cli, folder: string): Promise<LocalServers> => {
  const settings = cli.settings();
  if (settings.DATABASE_URL !== undefined || settings.NATS_URL !== undefined) {
    const access: Access = await locateServer(settings);
    return { access, stop: () => Promise.resolve() };
  }
  const dataFolder = resolve(settings.CONTINUO_DATA);
  const running = await locateServer(settings).catch((error: unknown) => {
    if (error instanceof CliError) return undefined;
    throw error;
  });
  if (running) throw new CliError(`the server over ${dataFolder} is running`, 'stop it first');
  // Nothing is made for a backup that would be refused.
  const manifest = await readManifest(folder);
  checkRelease(manifest);
  await checkSecret(manifest, await secretsOf(settings, dataFolder));
  return startLocalServers(dataFolder);
};

const restore = async (cli: Cli, name: string, options: RestoreOptions): Promise<void> => {
  const folder = resolve(name);
  const deletions = options.deletions === undefined ? [] : await readDeletions(resolve(options.deletions));
  const servers = await serversFor(cli, folder);
  const { access } = servers;
  try {
    const dataFolder = await knownDataFolder(cli, access);
    const isLocal = access.dataFolder !== undefined;
    const wish = {
      folder,
      access,
      dataFolder,
      secrets: await secretsOf(cli.settings(), dataFolder),
      replace: options.replace,
      until: options.until,
      replicas: options.replicas ?? (isLocal ? 1 : undefined),
      deletions,
      database: !options.withoutDatabase,
      pictures: !options.withoutPictures,
    };
    await restoreBackup(wish, reportOn(cli.terminal, options.json));
  } finally {
    await servers.stop();
  }
};

/** `continuo restore …`: a backup in the place of what is there, while no service runs. */
export const restoreCommand = (cli: Cli): Command =>
  new Command('restore')
    .description('put a backup in place while the server is stopped')
    .argument('<folder>', 'a backup')
    .option('--replace', 'delete everything that the target holds first', false)
    .option('--until <moment>', 'only what had happened by then: a time such as 2026-11-21T13:00:00Z, or EV_LIBRARY=<position>')
    .option('--replicas <n>', 'copies of each stream; by default as many as there were, and 1 on one machine', copies)
    .option('--deletions <file>', 'accounts that were deleted since: what "backup deletions" printed, or a newer backup')
    .option('--without-database', 'fill the tables from the log instead of the backup')
    .option('--without-pictures', 'leave pictures as they are')
    .option('--json', 'print one JSON object at the end, and nothing else', false)
    .action((folder: string, options: RestoreOptions) => restore(cli, folder, options));
