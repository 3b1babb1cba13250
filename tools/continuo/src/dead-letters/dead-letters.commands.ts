import { counted } from '@continuo/operations';
import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { formatTable } from '../output/table.js';
import { wholeNumbers } from '../whole-number.js';

const LISTED = 100;
/** Most messages that one request retries. */
const RETRIED_AT_ONCE = 500;

const list = async (cli: Cli): Promise<void> => {
  const api = await cli.api();
  const letters = await api.all(
    (client, cursor) => client.GET('/dead-letters', { params: { query: { limit: LISTED, ...cursor } } }),
    LISTED,
  );
  if (letters.length === 0) return cli.terminal.print('There are no dead letters.');
  const rows = letters.map(({ id, givenUpAt, subject, attempts, reason }) => [id, givenUpAt, subject, attempts, reason]);
  cli.terminal.print(formatTable(['Number', 'Given up at', 'Subject', 'Attempts', 'Reason'], rows));
  if (rows.length === LISTED) cli.terminal.print(`Only the first ${LISTED} are shown.`);
};

const replay = async (cli: Cli, ids: readonly number[]): Promise<void> => {
  const api = await cli.api();
  let replayed = 0;
  for (let last = RETRIED_AT_ONCE; last === RETRIED_AT_ONCE;) {
    const { retried } = await api.ask((client) => client.POST('/dead-letters/retries', { body: ids.length > 0 ? { ids: [...ids] } : {} }));
    replayed += retried;
    last = ids.length > 0 ? 0 : retried;
  }
  cli.terminal.print(replayed === 0 ? 'Nothing to replay.' : `${counted(replayed, 'message')} sent again.`);
};

const drop = async (cli: Cli, ids: readonly number[]): Promise<void> => {
  const api = await cli.api();
  for (const id of ids) await api.ask((client) => client.DELETE('/dead-letters/{id}', { params: { path: { id } } }));
  cli.terminal.print(`${counted(ids.length, 'message')} dropped.`);
};

const numberOf = wholeNumbers('expected the numbers that "dead-letters list" shows');

/** `continuo dead-letters …`: messages that nobody could handle. */
export const deadLettersCommand = (cli: Cli): Command => {
  const command = new Command('dead-letters').description('messages that nobody could handle');
  command
    .command('list')
    .description('what is there and why')
    .action(() => list(cli));
  command
    .command('replay')
    .description('send them to where they were meant to go, once the cause is gone')
    .argument('[numbers...]', 'default: all', numberOf)
    .action((numbers: number[] | undefined) => replay(cli, numbers ?? []));
  command
    .command('drop')
    .description('drop them for good, without sending them again')
    .argument('<numbers...>', 'which', numberOf)
    .action((numbers: number[]) => drop(cli, numbers));
  return command;
};
