import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLongForm } from '../../local-servers/src/test-form.ts';
import { applyPages } from './how-to-steps.mjs';

const root = join(import.meta.dirname, '../../..');
/** Packages that steps may change. */
const PACKAGES = ['contracts', ...readdirSync(join(root, 'services')).map((name) => `services/${name}`)];
/** Packages that specs of services need. */
const BESIDE = ['tools/local-servers', 'tools/read-model'];

const textOf = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined);
const pages = readdirSync(join(root, 'docs/how-to')).map((name) => ({ path: name, text: textOf(`docs/how-to/${name}`) }));
const { faults, files } = applyPages(pages, textOf);

it('what the how-to pages say fits the repository, step by step', () => {
  expect(faults).toEqual([]);
});

describe.runIf(isLongForm)('a copy that has all their steps', () => {
  let copy;
  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'continuo-how-to-'));
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const file of ['package.json', 'tsconfig.base.json']) await cp(join(root, file), join(copy, file));
    const isCopied = (path) => !/\/(?:dist|\.vite)$/.test(path);
    for (const folder of [...PACKAGES, ...BESIDE])
      await cp(join(root, folder), join(copy, folder), { recursive: true, verbatimSymlinks: true, filter: isCopied });
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  it('compiles', { timeout: 300_000 }, async () => {
    for (const [path, text] of files) {
      await mkdir(dirname(join(copy, path)), { recursive: true });
      await writeFile(join(copy, path), text);
    }
    const changed = PACKAGES.filter((folder) => [...files.keys()].some((path) => path.startsWith(`${folder}/`)));
    const config = {
      extends: './tsconfig.base.json',
      compilerOptions: {
        noEmit: true,
        composite: false,
        incremental: false,
        declaration: false,
        declarationMap: false,
        customConditions: ['continuo-source'],
      },
      // What the steps changed, and everything beside it that may use it; specs only where steps changed them.
      include: changed.map((folder) => `${folder}/src`),
      exclude: ['**/*.spec.ts'],
      files: [...files.keys()],
    };
    await writeFile(join(copy, 'tsconfig.json'), JSON.stringify(config));
    // Several checkers would each go through the same types of libraries: twice the processor time, and other specs need it.
    const compiler = [join(root, 'node_modules/typescript/bin/tsc'), '-p', copy, '--checkers', '1'];
    const { stdout } = await promisify(execFile)(process.execPath, compiler, { cwd: copy }).catch((error) => error);
    expect(stdout).toBe('');
  });
});
