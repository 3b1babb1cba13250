import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = new URL('../../../../docs/security.md', import.meta.url);
const text = readFileSync(page, 'utf8');
const rows = text.split('\n').flatMap((line) => /^### (?<number>\d+)\. /.exec(line)?.groups?.['number'] ?? []);
const named = [...text.matchAll(/\[[\w.-]+\]\((?<path>\.\.\/[^)]+)\): \*(?<title>.*?)\*$/gm)].map(({ groups }) => ({
  path: groups?.['path'] ?? '',
  title: groups?.['title'] ?? '',
}));

describe('docs/security.md', () => {
  it('has a section for each threat, with a spec or what is not covered', () => {
    expect(rows.map(Number)).toEqual(Array.from({ length: 22 }, (_, index) => index + 1));
    const sections = text.split(/^### (?=\d)/m).slice(1);
    expect(sections.filter((section) => !/^\* \[|^\*\*Not covered\.\*\*/m.test(section))).toEqual([]);
  });

  it.each(named)('$path says $title', ({ path, title }) => {
    expect(readFileSync(new URL(path, page), 'utf8')).toContain(title);
  });
});
