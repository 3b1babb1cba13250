import { readFile } from 'node:fs/promises';
import type { KeyRingSettings } from '@continuo/chassis';
import { OperatorError } from '../connect/operator-error.js';
import type { Access } from '../connect/locate.js';
import type { Settings } from '../config.js';

/** The secrets in a standalone's file: the present one, and below it the one before while a change is under way. */
export const secretsInFile = async (path: string): Promise<KeyRingSettings> => {
  const [secret, previous] = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  if (secret === undefined)
    throw new OperatorError(`${path} is empty`, 'docs/operate/recover.md says what can be had back without a secret');
  return { CONTINUO_SECRET: secret, CONTINUO_SECRET_PREVIOUS: previous };
};

/** Secret settings of this server's services: from the environment, else from the file of the standalone. @throws OperatorError when neither says */
export const secretSettings = async (settings: Settings, { secretFile }: Pick<Access, 'secretFile'>): Promise<KeyRingSettings> => {
  const { CONTINUO_SECRET, CONTINUO_SECRET_PREVIOUS } = settings;
  if (CONTINUO_SECRET !== undefined) return { CONTINUO_SECRET, CONTINUO_SECRET_PREVIOUS };
  if (secretFile !== undefined) return secretsInFile(secretFile);
  throw new OperatorError('CONTINUO_SECRET is not set', 'set it, and CONTINUO_SECRET_PREVIOUS, as the services have them');
};
