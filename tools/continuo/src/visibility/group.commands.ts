import { Command } from 'commander';
import { counted } from '@continuo/operations';
import { allCatalogs, listedCatalogs } from '../catalog/find-listed-catalog.js';
import type { Cli } from '../cli.js';
import type { Api } from '../connect/api.js';
import { formatTable } from '../output/table.js';
import { accountNamed, accountsOf } from '../user/find-account.js';
import { allGroups, DEFAULT_GROUP, findGroup, findGroupOrDefault } from './find-group.js';

const catalogIds = async (api: Api, wanted: readonly string[]): Promise<number[]> => {
  const found = await Promise.all(wanted.map((one) => listedCatalogs(api, one)));
  return [...new Set(found.flat().map(({ id }) => id))];
};

const list = async (cli: Cli): Promise<void> => {
  const api = await cli.api();
  const [groups, accounts, catalogs] = await Promise.all([allGroups(api), accountsOf(api, {}), allCatalogs(api)]);
  const members = (group: number | null): number => accounts.filter(({ catalogGroupId }) => catalogGroupId === group).length;
  const sees = (ids: readonly number[]): string => catalogs.flatMap(({ id, name }) => (ids.includes(id) ? [name] : [])).join(', ');
  const rows = [
    ['', DEFAULT_GROUP, members(null), 'all catalogs'],
    ...groups.map((one) => [one.id, one.name, members(one.id), sees(one.catalogIds) || 'no catalog']),
  ];
  cli.terminal.print(formatTable(['Id', 'Group', 'Accounts', 'Sees'], rows));
};

const add = async (cli: Cli, name: string, catalogs: readonly string[]): Promise<void> => {
  const api = await cli.api();
  const body = { name, catalogIds: await catalogIds(api, catalogs) };
  const { id } = await api.ask((client) => client.POST('/catalog-groups', { body }));
  const sees = `Group ${name} (number ${id}) sees ${body.catalogIds.length} of the catalogs.`;
  cli.terminal.print(`${sees} "continuo user group <account> ${name}" lets an account belong to it.`);
};

const change = async (cli: Cli, wanted: string, catalogs: readonly string[], shows: boolean): Promise<void> => {
  const api = await cli.api();
  const [{ id }, ids] = [await findGroup(api, wanted), await catalogIds(api, catalogs)];
  const path = { id };
  const { answer: group, etag } = await api.tagged((client) => client.GET('/catalog-groups/{id}', { params: { path } }));
  const others = group.catalogIds.filter((one) => !ids.includes(one));
  const params = { path, header: { 'If-Match': etag } };
  const body = { catalogIds: shows ? [...others, ...ids] : others };
  await api.ask((client) => client.PATCH('/catalog-groups/{id}', { params, body }));
  cli.terminal.print(`Group ${group.name} ${shows ? 'sees' : 'does not see'} ${catalogs.join(', ')}.`);
};

const rename = async (cli: Cli, wanted: string, name: string): Promise<void> => {
  const api = await cli.api();
  const { id } = await findGroup(api, wanted);
  await api.ask((client) => client.PATCH('/catalog-groups/{id}', { params: { path: { id } }, body: { name } }));
  cli.terminal.print(`Group ${id} is called ${name}.`);
};

const remove = async (cli: Cli, wanted: string, moveTo: string | undefined): Promise<void> => {
  const api = await cli.api();
  const { id, name } = await findGroup(api, wanted);
  const target = moveTo === undefined ? undefined : await findGroupOrDefault(api, moveTo);
  const query = target === undefined ? {} : target === null ? { moveToAll: true } : { moveTo: target.id };
  const members = (await accountsOf(api, {})).filter(({ catalogGroupId }) => catalogGroupId === id).length;
  await api.ask((client) => client.DELETE('/catalog-groups/{id}', { params: { path: { id }, query } }));
  const moved = members > 0 ? `; ${counted(members, 'account')} moved to ${target?.name ?? DEFAULT_GROUP}` : '';
  cli.terminal.print(`Group ${name} is gone${moved}.`);
};

const join = async (cli: Cli, username: string, wanted: string): Promise<void> => {
  const api = await cli.api();
  const [{ id }, group] = [await accountNamed(api, username), await findGroupOrDefault(api, wanted)];
  const body = { catalogGroupId: group?.id ?? null };
  await api.ask((client) => client.PATCH('/accounts/{id}', { params: { path: { id } }, body }));
  cli.terminal.print(`${username} ${group ? `sees the catalogs of ${group.name}` : 'sees all catalogs'}.`);
};

/** `continuo catalog group …`: groups of catalogs, which say what the accounts that belong to them see. */
export const groupCommand = (cli: Cli): Command => {
  const command = new Command('group').description('groups of catalogs: an account sees those of its group; the default group sees all');
  command
    .command('list')
    .description('all groups, how many accounts belong to them, and what these see')
    .action(() => list(cli));
  command
    .command('add <name> [catalogs...]')
    .description('make a group that sees these catalogs')
    .action((name: string, catalogs: string[]) => add(cli, name, catalogs));
  command
    .command('show <group> <catalogs...>')
    .description('let a group see further catalogs')
    .action((group: string, catalogs: string[]) => change(cli, group, catalogs, true));
  command
    .command('hide <group> <catalogs...>')
    .description('hide catalogs from a group')
    .action((group: string, catalogs: string[]) => change(cli, group, catalogs, false));
  command
    .command('rename <group> <name>')
    .description('give a group another name')
    .action((group: string, name: string) => rename(cli, group, name));
  command
    .command('remove <group>')
    .description('remove a group')
    .option('--move-to <group>', 'where its accounts go; "default" sees everything')
    .action((group: string, options: { moveTo?: string }) => remove(cli, group, options.moveTo));
  return command;
};

/** `continuo user group <name> <group>`: which catalogs an account sees. */
export const userGroupCommand = (cli: Cli): Command =>
  new Command('group')
    .description('let an account belong to a group of catalogs; "default" sees all')
    .argument('<name>', 'the account')
    .argument('<group>', 'a group of "continuo catalog group list"')
    .action((name: string, group: string) => join(cli, name, group));
