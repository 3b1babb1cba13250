import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceDependencies } from '@continuo/chassis';
import type { SocialConfig } from './config.js';
import type { FirstAdministrator } from './first-start.js';

const FILE_NAME = 'first-administrator';

/**
 * Leaves a made-up password in `<CONTINUO_DATA>/first-administrator`, readable by the service's own account alone, for a service that has no
 * terminal to show it on; the log gets the place, never the password.
 */
export const leavePasswordFile = async (
  { username, oneTimePassword }: FirstAdministrator,
  { config, log }: Pick<ServiceDependencies<SocialConfig>, 'config' | 'log'>,
): Promise<void> => {
  if (oneTimePassword === undefined) return;
  await mkdir(config.CONTINUO_DATA, { recursive: true });
  const file = join(config.CONTINUO_DATA, FILE_NAME);
  await writeFile(file, `${username}\n${oneTimePassword}\n`, { mode: 0o600 });
  log.warn({ file }, 'the password of the first administrator is in this file; read it, then delete it');
};
