import { LocalServerError } from '../error.js';
import type { Account } from './account.js';
import { isReachable } from './reachable.js';

/**
 * The name under which a server with another account finds its data folder.
 *
 * When root keeps its data below a closed folder (/root), the unprivileged server cannot walk down to it.
 * It is then started inside the folder and told that its data lie in its own working directory,
 * which Linux resolves without walking the path. Nothing is moved and no permission is opened.
 * @param dataDir absolute path of an existing folder
 * @throws LocalServerError on other systems than Linux in that case
 */
export async function magicCwd(dataDir: string, account: Account | undefined): Promise<string> {
  if (!account || (await isReachable(dataDir, account))) return dataDir;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new LocalServerError(
    `user ${account.uid} cannot reach ${dataDir}; choose a data folder outside closed folders, or do not start as root`,
  );
}
