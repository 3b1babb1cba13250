import type { AccessLevel } from '@continuo/contracts';
import { Command } from 'commander';
import type { Cli } from '../cli.js';
import { formatTable } from '../output/table.js';
import { userGroupCommand } from '../visibility/group.commands.js';
import { accountsOf, type Account } from './find-account.js';
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

const add = async (cli: Cli, username: string, options: AddOptions): Promise<void> => {
  const password = options.password ?? newPassword();
  const { fullName, email, level } = options;
  const api = await cli.api();
  // The compatibility API keeps a password of its own; the same one opens every player from the start.
  const body = { username, password, playerPassword: password, level, ...(fullName ? { fullName } : {}), ...(email ? { email } : {}) };
  const { id } = await api.ask((client) => client.POST('/accounts', { body }));
  cli.terminal.print(`Account ${username} (number ${id}, level ${levelName(level)}) is ready.`);
  if (options.password === undefined) cli.terminal.print(`Its password, shown only now: ${password}`);
};

/** A word for whether an account can log in, and why not. */
const stateOf = ({ disabled, awaiting }: Account): string => {
  if (!disabled) return 'active';
  if (awaiting === 'confirmation') return 'address not confirmed';
  return awaiting === 'approval' ? 'waits for "user enable"' : 'disabled';
};

const list = async (cli: Cli): Promise<void> => {
  const api = await cli.api();
  const accounts = await accountsOf(api, {});
  const rows = accounts
    .toSorted((a, b) => a.id - b.id)
    .map((one) => [one.id, one.username, levelName(one.level), stateOf(one), one.keyCount, one.createdAt.slice(0, 10)]);
  cli.terminal.print(formatTable(['Id', 'Name', 'Level', 'State', 'Keys', 'Since'], rows));
};

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
