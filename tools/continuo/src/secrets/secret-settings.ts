import { readFile } from 'node:fs/promises';
import type { RingSettings } from '@continuo/chassis';
import { CliError } from '../connect/cli-error.js';
import type { Access } from '../connect/locate.js';
import type { Settings } from '../config.js';

/** The secrets in a standalone's file: the present one, and below it the one before while a change is under way. */
export const secretsInFile = async (path: string): Promise<RingSettings> => {
  const [secret, previous] = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  if (secret === undefined) throw new CliError(`${path} is empty`, 'docs/operate/recover.md says what can be had back without a secret');
  return { CONTINUO_SECRET: secret, CONTINUO_SECRET_PREVIOUS: previous };
};

/** What the services of this server were given: by the environment, else by the file of the standalone. @throws CliError when neither says */
export const secretSettings = async (settings: Settings, { secretFile }: Access): Promise<RingSettings> => {
  const { CONTINUO_SECRET, CONTINUO_SECRET_PREVIOUS } = settings;
  if (CONTINUO_SECRET !== undefined) return { CONTINUO_SECRET, CONTINUO_SECRET_PREVIOUS };
  if (secretFile !== undefined) return secretsInFile(secretFile);
  throw new CliError('CONTINUO_SECRET is not set', 'set it, and CONTINUO_SECRET_PREVIOUS, as the services have them');
};
