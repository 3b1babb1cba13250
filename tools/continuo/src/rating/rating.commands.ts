import { Command } from 'commander';
import { listedCatalogs } from '../catalog/find-listed-catalog.js';
import type { Cli } from '../cli.js';
import type { Api } from '../connect/api.js';
import { accountNamed } from '../user/find-account.js';

interface ImportOptions {
  readonly catalog?: string;
  readonly dryRun?: boolean;
}

/** Imports the ratings of one catalog, or of all; answers how many songs were rated. */
const importAll = async (api: Api, wanted: { accountId: number; dryRun: boolean; catalogId?: number }): Promise<number> => {
  let songs = 0;
  for (let afterSongId: number | null = 0; afterSongId !== null;) {
    const body: typeof wanted & { afterSongId: number } = { ...wanted, afterSongId };
    const { songCount, nextSongId } = await api.ask((client) => client.POST('/rating-imports', { body }));
    songs += songCount;
    afterSongId = nextSongId;
  }
  return songs;
};

const importRatings = async (cli: Cli, user: string, { catalog, dryRun = false }: ImportOptions): Promise<void> => {
  const api = await cli.api();
  const { id: accountId } = await accountNamed(api, user);
  const catalogs = catalog === undefined ? [{}] : (await listedCatalogs(api, catalog)).map(({ id: catalogId }) => ({ catalogId }));
  let songs = 0;
  for (const one of catalogs) songs += await importAll(api, { accountId, dryRun, ...one });
  cli.terminal.print(`${songs} ${songs === 1 ? 'song' : 'songs'} ${dryRun ? 'would be rated' : 'rated'} as the tags say.`);
};

/** `continuo rating …`: ratings that stand in music files. */
export const ratingCommand = (cli: Cli): Command => {
  const command = new Command('rating').description('ratings that stand in music files');
  command
    .command('import <user>')
    .description("make what tags say an account's own ratings, once; what the account has rated itself stays")
    .option('--catalog <name>', 'only the songs of a catalog')
    .option('--dry-run', 'only count them')
    .action((user: string, options: ImportOptions) => importRatings(cli, user, options));
  return command;
};
