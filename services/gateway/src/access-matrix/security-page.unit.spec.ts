import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = new URL('../../../../docs/security.md', import.meta.url);
const text = readFileSync(page, 'utf8');
const rows = text.split('\n').flatMap((line) => /^\| (?<number>\d+) \|/.exec(line)?.groups?.['number'] ?? []);
const named = [...text.matchAll(/\[[\w.-]+\]\((?<path>\.\.\/[^)]+)\): \*(?<title>.*?)\*(?=<br>| \|)/g)].map(({ groups }) => ({
  path: groups?.['path'] ?? '',
  title: groups?.['title'] ?? '',
}));

describe('docs/security.md', () => {
  it('has a row for each threat, and a spec or a word about what is not there', () => {
    expect(rows.map(Number)).toEqual(Array.from({ length: 22 }, (_, index) => index + 1));
    expect(text.split('\n').filter((line) => /^\| \d+ \|.*\| – \| – \|$/.test(line))).toEqual([]);
  });

  it.each(named)('$path says $title', ({ path, title }) => {
    expect(readFileSync(new URL(path, page), 'utf8')).toContain(title);
  });
});
