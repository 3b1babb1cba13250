import { realpath, stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { Rejection } from '@continuo/contracts';

/** Folders of the system: what lies in them is no music, and reading or serving it would tell secrets or never end. */
const SYSTEM_FOLDERS = ['/proc', '/sys', '/dev', '/etc', '/run', '/boot'];

/** True when `inner` is `outer` or lies below it; compared by path segment, so that `/music2` is not inside `/music`. */
export const contains = (outer: string, inner: string): boolean =>
  inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);

/** Scans leave out folders whose names begin with a dot, so that a server's data may lie in one below its music. */
const isHiddenIn = (root: string, path: string): boolean =>
  relative(root, path)
    .split(sep)
    .some((name) => name.startsWith('.') && name !== '..');

const realOf = async (path: string): Promise<string> => realpath(path).catch(() => resolve(path));

/** @throws Rejection `catalog.path-unusable` for a folder of the system or of the server itself */
const refuseOwnFolders = async (real: string, given: string, dataFolder: string): Promise<void> => {
  const system = SYSTEM_FOLDERS.find((folder) => contains(folder, real));
  if (system !== undefined) throw new Rejection('catalog.path-unusable', `a catalog cannot lie in the system folder ${system}`, given);
  const data = await realOf(dataFolder);
  if (contains(data, real)) throw new Rejection('catalog.path-unusable', 'a catalog cannot lie in the data folder of the server', given);
  if (contains(real, data) && !isHiddenIn(real, data))
    throw new Rejection('catalog.path-unusable', 'a catalog cannot hold the data folder of the server', given);
};

/**
 * The real path of an existing folder that may be a catalog. Links are followed before it is judged.
 * @throws Rejection `catalog.path-unusable`
 */
export const usableFolder = async (path: string, dataFolder: string): Promise<string> => {
  const real = await realpath(path).catch((cause: unknown) => {
    throw new Rejection('catalog.path-unusable', undefined, path, { cause });
  });
  await refuseOwnFolders(real, path, dataFolder);
  const isFolder = await stat(real).then(
    (stats) => stats.isDirectory(),
    (cause: unknown) => {
      throw new Rejection('catalog.path-unusable', undefined, path, { cause });
    },
  );
  if (!isFolder) throw new Rejection('catalog.path-unusable', 'this is not a folder', path);
  return real;
};
