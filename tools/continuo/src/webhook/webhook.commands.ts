import { allPublicEventTypes, publicEventPattern, publicEventTypes, webhookSecret } from '@continuo/contracts';
import type { ManageTypes } from '@continuo/client';
import { Command, InvalidArgumentError } from 'commander';
import { counted } from '@continuo/operations';
import type { Cli } from '../cli.js';
import { formatTable } from '../output/table.js';
import { accountNamed, namesOfAccounts } from '../user/find-account.js';
import { wholeNumber } from '../whole-number.js';

const LEAST_ERROR = 300;
const SHOWN = 50;

interface AddOptions {
  readonly events: string[];
  readonly user?: string;
  readonly name: string;
  readonly secret?: string;
}

const add = async (cli: Cli, url: string, { events, user, name, secret }: AddOptions): Promise<void> => {
  const api = await cli.api();
  const accountId = user === undefined ? null : (await accountNamed(api, user)).id;
  const body = { url, events, accountId, name, ...(secret === undefined ? {} : { secret }) };
  const webhook = await api.ask((client) => client.POST('/webhooks', { body }));
  cli.terminal.print(`Webhook ${webhook.id} is told of ${events.join(', ')}${user === undefined ? '' : `, as far as ${user} may see it`}.`);
  if (secret === undefined) cli.terminal.print(`Its secret, shown only now: ${webhook.secret}`);
};

const endings: Readonly<Record<NonNullable<ManageTypes['schemas']['Webhook']['endedBy']>, string>> = {
  operator: 'off',
  gone: 'off: the receiver is gone',
  failing: 'off: never took anything',
};

const list = async (cli: Cli): Promise<void> => {
  const api = await cli.api();
  const webhooks = await api.all((client, cursor) => client.GET('/webhooks', { params: { query: cursor } }));
  const names = await namesOfAccounts(
    api,
    webhooks.flatMap(({ accountId }) => accountId ?? []),
  );
  const cells = webhooks.map(({ id, name, host, events, accountId, enabled, endedBy }) => [
    id,
    name,
    host,
    events.join(' '),
    accountId === null ? 'operator' : (names.get(accountId) ?? 'nobody any more'),
    enabled ? 'on' : endings[endedBy ?? 'operator'],
  ]);
  cli.terminal.print(formatTable(['Id', 'Name', 'Host', 'Events', 'Sees as', 'State'], cells));
};

const remove = async (cli: Cli, id: number): Promise<void> => {
  const api = await cli.api();
  await api.ask((client) => client.DELETE('/webhooks/{id}', { params: { path: { id } } }));
  cli.terminal.print(`Webhook ${id} is gone.`);
};

const turn = async (cli: Cli, id: number, enabled: boolean): Promise<void> => {
  const api = await cli.api();
  await api.ask((client) => client.PATCH('/webhooks/{id}', { params: { path: { id } }, body: { enabled } }));
  cli.terminal.print(`Webhook ${id} is told ${enabled ? 'again' : 'nothing more'}.`);
};

const test = async (cli: Cli, id: number): Promise<void> => {
  const api = await cli.api();
  const { host } = await api.ask((client) => client.GET('/webhooks/{id}', { params: { path: { id } } }));
  const { status, fault, durationMs } = await api.ask((client) => client.POST('/webhooks/{id}/tests', { params: { path: { id } } }));
  const isTaken = status !== null && status < LEAST_ERROR;
  cli.terminal.print(
    isTaken ? `${host} answered ${status} after ${durationMs} ms.` : `${host} did not take it after ${durationMs} ms: ${fault ?? status}.`,
  );
  if (!isTaken) cli.fail();
};

const time = (text: string | null): string | null => text && text.slice(0, 19);

const deliveries = async (cli: Cli, id: number): Promise<void> => {
  const api = await cli.api();
  const rows = await api.all(
    (client, cursor) => client.GET('/webhooks/{id}/deliveries', { params: { path: { id }, query: { limit: SHOWN, ...cursor } } }),
    SHOWN,
  );
  const cells = rows.map(({ eventId, type, outcome, attempts, status, lastAt, nextAt, fault }) => [
    eventId,
    type,
    outcome,
    attempts,
    status === null ? '-' : String(status),
    time(lastAt),
    time(nextAt),
    fault ?? '',
  ]);
  cli.terminal.print(formatTable(['Event', 'Type', 'Outcome', 'Attempts', 'Status', 'Last attempt', 'Next attempt', 'Fault'], cells));
  if (rows.length === SHOWN) cli.terminal.print(`Only the latest ${SHOWN} are shown.`);
};

const replay = async (cli: Cli, id: number): Promise<void> => {
  const api = await cli.api();
  const { redelivered } = await api.ask((client) => client.POST('/webhooks/{id}/redeliveries', { params: { path: { id } } }));
  cli.terminal.print(redelivered === 0 ? 'Nothing to replay.' : `${counted(redelivered, 'event')} told again.`);
};

const idOf = wholeNumber(1, undefined, 'expected a number that "webhook list" shows');

const patternOf = (text: string, before: string[] = []): string[] => {
  if (!publicEventPattern.safeParse(text).success)
    throw new InvalidArgumentError(`"${text}" names no event; "continuo webhook events" shows them`);
  return [...before, text];
};

const secretOf = (text: string): string => {
  const parsed = webhookSecret.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError('expected whsec_ and 24 to 64 bytes in base64');
  return parsed.data;
};

const addCommand = (cli: Cli): Command =>
  new Command('add')
    .description('tell a server elsewhere what happens')
    .argument('<url>', 'where to POST to')
    .requiredOption('--events <patterns...>', 'types, families such as "play.*", or "*"', patternOf)
    .option('--user <name>', 'tell what this account may see, its private doings included (default: what administrators see)')
    .option('--name <name>', 'for lists', '')
    .option('--secret <whsec_…>', 'secret for the signatures (default: one is made up)', secretOf)
    .action((url: string, options: AddOptions) => add(cli, url, options));

/** `continuo webhook …`: servers elsewhere that are told what happens. */
export const webhookCommand = (cli: Cli): Command => {
  const command = new Command('webhook').description('servers elsewhere that are told what happens');
  command.addCommand(addCommand(cli));
  const on = (name: string, description: string, action: (id: number) => Promise<void>): void => {
    command.command(name).description(description).argument('<id>', 'its number', idOf).action(action);
  };
  command
    .command('list')
    .description('which there are')
    .action(() => list(cli));
  on('remove', 'remove a webhook with everything that waits for it', (id) => remove(cli, id));
  on('enable', 'tell it again, of what happens from now on', (id) => turn(cli, id, true));
  on('disable', 'tell it nothing more', (id) => turn(cli, id, false));
  on('test', 'send it a test, and show what it answers', (id) => test(cli, id));
  on('deliveries', `how the latest ${SHOWN} deliveries went`, (id) => deliveries(cli, id));
  on('replay', 'tell it again of what was put aside', (id) => replay(cli, id));
  command
    .command('events')
    .description('what can be told')
    .action(() =>
      cli.terminal.print(
        formatTable(
          ['Type', 'Means'],
          allPublicEventTypes.map((type) => [type, publicEventTypes[type]]),
        ),
      ),
    );
  return command;
};
