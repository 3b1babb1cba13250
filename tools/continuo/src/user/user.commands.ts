import { issueApiKey, registerUser, type AccessLevel, type UserTable } from '@continuo/contracts';
import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { formatTable } from '../output/table.js';
import { userGroupCommand } from '../visibility/group.commands.js';
import { userNamed } from './find-user.js';
import { addAvatarCommands } from './avatar.commands.js';
import { addChangeCommands } from './change.commands.js';
import { addKeyCommands } from './key.commands.js';
import { levelName, parseLevel } from './levels.js';
import { newPassword } from './new-password.js';

interface AddOptions {
  readonly level: AccessLevel;
  readonly password?: string;
  readonly fullName?: string;
  readonly email?: string;
}

const add = (cli: Cli, username: string, options: AddOptions): Promise<void> =>
  cli.withSession(async ({ commands, context }) => {
    const password = options.password ?? newPassword();
    const { fullName, email, level: access } = options;
    // The compatibility API keeps a password of its own; the same one opens every player from the start.
    const { result } = await commands.send(
      registerUser,
      { username, password, compatPassword: password, access, fullName, email },
      context(),
    );
    cli.terminal.print(`Account ${username} (number ${result.userId}, level ${levelName(access)}) is ready.`);
    if (options.password === undefined) cli.terminal.print(`Its password, shown only now: ${password}`);
  });

const issueKey = (cli: Cli, username: string, name: string): Promise<void> =>
  cli.withSession(async (session) => {
    const userId = await userNamed(session, username);
    const { result } = await session.commands.send(issueApiKey, { userId, name }, session.context());
    cli.terminal.print(`API key "${name}" of ${username}, shown only now: ${result.key}`);
  });

/** A word for whether an account can log in, and why not. */
const stateOf = ({ disabled, awaiting }: Pick<UserTable, 'disabled' | 'awaiting'>): string => {
  if (!disabled) return 'active';
  if (awaiting === 'confirmation') return 'address not confirmed';
  return awaiting === 'approval' ? 'waits for "user enable"' : 'disabled';
};

const list = (cli: Cli): Promise<void> =>
  cli.withSession(async ({ db }) => {
    const users = await db
      .selectFrom('social.user as u')
      .select((eb) => [
        'u.id',
        'u.username',
        'u.access',
        'u.disabled',
        'u.awaiting',
        'u.created_at_ms',
        eb.selectFrom('social.api_key as k').whereRef('k.user_id', '=', 'u.id').select(eb.fn.countAll<number>().as('n')).as('keys'),
      ])
      .orderBy('u.id')
      .execute();
    const rows = users.map((user) => [
      user.id,
      user.username,
      levelName(user.access),
      stateOf(user),
      Number(user.keys),
      new Date(user.created_at_ms).toISOString().slice(0, 10),
    ]);
    cli.terminal.print(formatTable(['Id', 'Name', 'Level', 'State', 'Keys', 'Since'], rows));
  });

/** `continuo user …`: accounts and their keys. */
export const userCommand = (cli: Cli): Command => {
  const command = new Command('user').description('accounts and their API keys');
  command
    .command('add <name>')
    .description('create an account; without --password a password is made up and shown once')
    .option('--level <level>', 'guest, user, content, catalog or admin', parseLevel, 25)
    .option('--password <password>', 'visible to other users of this machine while the command runs')
    .option('--full-name <name>')
    .option('--email <address>')
    .action((name: string, options: AddOptions) => add(cli, name, options));
  command
    .command('key <name>')
    .description('issue an API key and show it once')
    .option('--name <label>', 'what the key is for', 'default')
    .action((name: string, options: { name: string }) => issueKey(cli, name, options.name));
  addKeyCommands(command, cli);
  addChangeCommands(command, cli);
  addAvatarCommands(command, cli);
  command
    .command('list')
    .description('all accounts')
    .action(() => list(cli));
  command.addCommand(userGroupCommand(cli));
  return command;
};
