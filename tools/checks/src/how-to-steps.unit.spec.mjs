import { describe, expect, it } from 'vitest';
import { applyPages, applyStep, stepsOf } from './how-to-steps.mjs';

const page = (...blocks) => blocks.map(([first, ...code]) => ['```' + first, ...code, '```', ''].join('\n')).join('\n');
const only = (...block) => stepsOf(page(block))[0];

describe('the steps of a how-to page', () => {
  it('are its blocks of TypeScript, with file, place and line', () => {
    const steps = stepsOf(page(['ts new a/b.ts', 'one'], ['sh', 'ls'], ['ts a/b.ts after "on e"', 'two'], ['ts', 'three']));
    expect(steps).toMatchObject([
      { line: 1, isNew: 'new ', path: 'a/b.ts', code: 'one\n' },
      { line: 9, path: 'a/b.ts', place: 'after', anchor: 'on e', code: 'two\n' },
      { line: 13, code: 'three\n' },
    ]);
    expect(steps[2].path).toBeUndefined();
  });

  it('make, extend and change files', () => {
    expect(applyStep(only('ts new a.ts', 'one'), undefined)).toBe('one\n');
    expect(applyStep(only('ts a.ts after "one"', 'two'), 'one\nthree\n')).toBe('one\ntwo\nthree\n');
    expect(applyStep(only('ts a.ts before "one"', 'two'), 'one\nthree\n')).toBe('two\none\nthree\n');
    expect(applyStep(only('ts a.ts instead of "one"', 'two'), 'one\nthree\n')).toBe('two\nthree\n');
  });

  it('that only show something leave the file as it is, however it is formatted', () => {
    const text = 'call({\n  a: 1,\n  b: 2,\n});\n';
    expect(applyStep(only('ts a.ts', 'call({ a: 1, b: 2 });'), text)).toBe(text);
    expect(applyStep(only('ts a.ts', 'call({', '  …', '});'), text)).toBe(text);
  });

  it('build on each other, over all pages; what does not fit is told with page and line', () => {
    const pages = [
      { path: 'one.md', text: page(['ts new a.ts', 'one'], ['ts a.ts after "one"', 'two']) },
      { path: 'two.md', text: page(['ts a.ts after "two"', 'three'], ['ts b.ts', 'four'], ['ts', 'five']) },
    ];
    const { faults, files } = applyPages(pages, () => undefined);
    expect([...files]).toEqual([['a.ts', 'one\ntwo\nthree\n']]);
    expect(faults).toEqual([
      { path: 'two.md', line: 5, text: 'there is no b.ts' },
      { path: 'two.md', line: 9, text: 'does not say which file the code is for' },
    ]);
  });

  it.each([
    ['what is not there', only('ts a.ts', 'two'), 'one', 'a.ts does not hold two'],
    ['a file that is not there', only('ts a.ts', 'two'), undefined, 'there is no a.ts'],
    ['a new file that is there', only('ts new a.ts', 'two'), 'one', 'a.ts is there already'],
    ['a place that is not there', only('ts a.ts after "two"', 'two'), 'one', '0 lines of a.ts hold "two"'],
    ['a place that is there twice', only('ts a.ts after "one"', 'two'), 'one\none', '2 lines of a.ts hold "one"'],
  ])('refuse %s', (_, step, text, message) => {
    expect(() => applyStep(step, text)).toThrow(message);
  });
});
