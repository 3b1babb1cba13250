import { shoutKinds } from '@continuo/contracts';
import { Command } from 'commander';
import { OperatorError } from '@continuo/operations';
import type { Cli } from '../cli.js';
import { orNotFound } from '../connect/api.js';
import { formatTable } from '../output/table.js';
import { accountNamed, namesOfAccounts } from '../user/find-account.js';

const MAX_ID = 0x7fffffff;
const SHOWN = 50;
const idOf = (text: string): number => {
  const id = Number(text);
  if (!Number.isInteger(id) || id < 1 || id > MAX_ID)
    throw new OperatorError(`"${text}" is no number of anything`, 'clients and the API show the numbers');
  return id;
};

const kindOf = (text: string): (typeof shoutKinds)[number] => {
  const kind = shoutKinds.find((one) => one === text);
  if (!kind) throw new OperatorError(`nobody can shout about a "${text}"`, `one of ${shoutKinds.join(', ')}`);
  return kind;
};

const add = async (cli: Cli, username: string, about: readonly [kind: string, id: string], text: string): Promise<void> => {
  const api = await cli.api();
  const { id: accountId } = await accountNamed(api, username);
  const body = { accountId, kind: kindOf(about[0]), objectId: idOf(about[1]), text };
  const { id, kind, objectId } = await api.ask((client) => client.POST('/shouts', { body }));
  cli.terminal.print(`Shout ${id} of ${username} about ${kind} ${objectId} can be read.`);
};

const list = async (cli: Cli): Promise<void> => {
  const api = await cli.api();
  const shouts = await api.all((client, cursor) => client.GET('/shouts', { params: { query: { limit: SHOWN, ...cursor } } }), SHOWN);
  const names = await namesOfAccounts(
    api,
    shouts.map(({ accountId }) => accountId),
  );
  const rows = shouts.map(({ id, at, accountId, kind, objectId, text }) => [
    id,
    at.slice(0, 16),
    names.get(accountId) ?? '',
    `${kind} ${objectId}`,
    text.replaceAll(/\s+/g, ' '),
  ]);
  cli.terminal.print(formatTable(['Id', 'At', 'By', 'About', 'Text'], rows));
};

const remove = async (cli: Cli, wanted: string): Promise<void> => {
  const api = await cli.api();
  const params = { path: { id: idOf(wanted) } };
  if (
    !(await orNotFound(
      'path.not-found',
      api.ask((client) => client.GET('/shouts/{id}', { params })),
    ))
  )
    throw new OperatorError(`there is no shout ${wanted}`, '"continuo shout list" shows the latest');
  await api.ask((client) => client.DELETE('/shouts/{id}', { params }));
  cli.terminal.print(`Shout ${wanted} is gone.`);
};

/** `continuo shout …`: what people say about things, for everybody to read. */
export const shoutCommand = (cli: Cli): Command => {
  const command = new Command('shout').description('what people say about songs, albums and artists');
  command
    .command('add <user> <kind> <number> <text>')
    .description('say something about a thing in the name of an account')
    .action((user: string, kind: string, number: string, text: string) => add(cli, user, [kind, number], text));
  command
    .command('list')
    .description(`the latest ${SHOWN}`)
    .action(() => list(cli));
  command
    .command('remove <id>')
    .description('take a shout away')
    .action((id: string) => remove(cli, id));
  return command;
};
