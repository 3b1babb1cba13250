import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

// A program of the build of images, which is in no package.
const program = resolve(import.meta.dirname, '../../../../deploy/images/prune.mjs');
const { prune } = (await import(pathToFileURL(program).href)) as { prune: (folder: string) => number };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-prune-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), 'x');
  }
};
const left = async (): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();

const web = 'node_modules/@continuo/web';
const rxjs = 'node_modules/rxjs';
const api = `${rxjs}/node_modules/@opentelemetry/api`;

it('leaves of ours what runs, and the web page', async () => {
  const kept = [
    'bundle/main.js',
    'bundle/sonic/plugin.js',
    'package.json',
    'process.json',
    `${web}/package.json`,
    `${web}/page/index.html`,
  ];
  const useless = ['README.md', 'bundle/main.d.ts', 'bundle/main.js.map', `${web}/page/index.js.map`];
  await write([...kept, ...useless]);
  expect(prune(folder)).toBe(useless.length);
  expect(await left()).toEqual(kept.toSorted());
});

it('leaves of other packages what Node reads, and their licences', async () => {
  const kept = [
    `${rxjs}/dist/cjs/index.js`,
    `${rxjs}/LICENSE.txt`,
    `${rxjs}/license.md`,
    `${rxjs}/package.json`,
    `${rxjs}/lib/test/of-the-program.js`,
    `${api}/build/src/index.js`,
    `${api}/native.node`,
  ];
  const useless = [
    `${rxjs}/README.md`,
    `${rxjs}/src/index.ts`,
    `${rxjs}/dist/esm5/index.js`,
    `${rxjs}/dist/cjs/index.js.map`,
    `${rxjs}/dist/cjs/index.d.ts`,
    `${rxjs}/test/index.js`,
    `${api}/build/esm/index.js`,
    `${api}/index.d.mts`,
  ];
  await write([...kept, ...useless]);
  expect(prune(folder)).toBe(useless.length);
  expect(await left()).toEqual(kept.toSorted());
});
