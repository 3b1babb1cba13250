import type { ManageTypes } from '@continuo/client';
import { Command, Option } from 'commander';
import { counted, OperatorError } from '@continuo/operations';
import type { Cli } from '../cli.js';
import { contentsOf, listedCatalog, listedCatalogs } from './find-listed-catalog.js';
import { accountOf, storageOf } from './wanted-catalog.js';

interface SetOptions {
  readonly name?: string;
  readonly enable?: true;
  readonly disable?: true;
  readonly folders?: string;
  readonly files?: string;
  readonly watch?: 'on' | 'off' | 'server';
  readonly schedule?: string;
  readonly account?: string;
  readonly region?: string;
}

/** An empty pattern is none. */
const pattern = (text: string): string | null => (text.trim() === '' ? null : text);

/** As the API has it: null follows the server, an empty expression is never. */
const scheduleOf = (text: string): string | null => {
  if (text === 'server') return null;
  return text === 'never' ? '' : text;
};

const termsOf = ({ name, enable, disable, folders, files, watch, schedule, ...place }: SetOptions, secret: string | undefined) => {
  if (enable && disable) throw new OperatorError('a catalog cannot be both on and off');
  const terms = {
    ...(name === undefined ? {} : { name }),
    ...(enable || disable ? { enabled: enable === true } : {}),
    ...(folders === undefined ? {} : { folderPattern: pattern(folders) }),
    ...(files === undefined ? {} : { filePattern: pattern(files) }),
    ...(watch === undefined ? {} : { watched: watch === 'server' ? null : watch === 'on' }),
    ...(schedule === undefined ? {} : { scanSchedule: scheduleOf(schedule) }),
    ...accountOf(place, secret),
  };
  if (Object.keys(terms).length === 0) throw new OperatorError('nothing is to be changed; see --help');
  return terms;
};

const change = async (cli: Cli, which: string, options: SetOptions): Promise<void> => {
  const body = termsOf(options, cli.settings().CONTINUO_CATALOG_SECRET);
  const api = await cli.api();
  for (const { id } of await listedCatalogs(api, which)) {
    await api.ask((client) => client.PATCH('/catalogs/{id}', { params: { path: { id } }, body }));
    cli.terminal.print(`Catalog ${id} is changed.`);
  }
};

const move = async (cli: Cli, which: string, folder: string, { force = false }: { readonly force?: boolean }): Promise<void> => {
  const api = await cli.api();
  const { id } = await listedCatalog(api, which, 'moved');
  const body = { path: storageOf(api, folder).path, forceMove: force };
  const { path } = await api.ask((client) => client.PATCH('/catalogs/{id}', { params: { path: { id } }, body }));
  cli.terminal.print(`The files of catalog ${id} are looked for in ${path} now; songs keep their numbers, ratings and plays.`);
};

const remove = async (cli: Cli, which: string, { yes }: { readonly yes?: true }): Promise<void> => {
  const api = await cli.api();
  const catalog = await listedCatalog(api, which, 'removed');
  const { id, name } = catalog;
  if (!yes) {
    const what = `${contentsOf(catalog)} of ${name} would leave the library with everything known from it; no file is touched`;
    throw new OperatorError(`nothing was removed: ${what}`, 'say --yes to go on');
  }
  await api.ask((client) => client.DELETE('/catalogs/{id}', { params: { path: { id } } }));
  cli.terminal.print(`${name} is removed from the library, with ${contentsOf(catalog)}. Its files stay where they are.`);
};

const sort = async (cli: Cli, which: string, { apply = false }: { readonly apply?: boolean }): Promise<void> => {
  const api = await cli.api();
  const { id } = await listedCatalog(api, which, 'sorted');
  let [moved, refused] = [0, 0];
  for (let afterSongId: number | null = 0; afterSongId !== null;) {
    const body: ManageTypes['schemas']['NewFileMoves'] = { afterSongId, apply };
    const { moves, nextSongId } = await api.ask((client) => client.POST('/catalogs/{id}/file-moves', { params: { path: { id } }, body }));
    for (const { from, to, refused: why, leftBehind } of moves) {
      cli.terminal.print(why === null ? `${from} -> ${to}` : `${from} stays: ${why}`);
      for (const words of leftBehind) cli.terminal.print(`  ${words.fileName} beside it stays: ${words.why}`);
      if (why === null) moved += 1;
      else refused += 1;
    }
    afterSongId = nextSongId;
  }
  const stay = refused === 0 ? '' : ` ${refused} stay where they are.`;
  cli.terminal.print(apply ? `${counted(moved, 'file')} moved.${stay}` : `${counted(moved, 'file')} would move: "--apply" does it.`);
};

/** `continuo catalog set`, `sort`, `move` and `remove`: what is said of a catalog, where its files lie, and its end. */
export const changeCommands = (cli: Cli): Command[] => [
  new Command('set')
    .argument('<catalog>', 'number or name')
    .description('change what is said of a catalog')
    .option('--name <name>')
    .option('--enable', 'scan it by the clock and the watch, and let it take uploads')
    .option('--disable', 'leave it alone until somebody asks')
    .addOption(new Option('--watch <when>', 'watch its folder; "server" follows SCAN_WATCH').choices(['on', 'off', 'server']))
    .option('--schedule <cron>', 'scan it by the clock, as in "0 3 * * *", or "never"; "server" follows SCAN_SCHEDULE')
    .option('--folders <pattern>', 'folders of uploaded files, as in "%a/%A"; empty for none')
    .option('--account <name>', 'access key or user name at another place; its secret is read from CONTINUO_CATALOG_SECRET')
    .option('--region <region>', 'of S3 storage')
    .option('--files <pattern>', 'names of uploaded files, as in "%T - %t"; empty to keep theirs')
    .action((which: string, options: SetOptions) => change(cli, which, options)),
  new Command('sort')
    .argument('<catalog>', 'number or name')
    .description('move files to where the patterns of their catalog say; shows what would be moved')
    .option('--apply', 'move them')
    .action((which: string, options: { apply?: boolean }) => sort(cli, which, options)),
  new Command('move')
    .argument('<catalog>', 'number or name')
    .argument('<folder>', 'where its files lie now, on the server')
    .description('say that the files of a catalog lie in another folder, or under another address of the same kind (with --force)')
    .option('--force', 'even if known files are not there')
    .action((which: string, folder: string, options: { force?: boolean }) => move(cli, which, folder, options)),
  new Command('remove')
    .argument('<catalog>', 'number or name')
    .description('take a catalog out of the library with everything known from it; no file is touched')
    .option('--yes', 'really')
    .action((which: string, options: { yes?: true }) => remove(cli, which, options)),
];
