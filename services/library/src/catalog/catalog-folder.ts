import { realpath, stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { Rejection } from '@continuo/contracts';
import type { LibraryConfig } from '../config.js';

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

/** Rules for folders of catalogs. */
export interface FolderTerms {
  /** The server's own data, which no catalog holds. */
  readonly dataFolder: string;
  /** Folders in which catalogs have to lie. */
  readonly roots: readonly string[];
}

/** Settings that {@link folderTerms} are read from. */
export type FolderSettings = Pick<LibraryConfig, 'CONTINUO_DATA' | 'CATALOG_ROOTS'>;

/** Terms that the settings give. */
export const folderTerms = ({ CONTINUO_DATA, CATALOG_ROOTS }: FolderSettings): FolderTerms => ({
  dataFolder: CONTINUO_DATA,
  roots: CATALOG_ROOTS,
});

const realOf = async (path: string): Promise<string> => realpath(path).catch(() => resolve(path));

/** @throws Rejection `catalog.path-unusable` for a folder of the system, outside the allowed ones, or in the server's own data; `given` is what was asked for */
export const refuseHidden = async (real: string, given: string, { dataFolder, roots }: FolderTerms): Promise<void> => {
  const system = SYSTEM_FOLDERS.find((folder) => contains(folder, real));
  if (system !== undefined) throw new Rejection('catalog.path-unusable', `a catalog cannot lie in the system folder ${system}`, given);
  const allowed = await Promise.all(roots.map(realOf));
  if (!allowed.some((root) => contains(root, real)))
    throw new Rejection('catalog.path-unusable', 'a catalog has to lie in one of CATALOG_ROOTS', given);
  if (contains(await realOf(dataFolder), real))
    throw new Rejection('catalog.path-unusable', 'a catalog cannot lie in the data folder of the server', given);
};

/** @throws Rejection `catalog.path-unusable` for a folder that holds the server's own data where scans would find it */
const refuseAroundData = async (real: string, given: string, dataFolder: string): Promise<void> => {
  const data = await realOf(dataFolder);
  if (contains(real, data) && !isHiddenIn(real, data))
    throw new Rejection('catalog.path-unusable', 'a catalog cannot hold the data folder of the server', given);
};

/**
 * The real path of an existing folder that may be a catalog. Links are followed before it is judged.
 * @throws Rejection `catalog.path-unusable`
 */
export const usableFolder = async (path: string, terms: FolderTerms): Promise<string> => {
  const real = await realpath(path).catch((cause: unknown) => {
    throw new Rejection('catalog.path-unusable', undefined, path, { cause });
  });
  await refuseHidden(real, path, terms);
  await refuseAroundData(real, path, terms.dataFolder);
  const isFolder = await stat(real).then(
    (stats) => stats.isDirectory(),
    (cause: unknown) => {
      throw new Rejection('catalog.path-unusable', undefined, path, { cause });
    },
  );
  if (!isFolder) throw new Rejection('catalog.path-unusable', 'this is not a folder', path);
  return real;
};
