import type { ManageTypes } from '@continuo/client';
import { Command } from 'commander';
import type { Cli } from '../cli.js';
import type { Api } from '../connect/api.js';
import { formatTable } from '../output/table.js';
import { findGenre, type Genre } from './find-genre.js';

const stateOf = ({ hidden, mergedInto }: Genre): string => {
  if (mergedInto.length > 0) return `merged into ${mergedInto.map(({ name }) => name).join(', ')}`;
  return hidden ? 'hidden' : '';
};

const list = async (cli: Cli): Promise<void> => {
  const api = await cli.api();
  const genres = await api.all((client, cursor) => client.GET('/genres', { params: { query: { limit: 500, ...cursor } } }));
  const rows = genres
    .filter(({ songCount, hidden }) => songCount > 0 || hidden)
    .map((genre) => [genre.id, genre.name, genre.songCount, genre.albumCount, genre.artistCount, stateOf(genre)]);
  cli.terminal.print(formatTable(['Id', 'Name', 'Songs', 'Albums', 'Artists', 'State'], rows));
};

const change = (api: Api, { id }: Genre, body: ManageTypes['schemas']['GenreChange']): Promise<Genre> =>
  api.ask((client) => client.PATCH('/genres/{id}', { params: { path: { id } }, body }));

const hide = async (cli: Cli, wanted: string): Promise<void> => {
  const api = await cli.api();
  const { name } = await change(api, await findGenre(api, wanted), { hidden: true });
  cli.terminal.print(`${name} is hidden: lists of genres leave it out, songs keep it.`);
};

const show = async (cli: Cli, wanted: string): Promise<void> => {
  const api = await cli.api();
  const { name } = await change(api, await findGenre(api, wanted), { hidden: false });
  cli.terminal.print(`${name} is not hidden.`);
};

const unmerge = async (cli: Cli, wanted: string): Promise<void> => {
  const api = await cli.api();
  const { name } = await change(api, await findGenre(api, wanted), { mergedInto: [] });
  cli.terminal.print(`Songs carry ${name} where their tags name it.`);
};

const merge = async (cli: Cli, wanted: string, targets: readonly string[]): Promise<void> => {
  const api = await cli.api();
  const genre = await findGenre(api, wanted);
  const into: Genre[] = [];
  for (const target of targets) into.push(await findGenre(api, target));
  await change(api, genre, { mergedInto: into.map(({ id }) => id) });
  const names = into.map(({ name }) => name).join(', ');
  cli.terminal.print(`Songs whose tags name ${genre.name} carry ${names} instead, now and later.`);
};

/** `continuo genres …`: which genres lists show, and which stand for others. */
export const genresCommand = (cli: Cli): Command => {
  const command = new Command('genres').description('which genres lists show; genres that stand for others');
  const each = { hide: ['leave a genre out of the lists', hide], show: ['put a hidden genre back', show] } as const;
  command
    .command('list')
    .description('all genres that have songs, are hidden or merged')
    .action(() => list(cli));
  for (const [name, [description, decision]] of Object.entries(each))
    command
      .command(`${name} <genre>`)
      .description(description)
      .action((genre: string) => decision(cli, genre));
  command
    .command('merge <genre> <into...>')
    .description('let songs carry other genres instead, now and later')
    .action((genre: string, into: string[]) => merge(cli, genre, into));
  command
    .command('unmerge <genre>')
    .description('let songs carry a merged genre again')
    .action((genre: string) => unmerge(cli, genre));
  return command;
};
