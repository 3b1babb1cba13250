import { describe, expect, it } from 'vitest';
import { declarationFaults } from './declared-packages.mjs';

const faults = (manifest, files) =>
  declarationFaults({
    path: 'services/a/package.json',
    manifest: { name: '@continuo/a', ...manifest },
    files: Object.entries(files).map(([path, text]) => ({ path: `services/a/${path}`, text })),
  }).map(({ path, line, text }) => `${path}:${line}: ${text}`);

const PG = "import { sql } from 'kysely';\nimport pg from 'pg/lib/index.js';";

describe('declarationFaults', () => {
  it.each([
    ['a package that nothing declares', {}, { 'src/a.ts': "import pg from 'pg';" }, /src\/a\.ts:1: "pg" is not under dependencies/],
    [
      'a product that needs a package of tests',
      { dependencies: { kysely: '1' }, devDependencies: { pg: '1' } },
      { 'src/a.ts': PG },
      /src\/a\.ts:2: "pg" is not under dependencies/,
    ],
    ['a test that declares nothing', {}, { 'src/a.unit.spec.ts': "import 'ajv';" }, /"ajv" is not under dependencies or devDependencies/],
    ['a dependency without use', { dependencies: { pg: '1' } }, { 'src/a.ts': '' }, /package\.json:1: "pg" .* nothing imports it/],
    ['a dependency of tests alone', { dependencies: { pg: '1' } }, { 'test/a.ts': "import 'pg';" }, /"pg" .* only tests import it/],
    ['types of nothing', { devDependencies: { '@types/pg': '1' } }, { 'src/a.ts': '' }, /"@types\/pg" is under devDependencies/],
    ['a package twice', { dependencies: { pg: '1' }, devDependencies: { pg: '1' } }, { 'src/a.ts': "import 'pg';" }, /declared twice/],
  ])('finds %s', (_, manifest, files, expected) => {
    expect(faults(manifest, files)).toEqual([expect.stringMatching(expected)]);
  });

  it('lets pass what is declared where it is used', () => {
    const manifest = {
      dependencies: { kysely: '1', pg: '1', sharp: '1' },
      devDependencies: { '@types/pg': '1', ajv: '1' },
      peerDependencies: { zod: '1' },
    };
    const product = `${PG}\nimport { join } from 'node:path';\nimport { z } from 'zod';\nconst sharp = await import('sharp');`;
    expect(faults(manifest, { 'src/a.ts': product, 'src/a.unit.spec.ts': "import 'ajv';\nimport { it } from 'vitest';" })).toEqual([]);
  });

  it('lets pass what a bundler takes into a page', () => {
    const files = { 'src/a.tsx': "import { x } from 'react';", 'vite.config.ts': "import { defineConfig } from 'vite';" };
    expect(faults({ devDependencies: { react: '1', vite: '1' } }, files)).toEqual([]);
  });

  it('lets pass a package that another one loads', () => {
    const files = { 'src/a.unit.spec.ts': "import '@cyclonedx/cyclonedx-library';" };
    expect(faults({ devDependencies: { '@cyclonedx/cyclonedx-library': '1', ajv: '1' } }, files)).toEqual([]);
  });
});
