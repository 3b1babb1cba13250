import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

type Versions = Readonly<Record<string, string>>;
interface Importer {
  readonly dependencies?: Readonly<Record<string, { readonly version: string }>>;
}
interface Lockfile {
  readonly importers: Readonly<Record<string, Importer>>;
  readonly packages: Readonly<Record<string, { readonly resolution: { readonly integrity?: string } }>>;
  readonly snapshots: Readonly<Record<string, { readonly dependencies?: Versions } | null>>;
}

/** The documents of pnpm's lockfile hold the workspace last. */
const readLockfile = async (repository: string): Promise<Lockfile> => {
  const text = await readFile(join(repository, 'pnpm-lock.yaml'), 'utf8');
  return parse(text.slice(text.lastIndexOf('\nlockfileVersion:') + 1)) as Lockfile;
};

/**
 * Runtime dependencies of workspace packages, from the lockfile: `name@version` of everything that is not optional, with the SHA-512 of its archive in hexadecimal digits.
 * @param folders of the packages below the repository
 */
export const neededBy = async (repository: string, folders: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const { importers, packages, snapshots } = await readLockfile(repository);
  const needed = new Map<string, string>();
  const seen = new Set<string>();
  const visitImporter = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const [name, { version }] of Object.entries(importers[path]?.dependencies ?? {})) {
      if (version.startsWith('link:')) visitImporter(join(path, version.slice('link:'.length)));
      else visit(`${name}@${version}`);
    }
  };
  const visit = (key: string): void => {
    if (seen.has(key)) return;
    seen.add(key);
    // The peers that a package was given stand behind its version.
    const id = key.replace(/\(.*$/s, '');
    const [algorithm, hash = ''] = (packages[id]?.resolution.integrity ?? '').split('-');
    if (algorithm === 'sha512') needed.set(id, Buffer.from(hash, 'base64').toString('hex'));
    for (const [name, version] of Object.entries(snapshots[key]?.dependencies ?? {})) visit(`${name}@${version}`);
  };
  for (const folder of folders) visitImporter(folder);
  return needed;
};
