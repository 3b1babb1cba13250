import { resolve } from 'node:path';
import type { Settings } from '../../config.js';
import { locateServer, type Access } from '../../connect/locate.js';
import { OperatorError } from '../../connect/operator-error.js';
import { readManifest } from '../format/manifest.js';
import { secretsOf } from '../secrets.js';
import { checkRelease, checkSecret } from './suits.js';

/** Servers that a backup is restored into; stopped afterwards when they were started for it. */
export interface RestoreServers {
  readonly access: Access;
  stop(): Promise<void>;
}

/**
 * The servers that are named, else those of a standalone that is not running, started for as long as this takes.
 * @param startLocalServers starts Postgres and nats-server over a data folder
 * @throws OperatorError when the standalone runs, or does not go together with the backup in `folder`
 */
export const serversForRestore = async (
  settings: Settings,
  folder: string,
  startLocalServers: (dataFolder: string) => Promise<RestoreServers>,
): Promise<RestoreServers> => {
  if (settings.DATABASE_URL !== undefined || settings.NATS_URL !== undefined) {
    const access: Access = await locateServer(settings);
    return { access, stop: () => Promise.resolve() };
  }
  const dataFolder = resolve(settings.CONTINUO_DATA);
  const running = await locateServer(settings).catch((error: unknown) => {
    if (error instanceof OperatorError) return undefined;
    throw error;
  });
  if (running) throw new OperatorError(`the server over ${dataFolder} is running`, 'stop it first');
  // Nothing is made for a backup that would be refused.
  const manifest = await readManifest(folder);
  checkRelease(manifest);
  await checkSecret(manifest, await secretsOf(settings, dataFolder));
  return startLocalServers(dataFolder);
};
