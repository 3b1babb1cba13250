import type { Command } from 'commander';
import { counted } from '@continuo/operations';
import type { Cli } from '../cli.js';
import type { Api } from '../connect/api.js';
import { formatTable } from '../output/table.js';
import { accountNamed, namesOfAccounts } from '../user/find-account.js';
import { wholeNumbers } from '../whole-number.js';

const LISTED = 100;
/** Most plays that one request retries. */
const RETRIED_AT_ONCE = 500;

const filterOf = async (api: Api, username: string | undefined): Promise<{ accountId?: number }> =>
  username === undefined ? {} : { accountId: (await accountNamed(api, username)).id };

const list = async (cli: Cli, username: string | undefined): Promise<void> => {
  const api = await cli.api();
  const filter = { limit: LISTED, ...(await filterOf(api, username)) };
  const plays = await api.all(
    (client, cursor) => client.GET('/relay/refused-plays', { params: { query: { ...filter, ...cursor } } }),
    LISTED,
  );
  if (plays.length === 0) return cli.terminal.print('No play was put aside.');
  const names = await namesOfAccounts(
    api,
    plays.map(({ accountId }) => accountId),
  );
  const cells = plays.map(({ id, accountId, service, songId, playedAt, attempts, reason }) => [
    id,
    names.get(accountId) ?? `account ${accountId}`,
    service,
    songId,
    playedAt.slice(0, 19),
    attempts,
    reason,
  ]);
  cli.terminal.print(formatTable(['Number', 'Account', 'Service', 'Song', 'Played', 'Attempts', 'Reason'], cells));
  if (plays.length === LISTED) cli.terminal.print(`Only the first ${LISTED} are shown.`);
};

const replay = async (cli: Cli, ids: readonly number[], username: string | undefined): Promise<void> => {
  const api = await cli.api();
  const body = { ...(await filterOf(api, username)), ...(ids.length > 0 ? { ids: [...ids] } : {}) };
  let replayed = 0;
  for (let last = RETRIED_AT_ONCE; last === RETRIED_AT_ONCE;) {
    const { retried } = await api.ask((client) => client.POST('/relay/refused-plays/retries', { body }));
    replayed += retried;
    last = ids.length > 0 ? 0 : retried;
  }
  cli.terminal.print(replayed === 0 ? 'Nothing to replay.' : `${counted(replayed, 'play')} told again.`);
};

const numberOf = wholeNumbers('expected the numbers that "relay dead-letters" shows');

/** `continuo relay dead-letters` and `continuo relay replay`: plays that a service did not take. */
export const addRefusedPlays = (cli: Cli, command: Command): void => {
  command
    .command('dead-letters')
    .description('plays that a service did not take, and why')
    .option('--user <name>', 'of this account alone')
    .action(({ user }: { user?: string }) => list(cli, user));
  command
    .command('replay')
    .description('tell them again, once the cause is gone')
    .argument('[numbers...]', 'default: all', numberOf)
    .option('--user <name>', 'of this account alone')
    .action((numbers: number[] | undefined, { user }: { user?: string }) => replay(cli, numbers ?? [], user));
};
