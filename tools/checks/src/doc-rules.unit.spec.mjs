import { describe, expect, it } from 'vitest';
import { linkFaults, settingFaults, settingsOf } from './doc-rules.mjs';

const texts = {
  'docs/operate/a.md': '# A `word` of 2: it’s here\n\n## Same again\n',
  'docs/operate/b.md': '# B\n',
  'docs/pictures/p.svg': '',
};
const world = { exists: (path) => path in texts || path === 'docs', read: (path) => texts[path] };
const faults = (text) =>
  linkFaults({ path: 'docs/operate/b.md', text: `# B\n\n${text}` }, world).map((fault) => `${fault.line} ${fault.text}`);

describe('links of pages', () => {
  it('may lead to pages, headings, folders, pictures and out of the house', () => {
    const good = [
      '[a](a.md)',
      '[a](a.md#a-word-of-2-its-here)',
      '[b](#b)',
      '![p](../pictures/p.svg)',
      '[d](..)',
      '[x](https://example.org/#y)',
    ];
    expect(faults(good.join(' '))).toEqual([]);
  });

  it('are found when they lead nowhere, with their line', () => {
    expect(faults('[c](c.md)\n![p](p.svg)')).toEqual(['3 leads to c.md, which is not there', '4 leads to p.svg, which is not there']);
    expect(faults('[a](a.md#other)')).toEqual(['3 leads to #other, which is no heading of docs/operate/a.md']);
    expect(faults('[out](../../../etc/passwd)')).toHaveLength(1);
  });

  it('are not looked for in code', () => {
    expect(faults('```md\n[c](c.md)\n```\n\n[a](a.md)')).toEqual([]);
  });
});

describe('settings that pages name', () => {
  const known = settingsOf('| Variable | Means |\n|---|---|\n| `PORT_A`, `PORT_B` | `OTHER_ONE` |\n');

  it('are those in the first column of the tables', () => expect([...known]).toEqual(['PORT_A', 'PORT_B']));

  it('are found when no table has them', () => {
    const text = 'Set `PORT_A=1` or `PORT_B`.\n`PORT_C` is gone, as EV_LIBRARY is no setting.\n';
    expect(settingFaults({ path: 'x.md', text }, known)).toEqual([{ path: 'x.md', line: 2, text: 'names PORT_C, which is no setting' }]);
  });
});
