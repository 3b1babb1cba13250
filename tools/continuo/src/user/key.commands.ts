import type { ManageTypes } from '@continuo/client';
import { InvalidArgumentError, type Command } from 'commander';
import { OperatorError } from '@continuo/operations';
import type { Cli } from '../cli.js';
import type { Api } from '../connect/api.js';
import { formatTable } from '../output/table.js';
import { accountNamed } from './find-account.js';

type ApiKey = ManageTypes['schemas']['ApiKey'];

const keysOf = async (api: Api, username: string): Promise<ApiKey[]> => {
  const { id: accountId } = await accountNamed(api, username);
  return api.all((client, cursor) => client.GET('/keys', { params: { query: { accountId, ...cursor } } }));
};

/** Length of a key's id as it is shown and has to be typed. */
const SHOWN_ID_LENGTH = 12;

const dayOf = (time: string | null): string | null => time && time.slice(0, 10);

const listKeys = async (cli: Cli, username: string): Promise<void> => {
  const keys = await keysOf(await cli.api(), username);
  const rows = keys.map(({ id, name, scopes, createdAt, expiresAt, lastUsedAt }) => [
    id.slice(0, SHOWN_ID_LENGTH),
    name,
    dayOf(createdAt),
    dayOf(expiresAt),
    dayOf(lastUsedAt),
    scopes?.join(' ') ?? 'everything',
  ]);
  cli.terminal.print(formatTable(['Key', 'Name', 'Since', 'Until', 'Last used', 'Opens'], rows));
};

interface IssueOptions {
  readonly name: string;
  readonly scope?: NonNullable<ApiKey['scopes']>;
  readonly expires?: Date;
}

/** Reads a point in time; a date is its midnight in UTC. @throws InvalidArgumentError */
export const pointInTime = (text: string): Date => {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('A date such as 2027-01-31 is wanted, or a time such as 2027-01-31T18:00Z.');
  return time;
};

const issueKey = async (cli: Cli, username: string, { name, scope: scopes, expires }: IssueOptions): Promise<void> => {
  const api = await cli.api();
  const { id: accountId } = await accountNamed(api, username);
  const terms = { accountId, name, ...(scopes ? { scopes } : {}), ...(expires ? { expiresAt: expires.toISOString() } : {}) };
  const { key } = await api.ask((client) => client.POST('/keys', { body: terms }));
  cli.terminal.print(`API key "${name}" of ${username}, shown only now: ${key}`);
};

const revokeKeys = async (cli: Cli, username: string, which: string): Promise<void> => {
  const api = await cli.api();
  const isMeant = ({ id, name }: ApiKey): boolean => name === which || (which.length >= 4 && id.startsWith(which));
  const meant = (await keysOf(api, username)).filter(isMeant);
  if (meant.length === 0) throw new OperatorError(`${username} has no key "${which}"`, `"continuo user keys ${username}" shows them`);
  for (const { id } of meant) await api.ask((client) => client.DELETE('/keys/{id}', { params: { path: { id } } }));
  cli.terminal.print(`${meant.length === 1 ? 'One key' : `${meant.length} keys`} of ${username} revoked.`);
};

/** Adds what issues, shows and revokes API keys. */
export const addKeyCommands = (command: Command, cli: Cli): void => {
  command
    .command('key <name>')
    .description('issue an API key and show it once')
    .option('--name <label>', 'what the key is for', 'default')
    .option(
      '--scope <scope...>',
      'what it opens: listen, manage:read, manage:write, or a family such as manage:read:scans; everything when absent',
    )
    .option('--expires <time>', 'when it opens nothing any more; a date begins at midnight UTC', pointInTime)
    .action((name: string, options: IssueOptions) => issueKey(cli, name, options));
  command
    .command('keys <name>')
    .description('the API keys of an account: what they open, until when, and when they were used last')
    .action((name: string) => listKeys(cli, name));
  command
    .command('revoke-key <name> <key>')
    .description('revoke the keys of that label, or the one whose number begins so')
    .action((name: string, key: string) => revokeKeys(cli, name, key));
};
