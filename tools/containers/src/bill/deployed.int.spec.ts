import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const repository = resolve(import.meta.dirname, '../../../..');
// Programs of the build of images, which are in no package.
const load = (name: string): Promise<unknown> => import(pathToFileURL(resolve(repository, `deploy/images/${name}.mjs`)).href);
const { deployPackage } = (await load('deploy')) as { deployPackage: (name: string, folder: string) => number };
const { packages } = (await load('packages')) as { packages: readonly string[] };

interface Deployed {
  /** The folder of its sources. */
  readonly home: string;
  readonly folder: string;
  readonly files: readonly string[];
}

/** Files of a package itself, without those of packages that it needs. */
const filesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('node_modules/'));

/** Our packages in an image: the program, and those that it needs. */
const ours = async (name: string, folder: string): Promise<Deployed[]> => {
  const store = join(folder, 'node_modules/.pnpm');
  const needed = (await readdir(store)).filter((entry) => entry.startsWith('@continuo+'));
  const found = needed.map((entry) => ({ name: /^@continuo\+([^@]+)/.exec(entry)?.[1] ?? entry, entry }));
  const folders = found.map((one) => [one.name, join(store, one.entry, 'node_modules/@continuo', one.name)] as const);
  return Promise.all(
    [[name, folder] as const, ...folders].map(async ([of, at]) => ({ home: homeOf(of), folder: at, files: await filesOf(at) })),
  );
};

const homeOf = (name: string): string => {
  const folder = name.replace(/-cli$/, '');
  return ['.', 'contracts', 'services', 'tools'].map((parent) => join(repository, parent, folder)).find(existsSync) ?? name;
};

const documents = join(repository, 'contracts/openapi');
const gateway = join(repository, 'services/gateway');
const web = join(repository, 'services/web');

const PROGRAMS = /^(?:package\.json|dist\/.*\.js(?:\.map)?)$/;
/** Files of a package that are no program: folders and the names allowed there. */
const contents: Readonly<Record<string, RegExp>> = {
  [documents]: /^[\w-]+\.json$/,
  [web]:
    /^(?:package\.json|page\/(?:index\.html|licences\.json|manifest\.webmanifest|service-worker\.js|icon-\d+\.png|assets\/[\w.-]+\.(?:js|css|svg)(?:\.(?:br|gz))?))$/,
};

describe('what an image holds of ours', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'continuo-deployed-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each(packages)('is programs with their maps for %s: no spec, no test support, no recorded answer, no source', async (name) => {
    deployPackage(name, folder);
    const deployed = await ours(name, folder);
    const homes = deployed.map(({ home }) => home);
    for (const of of [documents, web]) expect(homes.includes(of)).toBe(homes.includes(gateway));
    for (const { home, folder: at, files } of deployed) {
      expect(files).toContain('package.json');
      const programs = files.filter((path) => path.startsWith('dist/') && path.endsWith('.js'));
      expect(files.filter((path) => !(contents[home] ?? PROGRAMS).test(path))).toEqual([]);
      expect(files).toEqual(expect.arrayContaining(home === web ? ['page/index.html', 'page/licences.json'] : []));
      const sources = programs.map((path) => path.replace(/^dist/, 'src').replace(/\.js$/, '.ts'));
      expect(sources.filter((path) => path.endsWith('.spec.ts') || !existsSync(join(home, path)))).toEqual([]);
      const texts = await Promise.all(programs.map((path) => readFile(join(at, path), 'utf8')));
      expect(programs.filter((_, index) => /from '(?:vitest|@continuo\/(?:[\w-]+\/testkit|read-model))'/.test(texts[index] ?? ''))).toEqual(
        [],
      );
    }
  });
});
