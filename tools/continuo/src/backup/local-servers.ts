import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError, syncPath, type RestoreServers } from '@continuo/operations';

/** Loads the server starters of a checkout; images have none. */
const starters = async () =>
  import('@continuo/local-servers').catch((cause: unknown) => {
    throw new OperatorError(
      'this program cannot start servers',
      'set DATABASE_URL and NATS_URL to reach the ones that a backup is to be restored into',
      { cause },
    );
  });

/** Puts every file below a folder on the disk. */
const syncTree = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() || entry.isDirectory()) await syncPath(join(entry.parentPath, entry.name));
  await syncPath(folder);
};

/**
 * Starts Postgres and nats-server over the data folder of a standalone, as it would do itself.
 * @throws OperatorError when the folder is in use
 */
export const startLocalServers = async (dataFolder: string): Promise<RestoreServers> => {
  const { startNats, startPostgres, LocalServerError } = await starters();
  const sayWhy = (cause: unknown): never => {
    if (!(cause instanceof LocalServerError)) throw cause;
    throw new OperatorError(cause.message, 'is the server still running? Stop it first', { cause });
  };
  const store = join(dataFolder, 'nats');
  const postgres = await startPostgres({ dataDir: join(dataFolder, 'postgres') }).catch(sayWhy);
  try {
    const nats = await startNats({ storeDir: store, syncAlways: false }).catch(sayWhy);
    const access = {
      dataFolder,
      databaseUrl: postgres.url,
      natsUrl: `nats://${nats.server}`,
      ...(nats.login && { natsUser: nats.login.user, natsPassword: nats.login.password }),
    };
    const stop = async (): Promise<void> => {
      await nats.stop();
      // Written through once, at the end, instead of message by message.
      await syncTree(store);
      await postgres.stop();
    };
    return { access, stop };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
};
