import { readFile, stat } from 'node:fs/promises';
import { hasCode } from '../files.js';
import { LocalServerError } from '../error.js';

/** A numeric user and group. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Postgres refuses to run as root. This user owns its data when root starts it and no `continuo` account exists; it needs no entry in the user database. */
const dedicated: Account = { uid: 47_311, gid: 47_311 };

/**
 * The account Postgres must run as: undefined means as ourselves, because we are not root.
 * As root: the owner of existing data, else the `continuo` account of the machine, else a fixed number of our own.
 * @param dataDir absolute path, may be missing
 */
export async function serverAccount(dataDir: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await ownerOf(dataDir);
  if (owner && owner.uid !== 0) return owner;
  return (await namedAccount('continuo')) ?? dedicated;
}

/**
 * The account for `initdb`, which insists on a name in the user database, unlike the server.
 * The files are handed over to the server's account afterwards.
 * @throws LocalServerError when the machine has no `nobody` or `continuo` account
 */
export async function initialisingAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const account = (await namedAccount('continuo')) ?? (await namedAccount('nobody'));
  if (account) return account;
  throw new LocalServerError('Postgres cannot be set up as root on a machine without a "nobody" account; start as an ordinary user');
}

async function namedAccount(name: string): Promise<Account | undefined> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n');
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
  return uid && gid && Number(uid) > 0 ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

async function ownerOf(path: string): Promise<Account | undefined> {
  try {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
