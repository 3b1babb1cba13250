import { describe, expect, it } from 'vitest';
import { unreachedFaults } from './reach-rules.mjs';

const entries = new Map([['@continuo/chassis', 'chassis/index.ts']]);
const unreached = (files) => unreachedFaults(new Map(Object.entries(files)), entries).map(({ path }) => path);

describe('unreachedFaults', () => {
  it('finds files that no program imports, and what only they import', () => {
    const files = {
      'src/main.ts': "import { a } from './a.js';",
      'src/a.ts': "import type { B } from './b.js';\nexport const a: B = 1;",
      'src/b.ts': 'export type B = number;',
      'src/fake.ts': "import { world } from './world.js';",
      'src/world.ts': 'export const world = 1;',
    };
    expect(unreached(files)).toEqual(['src/fake.ts', 'src/world.ts']);
  });

  it('reads components as other files', () => {
    const files = {
      'src/main.tsx': "import { A } from './a.js';",
      'src/a.tsx': "import { b } from './b.js';\nexport const A = () => <p>{b}</p>;",
      'src/b.ts': 'export const b = 1;',
      'src/c.tsx': 'export const C = () => null;',
    };
    expect(unreached(files)).toEqual(['src/c.tsx']);
  });

  it('follows an index for the names alone that are imported from it', () => {
    const files = {
      'library/main.ts': "import { Store, port as named } from '@continuo/chassis';",
      'chassis/index.ts':
        "/** All. */\nexport * from './store.js';\nexport * from './fakes.js';\nexport { wharf as port, other } from './port.js';",
      'chassis/store.ts': 'export class Store {}',
      'chassis/fakes.ts': 'export class FakeStore {}',
      'chassis/port.ts': 'export const wharf = 1;',
    };
    expect(unreached(files)).toEqual(['chassis/fakes.ts']);
    expect(unreached({ ...files, 'chassis/fakes.ts': "export * from './port.js';" })).toEqual(['chassis/fakes.ts']);
    expect(unreached({ ...files, 'library/main.ts': "import * as all from '@continuo/chassis';" })).toEqual([]);
  });

  it.each([
    "import './a.js';",
    "const load = () => import('./a.js');",
    "new Worker(new URL('./a.ts', import.meta.url));",
    'const url = (name: string) => new URL(`./${name}.ts`, import.meta.url);',
  ])('follows %s', (text) => {
    expect(unreached({ 'src/scan.main.ts': text, 'src/a.ts': '' })).toEqual([]);
  });

  it('lets entries of packages pass, which tools may import', () => {
    expect(unreached({ 'chassis/index.ts': "export * from './a.js';", 'chassis/a.ts': '' })).toEqual(['chassis/a.ts']);
  });
});
