import { rolePreferences, type AccountRole } from '@continuo/contracts';
import type { ManageTypes } from '@continuo/client';
import { Argument, Option, type Command } from 'commander';
import { OperatorError } from '@continuo/operations';
import type { Cli } from '../cli.js';
import { accountNamed } from './find-account.js';
import { parseLevel } from './levels.js';
import { newPassword } from './new-password.js';

/** Changes an account, and says what is so now. */
export const change = async (cli: Cli, username: string, body: ManageTypes['schemas']['AccountChange'], done: string): Promise<void> => {
  const api = await cli.api();
  const { id } = await accountNamed(api, username);
  await api.ask((client) => client.PATCH('/accounts/{id}', { params: { path: { id } }, body }));
  cli.terminal.print(done);
};

interface PasswordOptions {
  readonly password?: string;
  readonly only?: 'login' | 'compat';
}

const setPasswords = async (cli: Cli, username: string, { password: given, only }: PasswordOptions): Promise<void> => {
  const password = given ?? newPassword();
  const changes = { ...(only === 'compat' ? {} : { password }), ...(only === 'login' ? {} : { playerPassword: password }) };
  await change(cli, username, changes, `${username} has another password${only === undefined ? '' : ` (${only})`}.`);
  if (given === undefined) cli.terminal.print(`It is shown only now: ${password}`);
};

const streamToken = (cli: Cli, username: string): Promise<void> =>
  change(cli, username, { resetStreamToken: true }, `${username} has a new stream token; its handshakes tell it.`);

const remove = async (cli: Cli, username: string, { yes }: { readonly yes?: true }): Promise<void> => {
  const api = await cli.api();
  const { id } = await accountNamed(api, username);
  if (!yes) throw new OperatorError('nothing was deleted: this cannot be undone', 'say --yes to go on');
  await api.ask((client) => client.DELETE('/accounts/{id}', { params: { path: { id } } }));
  cli.terminal.print(`Account ${username} is deleted, and the key of its personal data is destroyed.`);
};

const roleNames = Object.keys(rolePreferences) as AccountRole[];

const setRole = (cli: Cli, username: string, role: AccountRole, isGiven: boolean): Promise<void> =>
  change(cli, username, { roles: { [role]: isGiven } }, `${username} ${isGiven ? 'has' : 'does not have'} the role ${role} now.`);

const addRoleCommands = (command: Command, cli: Cli): void => {
  const roleArgument = (): Argument => new Argument('<role>').choices(roleNames);
  command
    .command('give <name>')
    .addArgument(roleArgument())
    .description('let an account do something, whatever others need for it')
    .action((name: string, role: AccountRole) => setRole(cli, name, role, true));
  command
    .command('take <name>')
    .addArgument(roleArgument())
    .description('keep an account from doing something, whatever its level')
    .action((name: string, role: AccountRole) => setRole(cli, name, role, false));
};

/** Adds what changes and deletes accounts. */
export const addChangeCommands = (command: Command, cli: Cli): void => {
  addRoleCommands(command, cli);
  command
    .command('password <name>')
    .description('set another password; without --password one is made up and shown once. Ends the sessions of the old one')
    .option('--password <password>', 'visible to other users of this machine while the command runs')
    .addOption(new Option('--only <which>', 'the login password or that of the compatibility API').choices(['login', 'compat']))
    .action((name: string, options: PasswordOptions) => setPasswords(cli, name, options));
  command
    .command('stream-token <name>')
    .description('make another token for streaming alone')
    .action((name: string) => streamToken(cli, name));
  command
    .command('level <name> <level>')
    .description('give an account another level')
    .action((name: string, level: string) => change(cli, name, { level: parseLevel(level) }, `${name} has the level ${level} now.`));
  command
    .command('disable <name>')
    .description('keep an account from logging in, and end its sessions')
    .action((name: string) => change(cli, name, { disabled: true }, `${name} is disabled.`));
  command
    .command('enable <name>')
    .description('let an account log in again, or for the first time after it signed up')
    .action((name: string) => change(cli, name, { disabled: false }, `${name} is enabled.`));
  command
    .command('delete <name>')
    .description('delete an account for good')
    .option('--yes', 'really')
    .action((name: string, options: { yes?: true }) => remove(cli, name, options));
};
