import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = join(fileURLToPath(import.meta.url), '..', '..', '..', '..');
const ROW = /^\| (?<question>[^|]+\?) \| `(?<word>[^`]+)` \| `(?<file>[^`]+)` \|$/gm;
const rows = [...readFileSync(join(root, 'docs/tree.md'), 'utf8').matchAll(ROW)].map(({ groups }) => groups);

/** Product files that hold a word, upper and lower case alike. */
const filesWith = (word) => {
  const args = ['grep', '-il', word, '--', 'services/*/src/*.ts', ':!*.spec.ts', ':!*testkit*', ':!*.fixture.ts'];
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');
};

describe('the questions of a newcomer in docs/tree.md', () => {
  it('are ten', () => expect(rows).toHaveLength(10));

  it.each(rows)('finds "$word" in at most two files: $question', ({ word, file }) => {
    const files = filesWith(word);
    expect(files).toContain(file);
    expect(files.length).toBeLessThanOrEqual(2);
  });
});
