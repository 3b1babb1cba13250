import { describe, expect, it } from 'vitest';
import { pathFaults } from './path-rules.mjs';

const paths = [
  'services',
  'services/a',
  'services/a/src',
  'services/a/src/one.reads.ts',
  'services/a/src/two.reads.ts',
  'tools',
  'tools/b',
];
const faults = (text) => pathFaults({ path: 'docs/tree.md', text }, paths).map((fault) => `${fault.line} ${fault.text}`);

describe('paths that pages name', () => {
  it('accepts whole paths, ends of paths, alternatives, placeholders and patterns', () => {
    const good = [
      'services/a/src/one.reads.ts',
      'src/two.reads.ts',
      'src/{one,two}.reads.ts',
      'src/<thing>.reads.ts',
      'src/*.reads.ts',
      'a/',
    ];
    expect(faults(good.map((name) => `\`${name}\``).join(' '))).toEqual([]);
  });

  it('reports a path that is not there, with its line', () => {
    expect(faults('\n`src/three.reads.ts`')).toEqual(['2 names src/three.reads.ts, which is not there']);
    expect(faults('`src/{one,three}.reads.ts`')).toHaveLength(1);
    expect(faults('`three.reads.ts`')).toHaveLength(1);
  });

  it('reports a file that the comment above an example names', () => {
    expect(faults('```ts\n// src/three.reads.ts\n```')).toEqual(['2 names src/three.reads.ts, which is not there']);
  });

  it('accepts a file that the reader is to create', () => {
    expect(faults('`src/three.reads.ts` (new)\n\n```ts\n// src/three.reads.ts\n```')).toEqual([]);
  });

  it('ignores URLs, endings of file names and code with blanks', () => {
    expect(faults('`/rest/8` `.decider.ts` `https://example.org/a/b` `a / b`')).toEqual([]);
  });

  it('reads the folders of a tree below the folder that is not indented', () => {
    const tree = (text) => faults(`\`\`\`text\n${text}\`\`\`\n`);
    expect(tree('services/a/\n  src/   what it is\n  one.reads.ts  src/two.reads.ts   reads\ntools/b/   other\n')).toEqual([]);
    expect(tree('services/a/\n  b/   what it is\n')).toEqual(['3 names services/a/b/, which is not there']);
  });
});
