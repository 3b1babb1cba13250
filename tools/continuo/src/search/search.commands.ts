import { searchIndexNames, searchRebuildSubject, searchStatusSubject } from '@continuo/chassis';
import { Argument, Command } from 'commander';
import { z } from 'zod';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import type { Session } from '../connect/session.js';
import { formatTable } from '../output/table.js';

const PATIENCE_MS = 2000;

const statusSchema = z.object({ index: z.string(), role: z.string(), position: z.number(), fault: z.string().optional() });

/** What the process that keeps an index answers; undefined when none does. */
const ask = async ({ nats }: Session, subject: string): Promise<unknown> => {
  try {
    return (await nats.request(subject, '', { timeout: PATIENCE_MS })).json();
  } catch {
    // Nobody listens, or not any more: both mean that nobody keeps the index.
    return undefined;
  }
};

const status = (cli: Cli): Promise<void> =>
  cli.withSession(async (session) => {
    const rows: (string | number)[][] = [];
    for (const index of searchIndexNames) {
      const answer = await ask(session, searchStatusSubject(index));
      if (answer === undefined)
        rows.push([index, 'not kept', '', index === 'meilisearch' ? 'MEILI_URL is not set, or it cannot be reached' : '']);
      else {
        const { role, position, fault } = statusSchema.parse(answer);
        rows.push([index, role, position, fault ?? 'ok']);
        if (fault !== undefined) cli.fail();
      }
    }
    cli.terminal.print(formatTable(['Search index', 'State', 'Position', 'Health'], rows));
  });

const rebuild = (cli: Cli, index: string): Promise<void> =>
  cli.withSession(async (session) => {
    if ((await ask(session, searchRebuildSubject(index))) === undefined)
      throw new CliError(
        `nobody keeps the search index ${index} at the moment`,
        'look at "continuo search status" and the log of the library',
      );
    cli.terminal.print(`The search index ${index} is being built anew; the old one answers meanwhile.`);
  });

/** `continuo search …`: the indexes that find things by words. */
export const searchCommand = (cli: Cli): Command => {
  const command = new Command('search').description('indexes that find things by words');
  command
    .command('status')
    .description('who keeps each one, and how far it is')
    .action(() => status(cli));
  command
    .command('rebuild')
    .description('build one anew from what the library holds')
    .addArgument(new Argument('<index>', 'which one').choices(searchIndexNames))
    .action((index: string) => rebuild(cli, index));
  return command;
};
