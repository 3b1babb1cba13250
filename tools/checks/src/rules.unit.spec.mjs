import { describe, expect, it } from 'vitest';
import { importFaults } from './import-rules.mjs';
import { enumFaults } from './language-rules.mjs';

const packages = [
  { name: '@continuo/contracts', folder: 'contracts', entries: ['@continuo/contracts'] },
  { name: '@continuo/chassis', folder: 'services/chassis', entries: ['@continuo/chassis', '@continuo/chassis/testkit'] },
  { name: '@continuo/playlist-files', folder: 'services/playlist-files', entries: ['@continuo/playlist-files'] },
  { name: '@continuo/library', folder: 'services/library', entries: ['@continuo/library'] },
  { name: '@continuo/gateway', folder: 'services/gateway', entries: ['@continuo/gateway'] },
  { name: '@continuo/social', folder: 'services/social', entries: ['@continuo/social'] },
  { name: '@continuo/web', folder: 'services/web', entries: ['@continuo/web/index.html'] },
  { name: '@continuo/standalone', folder: 'tools/standalone', entries: ['@continuo/standalone'] },
];
const faults = (path, text) => importFaults({ path, text }, packages).map((fault) => `${fault.line}: ${fault.text}`);

describe('importFaults', () => {
  it.each([
    ['services/social/src/a.ts', "import { x } from '@continuo/library';", /another service/],
    ['services/social/src/a.ts', "import type {\n  x,\n} from '@continuo/library';", /another service/],
    ['services/social/src/a.ts', "export * from '@continuo/library';", /another service/],
    ['services/social/src/a.ts', "const x = await import('@continuo/library');", /another service/],
    ['services/social/src/a.ts', "import { x } from '@continuo/contracts/src/ids.js';", /reaches into/],
    ['services/social/src/a.ts', "import { x } from '@continuo/chassis/testkit';", /for tests only/],
    ['services/social/src/a.ts', "import { x } from '../test/running-social.js';", /for tests only/],
    ['services/social/src/a.ts', "import { x } from '@continuo/social';", /this very package/],
    ['services/social/src/a/b.ts', "import '../../../library/src/index.js';", /leaves the package/],
    ['contracts/src/a.ts', "import { x } from '@continuo/library';", /is a service/],
    ['contracts/src/a.ts', "import { x } from '@continuo/chassis';", /contracts already/],
    ['services/library/src/album/album.decider.ts', "import { Injectable } from '@nestjs/common';", /must not be imported/],
    ['services/library/src/album/album.decider.ts', "import { randomUUID } from 'crypto';", /must not be imported/],
    ['services/library/src/album/album.decider.ts', "import { sql } from 'kysely';", /must not be imported/],
    ['services/library/src/album/album.projection.ts', "import { Pool } from 'pg';", /must not be imported/],
    ['contracts/src/messages/ids.ts', "import { join } from 'node:path';", /must not be imported/],
    ['services/gateway/src/features/share/a.ts', "import type { X } from '../../apis/native/x.js';", /go down only/],
    ['services/gateway/src/reads/a.ts', "import { x } from '../kinds/song.js';", /go down only/],
    ['services/gateway/src/auth/a.ts', "import type { X } from '../gateway.service.js';", /go down only/],
    ['services/web/src/features/a/components/a.tsx', "import { b } from '../../b/queries.js';", /reaches into a feature/],
    ['services/web/src/app/shell.tsx', "const B = lazy(() => import('../features/b/b.js'));", /reaches into a feature/],
    ['services/web/src/features/a/components/a.tsx', "import { b } from '../../b/components/row.js';", /reaches into a feature/],
    ['services/web/src/ui/a.tsx', "import { b } from '../features/b/index.js';", /go down only/],
    ['services/web/src/features/a/a.ts', "import { router } from '../../app/routes.js';", /go down only/],
  ])('%s: %s', (path, text, expected) => {
    expect(faults(path, text)).toEqual([expect.stringMatching(expected)]);
  });

  it.each([
    ['tools/standalone/src/main.ts', "import { start } from '@continuo/library';"],
    ['services/social/src/a.ts', "import { read } from '@continuo/playlist-files';"],
    ['services/gateway/src/apis/native/a.ts', "import { x } from '../compat/x.js';\nimport { y } from '../../reads/y.js';"],
    ['services/gateway/src/gateway.service.ts', "import { x } from './apis/native/x.js';"],
    [
      'services/web/src/features/a/a.tsx',
      "import { b } from '../b/index.js';\nimport { c } from './c.js';\nimport { Art } from '../../ui/art.js';",
    ],
    ['services/web/src/main.tsx', "import './ui/theme.css';\nimport { router } from './app/routes.js';"],
    ['services/social/src/a.ts', "import { x } from '@continuo/chassis';\nimport { y } from './b.js';\nimport pg from 'pg';"],
    ['services/library/src/album/album.projection.ts', "import { sql } from 'kysely';\nimport { x } from '@continuo/contracts';"],
    ['contracts/src/messages/ids.unit.spec.ts', "import { readFileSync } from 'node:fs';"],
    ['services/social/src/a.ts', "// like import('@continuo/library')"],
  ])('lets pass %s', (path, text) => {
    expect(faults(path, text)).toEqual([]);
  });

  it.each(['services/social/src/a.unit.spec.ts', 'services/social/test/b.ts'])('lets %s use test support', (path) => {
    expect(faults(path, "import { given } from '@continuo/chassis/testkit';\nimport { x } from '../test/c.js';")).toEqual([]);
  });

  it('lets a program that specs start import its own package', () => {
    expect(faults('services/social/test/processes/a.main.ts', "import { start } from '@continuo/social';")).toEqual([]);
  });

  it('names the line', () => {
    expect(faults('services/social/src/a.ts', "import a from './a.js';\nimport b from '@continuo/library';")).toEqual([
      expect.stringMatching(/^2: /),
    ]);
  });
});

describe('enumFaults', () => {
  it('finds declarations only', () => {
    const text = "import a from 'a';\n\nexport const enum Colour { Red }\n// an enum here\nconst enumerated = 1;\n";
    expect(enumFaults({ path: 'a.ts', text })).toEqual([{ path: 'a.ts', line: 3, text: expect.stringContaining('no enums') }]);
  });
});
