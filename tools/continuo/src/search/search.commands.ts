import { Argument, Command } from 'commander';
import { searchIndexNames } from '@continuo/search-index';
import type { Cli } from '../cli.js';
import { formatTable } from '../output/table.js';

const status = async (cli: Cli): Promise<void> => {
  const api = await cli.api();
  const indexes = await api.all((client, cursor) => client.GET('/search-indexes', { params: { query: cursor } }));
  const rows = indexes.map(({ name, state, position, fault }) =>
    state === 'absent'
      ? [name, 'not kept', '', name === 'meilisearch' ? 'MEILI_URL is not set, or it does not answer, or refuses MEILI_KEY' : '']
      : [name, state, position, fault ?? 'ok'],
  );
  cli.terminal.print(formatTable(['Search index', 'State', 'Position', 'Health'], rows));
  if (rows.some(([, state, , health]) => state !== 'not kept' && health !== 'ok')) cli.fail();
};

const rebuild = async (cli: Cli, name: string): Promise<void> => {
  const api = await cli.api();
  await api.ask((client) => client.POST('/search-indexes/{name}/rebuilds', { params: { path: { name } } }));
  cli.terminal.print(`The search index ${name} is being built anew; the old one answers meanwhile.`);
};

/** `continuo search …`: the indexes that find things by words. */
export const searchCommand = (cli: Cli): Command => {
  const command = new Command('search').description('indexes that find things by words');
  command
    .command('status')
    .description('whether each one is kept, and how far it is')
    .action(() => status(cli));
  command
    .command('rebuild')
    .description('build one anew from what the library holds')
    .addArgument(new Argument('<index>', 'which one').choices(searchIndexNames))
    .action((index: string) => rebuild(cli, index));
  return command;
};
