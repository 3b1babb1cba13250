import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Account } from './account.js';
import { roleName } from './initialise.js';

/** A way into a server without a password, for whoever may enter its folder: this account, and that of the server. */
export interface UnixSocketAccess {
  /** Further arguments of the server; it listens nowhere else then. */
  readonly arguments: readonly string[];
  /** Gives the one role another password. */
  readonly setPassword: (port: number, password: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Makes a folder for a Unix socket that lets in without a password. @param account of the server; undefined when it is this one */
export const openUnixSocket = async (account: Account | undefined): Promise<UnixSocketAccess> => {
  // The path of a socket has at most 107 bytes, so it does not lie in the data folder.
  const folder = await mkdtemp(join(tmpdir(), 'continuo-pg-'));
  const rules = join(folder, 'pg_hba.conf');
  await writeFile(rules, 'local all all trust\n');
  await chmod(folder, 0o700);
  if (account) for (const path of [rules, folder]) await chown(path, account.uid, account.gid);
  const settings = { listen_addresses: '', unix_socket_directories: folder, hba_file: rules };
  return {
    arguments: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    setPassword: async (port, password) => {
      const client = new Client({ host: folder, port, user: roleName, database: 'postgres' });
      await client.connect();
      try {
        await client.query(`alter role ${roleName} with password ${client.escapeLiteral(password)}`);
      } finally {
        await client.end();
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
};
