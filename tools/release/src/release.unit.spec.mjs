import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { versioned } from './chart.mjs';
import { release } from './changelog.mjs';
import { nextVersion, withVersion } from './version.mjs';

const commits = (...subjects) => subjects.map((subject, index) => ({ hash: String(index), subject, body: '' }));

describe('the next version', () => {
  it.each([
    ['1.2.3', ['fix(web): a gap'], '1.2.4'],
    ['1.2.3', ['perf: faster', 'docs: a page'], '1.2.4'],
    ['1.2.3', ['fix: a gap', 'feat(api): a field'], '1.3.0'],
    ['1.2.3', ['feat(api)!: a field is gone'], '2.0.0'],
    ['0.2.3', ['feat(api)!: a field is gone'], '0.3.0'],
  ])('after %s with %j is %s', (last, subjects, next) => {
    expect(nextVersion(last, '9.9.9', commits(...subjects))).toBe(next);
  });

  it('is raised by a note of what breaks', () => {
    expect(nextVersion('1.2.3', '9.9.9', [{ hash: '1', subject: 'fix: a gap', body: 'More.\n\nBREAKING CHANGE: settings' }])).toBe('2.0.0');
  });

  it('is that of the checkout for the first release', () => {
    expect(nextVersion(undefined, '0.1.0', commits('docs: a page'))).toBe('0.1.0');
  });

  it('is refused when nothing for users has changed', () => {
    expect(() => nextVersion('1.2.3', '9.9.9', commits('docs: a page', 'a merge'))).toThrow('nothing for users has changed since 1.2.3');
  });
});

describe('the changelog', () => {
  const changelog = '# Changelog\n\nWords.\n\n## Unreleased (0.2.0)\n\n* Written by hand.\n\n## 0.1.0 (2026-11-01)\n\n* The first.\n';

  it('takes what was written under "Unreleased"', () => {
    const made = release(changelog, { version: '0.2.0', date: '2026-11-26', commits: commits('feat: a field') });
    expect(made.text).toBe('* Written by hand.');
    expect(made.changelog).toBe(
      '# Changelog\n\nWords.\n\n## 0.2.0 (2026-11-26)\n\n* Written by hand.\n\n## 0.1.0 (2026-11-01)\n\n* The first.\n',
    );
  });

  it('lists the commits where nothing was written', () => {
    const made = release('# Changelog\n\n## 0.1.0 (2026-11-01)\n\n* The first.\n', {
      version: '0.2.0',
      date: '2026-11-26',
      commits: commits('feat(api): a field', 'fix: a gap', 'feat(web)!: a page is gone', 'docs: a page'),
    });
    expect(made.text).toBe('### Changes that need you\n\n* web: a page is gone.\n\n### New\n\n* api: a field.\n\n### Fixed\n\n* a gap.');
    expect(made.changelog).toContain('## 0.2.0 (2026-11-26)\n\n### Changes that need you');
    expect(made.changelog.indexOf('## 0.2.0')).toBeLessThan(made.changelog.indexOf('## 0.1.0'));
  });
});

it('writes its version into the chart', () => {
  expect(versioned('apiVersion: v2\nversion: 0.1.0\nappVersion: 0.1.0\n', '0.2.0')).toBe(
    'apiVersion: v2\nversion: 0.2.0\nappVersion: 0.2.0\n',
  );
});

describe('the version in the sources', () => {
  const root = resolve(import.meta.dirname, '../../..');
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
      .trim()
      .split('\n');
  const list = (patterns) => git('ls-files', '--', ...patterns);
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const { version } = JSON.parse(read('package.json'));

  it('is replaced wherever it stands, and nothing else is', () => {
    const texts = withVersion('98.7.6', { list, read });
    const holders = git('grep', '-lF', version, '--', '.', ':!pnpm-lock.yaml', ':!CHANGELOG.md', ':!README.md', ':!*.spec.*', ':!*go.sum');
    const whole = new RegExp(`(?<![\\d.])${version.replaceAll('.', '\\.')}(?!\\.?\\d)`);
    expect(holders.filter((path) => whole.test(texts.get(path) ?? read(path)))).toEqual([]);
    const back = withVersion(version, { list, read: (path) => texts.get(path) ?? read(path) });
    expect([...texts.keys()].filter((path) => back.get(path) !== read(path))).toEqual([]);
    expect([...texts.keys()]).toEqual(expect.arrayContaining(['package.json', 'deploy/compose.yaml', 'contracts/golden/compat/ping.txt']));
  });
});
