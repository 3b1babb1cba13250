import { homedir } from 'os';
import { join } from 'path';

// No syntax and no module that an old Node does not know: it is this file that tells it so.

const NODE = 24;

/** Ends with one sentence under a Node that is too old. */
export function requireNode() {
  if (Number(process.versions.node.split('.')[0]) >= NODE) return;
  process.stderr.write(
    `Continuo needs Node ${NODE} or newer, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org.\n`,
  );
  process.exit(1);
}

/** Data and fetched programs lie in the account's own folders, unless the environment names others: the package itself may be replaced, and need not be writable. */
export function useUsualFolders() {
  const { env } = process;
  env.CONTINUO_DATA = env.CONTINUO_DATA || join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'continuo');
  env.CONTINUO_CACHE = env.CONTINUO_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'continuo');
}
