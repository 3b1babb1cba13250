import { hurryRelay, linkListenBrainz, relayServices, unlinkRelay, type RelayService, type UserId } from '@continuo/contracts';
import { Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../cli.js';
import { formatTable } from '../output/table.js';
import { userNamed } from '../user/find-user.js';
import { addDeadPlays } from './dead-plays.commands.js';

const READABLE_WITHIN_MS = 5000;
/** A service elsewhere is asked meanwhile. */
const LINK_TIMEOUT_MS = 20_000;
const SHOWN = 50;

const time = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString().slice(0, 19));

const list = (cli: Cli): Promise<void> =>
  cli.withSession(async ({ db }) => {
    const rows = await db
      .selectFrom('playback.relay_link as l')
      .leftJoin('playback.relay_progress as p', (join) => join.onRef('p.user_id', '=', 'l.user_id').onRef('p.service', '=', 'l.service'))
      .leftJoin('social.user as u', 'u.id', 'l.user_id')
      .select([
        'l.user_id',
        'u.username',
        'l.service',
        'l.host',
        'l.enabled',
        'p.attempts',
        'p.taken',
        'p.last_taken_at_ms',
        'p.next_at_ms',
      ])
      .select('p.fault')
      .orderBy('l.user_id')
      .orderBy('l.service')
      .execute();
    if (rows.length === 0) return cli.terminal.print('No account is linked with a service.');
    const cells = rows.map((row) => {
      const isWaiting = (row.attempts ?? 0) > 0;
      const state = row.enabled ? (isWaiting ? 'waiting' : 'on') : 'refused';
      return [
        row.username ?? `account ${row.user_id}`,
        row.service,
        row.host,
        state,
        row.taken ?? 0,
        time(row.last_taken_at_ms),
        isWaiting ? time(row.next_at_ms) : null,
        row.fault ?? '',
      ];
    });
    cli.terminal.print(formatTable(['Account', 'Service', 'Host', 'State', 'Taken', 'Latest', 'Next try', 'Fault'], cells));
  });

const plays = (cli: Cli, username: string): Promise<void> =>
  cli.withSession(async (session) => {
    const userId = await userNamed(session, username);
    const rows = await session.db
      .selectFrom('playback.relayed_play')
      .select(['service', 'song_id', 'played_at_ms', 'outcome', 'reason', 'at_ms'])
      .where('user_id', '=', userId)
      .orderBy('at_ms', 'desc')
      .orderBy('position', 'desc')
      .limit(SHOWN)
      .execute();
    if (rows.length === 0) return cli.terminal.print('Nothing was told to anybody lately.');
    const cells = rows.map((row) => [row.service, row.song_id, time(row.played_at_ms), row.outcome, time(row.at_ms), row.reason ?? '']);
    cli.terminal.print(formatTable(['Service', 'Song', 'Played', 'Outcome', 'At', 'Reason'], cells));
    if (rows.length === SHOWN) cli.terminal.print(`Only the latest ${SHOWN} are shown.`);
  });

const link = (cli: Cli, username: string, { token, address }: { readonly token: string; readonly address?: string }): Promise<void> =>
  cli.withSession(async (session) => {
    const data = { userId: await userNamed(session, username), token, ...(address === undefined ? {} : { address }) };
    const { result, positions } = await session.commands.send(linkListenBrainz, data, session.context(), { timeoutMs: LINK_TIMEOUT_MS });
    await session.watch.waitFor(positions, READABLE_WITHIN_MS);
    cli.terminal.print(`${username} is linked${result.name === '' ? '' : `, as ${result.name} there`}.`);
  });

const change = (
  cli: Cli,
  { username, service }: { readonly username: string; readonly service: RelayService },
  command: typeof unlinkRelay | typeof hurryRelay,
  done: (name: string) => string,
): Promise<void> =>
  cli.withSession(async (session) => {
    const userId: UserId = await userNamed(session, username);
    const { positions } = await session.commands.send(command, { userId, service }, session.context());
    await session.watch.waitFor(positions, READABLE_WITHIN_MS);
    cli.terminal.print(done(username));
  });

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
  on('unlink', 'tell a service nothing more', (username, service) =>
    change(cli, { username, service }, unlinkRelay, (name) => `${service} is told nothing more of ${name}.`),
  );
  on('hurry', 'try what waits at once', (username, service) =>
    change(cli, { username, service }, hurryRelay, (name) => `What ${name} played is told to ${service} now.`),
  );
  addDeadPlays(cli, command);
  return command;
};
