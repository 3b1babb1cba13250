import { listDeadLetters, replayDeadLetters, type DeadLetter } from '@continuo/chassis';
import { songPlayed } from '@continuo/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import type { Cli } from '../cli.js';
import type { Session } from '../connect/session.js';
import { counted, formatTable } from '../output/table.js';
import { userNamed } from '../user/find-user.js';

const PREFIX = 'react.playback-relay-';
const LISTED = 100;

interface DeadPlay {
  readonly letter: DeadLetter;
  readonly service: string;
  readonly play: ReturnType<typeof songPlayed>['data'];
}

/** Plays that were put aside, oldest first; only those of one account, when one is named. */
async function* deadPlays({ nats }: Pick<Session, 'nats'>, userId: number | undefined): AsyncGenerator<DeadPlay> {
  for await (const letter of listDeadLetters(nats, { subject: 'react.>' })) {
    if (!letter.subject.startsWith(PREFIX)) continue;
    const read = songPlayed.schema.safeParse(JSON.parse(Buffer.from(letter.payload).toString('utf8')));
    if (!read.success || (userId !== undefined && read.data.userId !== userId)) continue;
    yield { letter, service: letter.subject.slice(PREFIX.length), play: read.data };
  }
}

const idOf = (session: Session, username: string | undefined): Promise<number | undefined> =>
  username === undefined ? Promise.resolve(undefined) : userNamed(session, username);

const list = (cli: Cli, username: string | undefined): Promise<void> =>
  cli.withSession(async (session) => {
    const found: DeadPlay[] = [];
    for await (const one of deadPlays(session, await idOf(session, username))) if (found.push(one) === LISTED) break;
    if (found.length === 0) return cli.terminal.print('No play was put aside.');
    const names = await session.db
      .selectFrom('social.user')
      .select(['id', 'username'])
      .where('id', 'in', [...new Set(found.map(({ play }) => play.userId))])
      .execute();
    const nameOf = (id: number): string => names.find((row) => row.id === id)?.username ?? `account ${id}`;
    const cells = found.map(({ letter, service, play }) => [
      letter.sequence,
      nameOf(play.userId),
      service,
      play.songId,
      new Date(play.playedAtMs).toISOString().slice(0, 19),
      letter.attempts,
      letter.reason,
    ]);
    cli.terminal.print(formatTable(['Number', 'Account', 'Service', 'Song', 'Played', 'Attempts', 'Reason'], cells));
    if (found.length === LISTED) cli.terminal.print(`Only the first ${LISTED} are shown.`);
  });

const replay = (cli: Cli, numbers: readonly number[], username: string | undefined): Promise<void> =>
  cli.withSession(async (session) => {
    const sequences: number[] = [];
    for await (const { letter } of deadPlays(session, await idOf(session, username)))
      if (numbers.length === 0 || numbers.includes(letter.sequence)) sequences.push(letter.sequence);
    const replayed = sequences.length === 0 ? 0 : await replayDeadLetters(session.nats, { sequences });
    cli.terminal.print(replayed === 0 ? 'Nothing to replay.' : `${counted(replayed, 'play')} told again.`);
  });

const numberOf = (text: string, before: number[] = []): number[] => {
  const sequence = Number(text);
  if (!Number.isSafeInteger(sequence) || sequence < 1)
    throw new InvalidArgumentError('expected the numbers that "relay dead-letters" shows');
  return [...before, sequence];
};

/** `continuo relay dead-letters` and `continuo relay replay`: plays that a service did not take. */
export const addDeadPlays = (cli: Cli, command: Command): void => {
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
