import { Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { formatTable } from '../output/table.js';
import { changeCommands } from './change.commands.js';
import { allCatalogs, contentsOf } from './find-listed-catalog.js';
import { wantedCatalog, type WantedOptions } from './wanted-catalog.js';
import { groupCommand } from '../visibility/group.commands.js';

/** Kinds of media of a catalog. */
const mediaKinds = ['music', 'video', 'podcast'] as const;

interface AddOptions extends WantedOptions {
  readonly media: (typeof mediaKinds)[number];
}

const add = async (cli: Cli, place: string, { media, ...options }: AddOptions): Promise<void> => {
  const api = await cli.api();
  const wanted = wantedCatalog(api, place, { options, secret: cli.settings().CONTINUO_CATALOG_SECRET });
  const { id, path } = await api.ask((client) => client.POST('/catalogs', { body: { ...wanted, mediaType: media } }));
  // The server fetches the files of a podcast catalog.
  const next =
    media === 'podcast' ? 'Subscribe to feeds in a client: files of their episodes go there' : `Scan it with "continuo scan ${id}"`;
  cli.terminal.print(`Catalog ${id} holds ${path}. ${next}.`);
};

const list = async (cli: Cli): Promise<void> => {
  const rows = (await allCatalogs(await cli.api())).map((one) => [
    one.id,
    one.name,
    one.mediaType,
    contentsOf(one),
    one.enabled ? one.path : `${one.path} (off)`,
  ]);
  cli.terminal.print(formatTable(['Id', 'Name', 'Kind', 'Holds', 'Folder'], rows));
};

/** `continuo catalog …`: the folders that the library shows. */
export const catalogCommand = (cli: Cli): Command => {
  const command = new Command('catalog').description('folders that the library shows');
  command
    .command('add <place>')
    .description('add a folder of the server with music or videos, S3 storage, or another server; it is scanned by "continuo scan"')
    .option('--name <name>', "default: the folder's own name")
    .addOption(new Option('--media <kind>', 'what is in it').choices([...mediaKinds]).default('music'))
    .option('--account <name>', 'access key or user name at another place; its secret is read from CONTINUO_CATALOG_SECRET')
    .option('--region <region>', 'of S3 storage')
    .action((place: string, options: AddOptions) => add(cli, place, options));
  command
    .command('list')
    .description('all catalogs')
    .action(() => list(cli));
  for (const one of changeCommands(cli)) command.addCommand(one);
  command.addCommand(groupCommand(cli));
  return command;
};
