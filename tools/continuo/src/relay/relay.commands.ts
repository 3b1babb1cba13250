import { relayServices, type RelayService } from '@continuo/contracts';
import { OperatorError } from '@continuo/operations';
import { Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../cli.js';
import { formatTable } from '../output/table.js';
import { accountNamed } from '../user/find-account.js';
import { addRefusedPlays } from './refused-plays.commands.js';

const SHOWN = 50;

const time = (text: string | null): string | null => text && text.slice(0, 19);

const list = async (cli: Cli): Promise<void> => {
  const api = await cli.api();
  const links = await api.all((client, cursor) => client.GET('/relay/links', { params: { query: { limit: 500, ...cursor } } }));
  if (links.length === 0) return cli.terminal.print('No account is linked with a service.');
  const cells = links.map(({ accountId, account, service, host, state, playsTaken, lastTakenAt, nextTryAt, problem }) => [
    account || `account ${accountId}`,
    service,
    host,
    state,
    playsTaken,
    time(lastTakenAt),
    time(nextTryAt),
    problem ?? '',
  ]);
  cli.terminal.print(formatTable(['Account', 'Service', 'Host', 'State', 'Taken', 'Latest', 'Next try', 'Fault'], cells));
};

const plays = async (cli: Cli, username: string): Promise<void> => {
  const api = await cli.api();
  const { id: accountId } = await accountNamed(api, username);
  const rows = await api.all(
    (client, cursor) => client.GET('/relay/plays', { params: { query: { accountId, limit: SHOWN, ...cursor } } }),
    SHOWN,
  );
  if (rows.length === 0) return cli.terminal.print('Nothing was told to anybody lately.');
  const cells = rows.map((row) => [row.service, row.songId, time(row.playedAt), row.outcome, time(row.toldAt), row.reason ?? '']);
  cli.terminal.print(formatTable(['Service', 'Song', 'Played', 'Outcome', 'At', 'Reason'], cells));
  if (rows.length === SHOWN) cli.terminal.print(`Only the latest ${SHOWN} are shown.`);
};

const link = async (cli: Cli, username: string, options: { readonly token: string; readonly address?: string }): Promise<void> => {
  const api = await cli.api();
  const { id: accountId } = await accountNamed(api, username);
  const body = { accountId, service: 'listenbrainz', ...options } as const;
  const { name } = await api.ask((client) => client.POST('/relay/links', { body }));
  cli.terminal.print(`${username} is linked${name === '' ? '' : `, as ${name} there`}.`);
};

const unlink = async (cli: Cli, username: string, service: RelayService): Promise<void> => {
  const api = await cli.api();
  const path = { accountId: (await accountNamed(api, username)).id, service };
  await api.ask((client) => client.DELETE('/relay/links/{accountId}/{service}', { params: { path } }));
  cli.terminal.print(`${service} is told nothing more of ${username}.`);
};

const hurry = async (cli: Cli, username: string, service: RelayService): Promise<void> => {
  const api = await cli.api();
  const path = { accountId: (await accountNamed(api, username)).id, service };
  const { state } = await api.ask((client) => client.POST('/relay/links/{accountId}/{service}/retry', { params: { path } }));
  if (state === 'refused') throw new OperatorError(`${service} refuses the account of ${username}`, 'it has to be linked again');
  cli.terminal.print(`What ${username} played is told to ${service} now.`);
};

const serviceOf = (text: string): RelayService => {
  const found = relayServices.find((service) => service === text);
  if (!found) throw new InvalidArgumentError(`expected ${relayServices.join(' or ')}`);
  return found;
};

/** `continuo relay …`: services elsewhere that are told what accounts play. */
export const relayCommand = (cli: Cli): Command => {
  const command = new Command('relay').description('services elsewhere that are told what accounts play');
  command
    .command('list')
    .description('which accounts are linked with which service, and how that goes')
    .action(() => list(cli));
  command
    .command('plays <account>')
    .description(`what became of the latest ${SHOWN} plays of an account`)
    .action((username: string) => plays(cli, username));
  command
    .command('link <account>')
    .description('link an account with ListenBrainz, or a server with its protocol; people do so on their account page')
    .requiredOption('--token <token>', 'what proves the account there')
    .option('--address <url>', 'another server than the usual one')
    .action((username: string, options: { token: string; address?: string }) => link(cli, username, options));
  const on = (name: string, description: string, action: (username: string, service: RelayService) => Promise<void>): void => {
    command
      .command(name)
      .description(description)
      .argument('<account>')
      .argument('<service>', relayServices.join(' or '), serviceOf)
      .action(action);
  };
  on('unlink', 'tell a service nothing more', (username, service) => unlink(cli, username, service));
  on('hurry', 'try what waits at once', (username, service) => hurry(cli, username, service));
  addRefusedPlays(cli, command);
  return command;
};
