import { resolve } from 'node:path';
import { Command } from 'commander';
import { artConfigOf, knownDataFolder, readDeletions, restoreBackup, secretsOf, serversForRestore } from '@continuo/operations';
import type { Cli } from '../cli.js';
import { startLocalServers } from './local-servers.js';
import { reportOn } from './report.js';
import { wholeNumber } from '../whole-number.js';

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

const restore = async (cli: Cli, name: string, options: RestoreOptions): Promise<void> => {
  cli.requireBeside();
  const folder = resolve(name);
  const deletions = options.deletions === undefined ? [] : await readDeletions(resolve(options.deletions));
  const servers = await serversForRestore(cli.settings(), folder, startLocalServers);
  const { access } = servers;
  try {
    const dataFolder = await knownDataFolder(cli.settings(), access);
    const isLocal = access.dataFolder !== undefined;
    const request = {
      folder,
      access,
      art: await artConfigOf(cli.settings(), access),
      secrets: await secretsOf(cli.settings(), dataFolder),
      replace: options.replace,
      until: options.until,
      replicas: options.replicas ?? (isLocal ? 1 : undefined),
      deletions,
      database: !options.withoutDatabase,
      pictures: !options.withoutPictures,
    };
    await restoreBackup(request, reportOn(cli.terminal, options.json));
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
    .option('--replicas <n>', 'copies of each stream; by default as many as there were, and 1 on one machine', wholeNumber(1, MOST_COPIES))
    .option('--deletions <file>', 'accounts that were deleted since: what "backup deletions" printed, or a newer backup')
    .option('--without-database', 'fill the tables from the log instead of the backup')
    .option('--without-pictures', 'leave pictures as they are')
    .option('--json', 'print one JSON object at the end, and nothing else', false)
    .action((folder: string, options: RestoreOptions) => restore(cli, folder, options));
