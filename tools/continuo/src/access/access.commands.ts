import type { AccessLevel } from '@continuo/contracts';
import type { ManageTypes } from '@continuo/client';
import { Argument, Command } from 'commander';
import type { Cli } from '../cli.js';
import { formatTable } from '../output/table.js';
import { accountNamed, namesOfAccounts } from '../user/find-account.js';
import { levelName, parseLevel } from '../user/levels.js';
import { parseAddresses, type AddressArgument } from './address-argument.js';
import { wholeNumber } from '../whole-number.js';

type Use = ManageTypes['schemas']['AccessRule']['type'];

const uses: readonly Use[] = ['rpc', 'stream', 'interface', 'network'];

const list = async (cli: Cli): Promise<void> => {
  const api = await cli.api();
  const rules = await api.all((client, cursor) => client.GET('/access-list', { params: { query: { limit: 500, ...cursor } } }));
  const names = await namesOfAccounts(
    api,
    rules.flatMap(({ userId }) => userId ?? []),
  );
  const rows = rules.map(({ id, name, type, start, end, level, userId, enabled }) => [
    id,
    name,
    type,
    start === end ? start : `${start}-${end}`,
    levelName(level),
    userId === null ? 'everybody' : (names.get(userId) ?? `number ${userId}`),
    enabled ? 'on' : 'off',
  ]);
  cli.terminal.print(formatTable(['Id', 'Name', 'Use', 'Addresses', 'Level', 'Account', 'State'], rows));
};

interface AddOptions {
  readonly level: AccessLevel;
  readonly user?: string;
  readonly name?: string;
  readonly off?: true;
}

const add = async (cli: Cli, type: Use, { startAddress: start, endAddress: end }: AddressArgument, options: AddOptions): Promise<void> => {
  const api = await cli.api();
  const userId = options.user === undefined ? null : (await accountNamed(api, options.user)).id;
  const { level, name = `${type} ${start}`, off = false } = options;
  const body = { name, type, start, end, level, userId, enabled: !off };
  const { id } = await api.ask((client) => client.POST('/access-list', { body }));
  cli.terminal.print(`Rule ${id} is in the access list.`);
};

interface Forced {
  readonly force?: true;
}

const turn = async (cli: Cli, id: number, enabled: boolean, query: Forced = {}): Promise<void> => {
  const api = await cli.api();
  await api.ask((client) => client.PATCH('/access-list/{id}', { params: { path: { id }, query }, body: { enabled } }));
  cli.terminal.print(`Rule ${id} ${enabled ? 'counts' : 'does not count'}.`);
};

const remove = async (cli: Cli, id: number, query: Forced): Promise<void> => {
  const api = await cli.api();
  await api.ask((client) => client.DELETE('/access-list/{id}', { params: { path: { id }, query } }));
  cli.terminal.print(`Rule ${id} is gone.`);
};

const parseRuleId = wholeNumber(1, 999_999_999, 'a rule is named by its number');

/** `continuo access …`: who may come from where, for what. */
export const accessCommand = (cli: Cli): Command => {
  const command = new Command('access').description('the access list: who may come from where, for what');
  command
    .command('list')
    .description('all rules')
    .action(() => list(cli));
  command
    .command('add')
    .description('admit accounts from an address, a range (first-last) or a network (10.0.0.0/8)')
    .addArgument(new Argument('<use>', 'rpc: the APIs; stream: media; interface: web pages; network: being told to others').choices(uses))
    .addArgument(new Argument('<addresses>').argParser(parseAddresses))
    .option('--level <level>', 'highest level that is asked for here: guest, user, content, catalog or admin', parseLevel, 75)
    .option('--user <account>', 'only this account (default: everybody)')
    .option('--name <name>', 'what the rule is called')
    .option('--off', 'keep it without counting yet')
    .action((use: Use, addresses: AddressArgument, options: AddOptions) => add(cli, use, addresses, options));
  const ofRule = (name: string, description: string): Command =>
    command.command(name).description(description).addArgument(new Argument('<rule>', 'its number').argParser(parseRuleId));
  const FORCE = ['--force', 'even if no other rule admits the key that asks'] as const;
  ofRule('enable', 'let a rule count').action((id: number) => turn(cli, id, true));
  ofRule('disable', 'keep a rule without counting')
    .option(...FORCE)
    .action((id: number, options: Forced) => turn(cli, id, false, options));
  ofRule('remove', 'remove a rule')
    .option(...FORCE)
    .action((id: number, options: Forced) => remove(cli, id, options));
  return command;
};
