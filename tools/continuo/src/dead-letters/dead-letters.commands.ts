import { listDeadLetters, replayDeadLetters } from '@continuo/chassis';
import { Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../cli.js';
import { counted, formatTable, type Cell } from '../output/table.js';

const LISTED = 100;

const list = (cli: Cli): Promise<void> =>
  cli.withSession(async ({ nats }) => {
    const rows: Cell[][] = [];
    for await (const letter of listDeadLetters(nats, { limit: LISTED })) {
      rows.push([letter.sequence, new Date(letter.atMs).toISOString(), letter.subject, letter.attempts, letter.reason]);
    }
    if (rows.length === 0) return cli.terminal.print('There are no dead letters.');
    cli.terminal.print(formatTable(['Number', 'Given up at', 'Subject', 'Attempts', 'Reason'], rows));
    if (rows.length === LISTED) cli.terminal.print(`Only the first ${LISTED} are shown.`);
  });

const replay = (cli: Cli, sequences: readonly number[]): Promise<void> =>
  cli.withSession(async ({ nats }) => {
    const replayed = await replayDeadLetters(nats, sequences.length > 0 ? { sequences } : {});
    cli.terminal.print(replayed === 0 ? 'Nothing to replay.' : `${counted(replayed, 'message')} sent again.`);
  });

const numberOf = (text: string, before: number[] = []): number[] => {
  const sequence = Number(text);
  if (!Number.isSafeInteger(sequence) || sequence < 1)
    throw new InvalidArgumentError('expected the numbers that "dead-letters list" shows');
  return [...before, sequence];
};

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
  return command;
};
