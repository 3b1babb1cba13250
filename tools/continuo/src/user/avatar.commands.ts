import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { OperatorError } from '@continuo/operations';
import type { Cli } from '../cli.js';
import { change } from './change.commands.js';

const set = async (cli: Cli, username: string, file: string): Promise<void> => {
  if (file === 'none') return change(cli, username, { avatar: null }, `${username} has no picture now.`);
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new OperatorError(`there is no file ${file} that can be read`, 'name a JPEG, PNG or WebP file', { cause });
  });
  await change(cli, username, { avatar: bytes.toString('base64') }, `${username} has a picture.`);
};

/** Adds what gives accounts their pictures. */
export const addAvatarCommands = (command: Command, cli: Cli): void => {
  command
    .command('avatar <name> <file>')
    .description('give an account a picture from a file, or "none"')
    .action((name: string, file: string) => set(cli, name, file));
};
