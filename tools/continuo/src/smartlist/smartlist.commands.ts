import type { ManageTypes } from '@continuo/client';
import { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { OperatorError, counted } from '@continuo/operations';
import type { Cli } from '../cli.js';
import { orNotFound, type Api } from '../connect/api.js';
import { formatTable } from '../output/table.js';
import { accountNamed, namesOfAccounts } from '../user/find-account.js';
import { smartlistOf } from './navidrome-file.js';
import { rulesFrom } from './rules-argument.js';

const MAX_LIMIT = 1_000_000;

type Smartlist = ManageTypes['schemas']['Smartlist'];

interface Terms {
  readonly owner?: string;
  readonly public?: boolean;
  readonly any?: boolean;
  readonly limit?: string;
  readonly random?: boolean;
}

const limitOf = (text: string | undefined): number => {
  const limit = Number(text ?? 0);
  if (!Number.isInteger(limit) || limit < 0 || limit > MAX_LIMIT) throw new OperatorError(`"${text}" is no number of songs`);
  return limit;
};

type Made = Required<Pick<ManageTypes['schemas']['NewSmartlist'], 'name' | 'rules' | 'logic' | 'isRandom'>> & { readonly limit: number };

const keep = async (cli: Cli, { owner, public: isPublic }: Terms, { limit, ...search }: Made): Promise<void> => {
  const api = await cli.api();
  const ownerId = owner === undefined ? null : (await accountNamed(api, owner)).id;
  // A list without owner would be visible to administrators only.
  const body = { ...search, ownerId, isPublic: isPublic === true || owner === undefined, limit: limit === 0 ? null : limit };
  const { id, name, rules } = await api.ask((client) => client.POST('/smartlists', { body }));
  cli.terminal.print(`Smartlist smart_${id}, "${name}", has ${counted(rules.length, 'rule')}.`);
};

const create = async (cli: Cli, name: string, texts: readonly string[], terms: Terms): Promise<void> => {
  const logic = terms.any ? 'or' : 'and';
  await keep(cli, terms, { name, rules: rulesFrom(texts), logic, limit: limitOf(terms.limit), isRandom: terms.random === true });
};

const importFile = async (cli: Cli, path: string, terms: Terms): Promise<void> => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new OperatorError(`"${path}" cannot be read`, undefined, { cause });
  });
  const { unknown, ...list } = smartlistOf(text, basename(path).replace(/\.nsp$/i, ''));
  for (const line of unknown) cli.terminal.warn(`left out: ${line}`);
  await keep(cli, terms, list);
};

const list = async (cli: Cli): Promise<void> => {
  const api = await cli.api();
  const lists = await api.all((client, cursor) => client.GET('/smartlists', { params: { query: { limit: 500, ...cursor } } }));
  const names = await namesOfAccounts(
    api,
    lists.flatMap(({ ownerId }) => ownerId ?? []),
  );
  const rows = lists.map((one) => [
    `smart_${one.id}`,
    one.name,
    one.ownerId === null ? 'System' : (names.get(one.ownerId) ?? null),
    one.isPublic ? 'public' : 'private',
    one.rules.length,
    one.limit,
    one.isRandom ? 'random' : '',
    one.lastCount,
  ]);
  cli.terminal.print(formatTable(['Id', 'Name', 'Owner', 'Type', 'Rules', 'Limit', 'Order', 'Songs'], rows));
};

const found = async (api: Api, text: string): Promise<Smartlist> => {
  const digits = /^(?:smart_)?([1-9]\d{0,8})$/.exec(text.trim())?.[1];
  const path = { id: Number(digits) };
  const known =
    digits === undefined
      ? undefined
      : await orNotFound(
          'smartlist.not-found',
          api.ask((client) => client.GET('/smartlists/{id}', { params: { path } })),
        );
  if (!known) throw new OperatorError(`there is no smartlist "${text}"`, '"continuo smartlist list" shows all of them');
  return known;
};

const show = async (cli: Cli, text: string): Promise<void> => {
  const { name, rules, logic } = await found(await cli.api(), text);
  cli.terminal.print(`${name}: songs that fulfil ${logic === 'or' ? 'one' : 'all'} of`);
  for (const { name: rule, operator, input, subtype } of rules)
    cli.terminal.print(`  ${[rule, ...(subtype === null ? [] : [subtype]), operator, JSON.stringify(input)].join(' ')}`);
};

const remove = async (cli: Cli, text: string): Promise<void> => {
  const api = await cli.api();
  const { id, name } = await found(api, text);
  await api.ask((client) => client.DELETE('/smartlists/{id}', { params: { path: { id } } }));
  cli.terminal.print(`Smartlist smart_${id}, "${name}", is gone.`);
};

const withTerms = (command: Command): Command =>
  command
    .option('--owner <name>', 'whose list it is, for whom plays and ratings count; without it the list is nobody’s, and public')
    .option('--public', 'everybody may open it');

/** `continuo smartlist`: searches for songs that are kept, which clients see among the playlists. */
export const smartlistCommand = (cli: Cli): Command => {
  const command = new Command('smartlist').description('searches for songs that are kept as lists');
  command
    .command('list')
    .description('all smartlists')
    .action(() => list(cli));
  withTerms(command.command('create <name> <rules...>'))
    .description('keep a search; rules are JSON, or parameters as the API has them: rule_1=title rule_1_operator=0 rule_1_input=loud')
    .option('--any', 'songs that fulfil one of the rules; without it all of them')
    .option('--limit <songs>', 'the most songs')
    .option('--random', 'in another order each time, with a limit another choice too')
    .action((name: string, rules: string[], terms: Terms) => create(cli, name, rules, terms));
  withTerms(command.command('import <file>'))
    .description('make a smartlist of a smart playlist file (.nsp)')
    .action((file: string, terms: Terms) => importFile(cli, file, terms));
  command
    .command('show <id>')
    .description('what a smartlist looks for')
    .action((id: string) => show(cli, id));
  command
    .command('delete <id>')
    .description('end a smartlist')
    .action((id: string) => remove(cli, id));
  return command;
};
