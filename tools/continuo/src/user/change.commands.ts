import { changeUser, deleteUser } from '@continuo/contracts';
import { Option, type Command } from 'commander';
import type { z } from 'zod';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import { userNamed } from './find-user.js';
import { parseLevel } from './levels.js';
import { newPassword } from './new-password.js';

const change = (cli: Cli, username: string, changes: Omit<z.input<typeof changeUser.schema>, 'userId'>, done: string): Promise<void> =>
  cli.withSession(async (session) => {
    const userId = await userNamed(session, username);
    await session.commands.send(changeUser, { userId, ...changes }, session.context());
    cli.terminal.print(done);
  });

interface PasswordOptions {
  readonly password?: string;
  readonly only?: 'login' | 'compat';
}

const setPasswords = async (cli: Cli, username: string, { password: given, only }: PasswordOptions): Promise<void> => {
  const password = given ?? newPassword();
  const changes = { ...(only === 'compat' ? {} : { password }), ...(only === 'login' ? {} : { compatPassword: password }) };
  await change(cli, username, changes, `${username} has another password${only === undefined ? '' : ` (${only})`}.`);
  if (given === undefined) cli.terminal.print(`It is shown only now: ${password}`);
};

const streamToken = (cli: Cli, username: string): Promise<void> =>
  change(cli, username, { resetStreamToken: true }, `${username} has a new stream token; its handshakes tell it.`);

const remove = (cli: Cli, username: string, { yes }: { readonly yes?: true }): Promise<void> =>
  cli.withSession(async (session) => {
    const userId = await userNamed(session, username);
    if (!yes) throw new CliError('nothing was deleted: this cannot be undone', 'say --yes to go on');
    await session.commands.send(deleteUser, { userId }, session.context());
    cli.terminal.print(`Account ${username} is deleted, and the key of its personal data is destroyed.`);
  });

/** Adds what changes and deletes accounts. */
export const addChangeCommands = (command: Command, cli: Cli): void => {
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
    .action((name: string, level: string) => change(cli, name, { access: parseLevel(level) }, `${name} has the level ${level} now.`));
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
