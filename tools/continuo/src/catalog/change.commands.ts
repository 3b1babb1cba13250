import { resolve } from 'node:path';
import { changeCatalog, fileByPattern, isElsewhere, moveCatalog, parsePlaceAddress, placeAddressText } from '@continuo/contracts';
import { Command } from 'commander';
import type { z } from 'zod';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import { findCatalogs } from './find-catalog.js';
import { accountOf } from './wanted-catalog.js';

/** Where the files lie now: a folder, or the address of another place. */
const movedTo = (place: string): string => {
  const address = parsePlaceAddress(place);
  if (!address && isElsewhere(place)) throw new CliError(`${place} is no address of a catalog`, 'docs/operate/catalogs.md has examples');
  return address ? placeAddressText(address) : resolve(place);
};

/** How long to wait until a change shows in lists, ms. */
const READABLE_WITHIN_MS = 5000;

interface SetOptions {
  readonly name?: string;
  readonly enable?: true;
  readonly disable?: true;
  readonly folders?: string;
  readonly files?: string;
  readonly account?: string;
  readonly region?: string;
}

/** An empty pattern is none. */
const pattern = (text: string): string | null => (text.trim() === '' ? null : text);

const termsOf = ({ name, enable, disable, folders, files, ...place }: SetOptions, secret: string | undefined) => {
  if (enable && disable) throw new CliError('a catalog cannot be both on and off');
  const terms = {
    ...(name === undefined ? {} : { name }),
    ...(enable || disable ? { enabled: enable === true } : {}),
    ...(folders === undefined ? {} : { sortPattern: pattern(folders) }),
    ...(files === undefined ? {} : { renamePattern: pattern(files) }),
    ...accountOf(place, secret),
  };
  if (Object.keys(terms).length === 0) throw new CliError('nothing is to be changed; see --help');
  return terms;
};

const change = (cli: Cli, which: string, options: SetOptions): Promise<void> =>
  cli.withSession(async ({ db, commands, context, watch }) => {
    const terms = termsOf(options, cli.settings().CONTINUO_CATALOG_SECRET);
    for (const { id } of await findCatalogs(db, which)) {
      const { positions } = await commands.send(changeCatalog, { catalogId: id, ...terms }, context());
      await watch.waitFor(positions, READABLE_WITHIN_MS);
      cli.terminal.print(`Catalog ${id} is changed.`);
    }
  });

const move = (cli: Cli, which: string, folder: string, { force = false }: { readonly force?: boolean }): Promise<void> =>
  cli.withSession(async ({ db, commands, context, watch }) => {
    const [catalog, ...others] = await findCatalogs(db, which);
    if (catalog === undefined || others.length > 0) throw new CliError('one catalog is moved at a time');
    const { id } = catalog;
    const { result, positions } = await commands.send(moveCatalog, { catalogId: id, path: movedTo(folder), force }, context());
    await watch.waitFor(positions, READABLE_WITHIN_MS);
    cli.terminal.print(`The files of catalog ${id} are looked for in ${result.path} now; songs keep their numbers, ratings and plays.`);
  });

const TIMEOUT_MS = 10 * 60_000;

const sort = (cli: Cli, which: string, { apply = false }: { readonly apply?: boolean }): Promise<void> =>
  cli.withSession(async ({ db, commands, context }) => {
    const [catalog, ...others] = await findCatalogs(db, which);
    if (catalog === undefined || others.length > 0) throw new CliError('one catalog is sorted at a time');
    let [moved, refused] = [0, 0];
    let afterSongId: number | null = 0;
    while (afterSongId !== null) {
      const asked: z.input<typeof fileByPattern.schema> = { catalogId: catalog.id, afterSongId, apply };
      const { result } = await commands.send(fileByPattern, asked, context(), { timeoutMs: TIMEOUT_MS });
      for (const { from, to, refused: why, leftBehind = [] } of result.moves) {
        cli.terminal.print(why === undefined ? `${from} -> ${to}` : `${from} stays: ${why}`);
        for (const words of leftBehind) cli.terminal.print(`  ${words.fileName} beside it stays: ${words.why}`);
        if (why === undefined) moved += 1;
        else refused += 1;
      }
      afterSongId = result.nextSongId;
    }
    const stay = refused === 0 ? '' : ` ${refused} stay where they are.`;
    cli.terminal.print(apply ? `${moved} files are moved.${stay}` : `${moved} files would be moved. "--apply" moves them.`);
  });

/** `continuo catalog set`, `sort` and `move`: what is said of a catalog, and where its files lie. */
export const changeCommands = (cli: Cli): Command[] => [
  new Command('set')
    .argument('<catalog>', 'number or name')
    .description('change what is said of a catalog')
    .option('--name <name>')
    .option('--enable', 'scan it by the clock and the watch, and let it take uploads')
    .option('--disable', 'leave it alone until somebody asks')
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
    .argument('<folder>', 'where its files lie now')
    .description('say that the files of a catalog lie in another folder, or under another address of the same kind (with --force)')
    .option('--force', 'even if known files are not there')
    .action((which: string, folder: string, options: { force?: boolean }) => move(cli, which, folder, options)),
];
