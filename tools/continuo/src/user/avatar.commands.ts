import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalArtStore } from '@continuo/chassis';
import { setAvatar } from '@continuo/contracts';
import type { Command } from 'commander';
import sharp from 'sharp';
import type { Cli } from '../cli.js';
import { CliError } from '../connect/cli-error.js';
import { userNamed } from './find-user.js';

const SIDE_PX = 512;
const MAX_INPUT_PIXELS = 50_000_000;
const MAX_INPUT_BYTES = 32 * 1024 * 1024;

/** The picture as it is kept: a new JPEG, turned upright, without whatever else the file said. @throws CliError for what is no picture */
const portrait = async (file: string): Promise<Buffer> => {
  const size = await stat(file).catch(() => undefined);
  if (!size?.isFile()) throw new CliError(`there is no file ${file}`, 'name a JPEG, PNG or WebP file');
  if (size.size > MAX_INPUT_BYTES) throw new CliError(`${file} is too large`, 'pictures may have 32 MB');
  try {
    const picture = sharp(file, { limitInputPixels: MAX_INPUT_PIXELS }).rotate();
    return await picture.resize(SIDE_PX, SIDE_PX, { fit: 'cover' }).flatten({ background: '#ffffff' }).jpeg({ quality: 88 }).toBuffer();
  } catch (cause) {
    throw new CliError(`${file} cannot be read as a picture`, 'name a JPEG, PNG or WebP file', { cause });
  }
};

const set = (cli: Cli, username: string, file: string): Promise<void> =>
  cli.withSession(async (session) => {
    const userId = await userNamed(session, username);
    const { dataFolder } = session.access;
    if (dataFolder === undefined) throw new CliError('the folder of the pictures is not known', 'this works with a standalone only');
    const artHash = file === 'none' ? null : await new LocalArtStore(join(dataFolder, 'art')).put(await portrait(file));
    await session.commands.send(setAvatar, { userId, artHash }, session.context());
    cli.terminal.print(artHash === null ? `${username} has no picture now.` : `${username} has a picture.`);
  });

/** Adds what gives accounts their pictures. */
export const addAvatarCommands = (command: Command, cli: Cli): void => {
  command
    .command('avatar <name> <file>')
    .description('give an account a picture from a file, or "none"; with a standalone')
    .action((name: string, file: string) => set(cli, name, file));
};
