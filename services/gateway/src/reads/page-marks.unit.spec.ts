import { describe, expect, it } from 'vitest';
import { PageMarks } from './page-marks.js';

describe('page marks', () => {
  it('start where an earlier page ended', () => {
    const marks = new PageMarks();
    expect(marks.startOf('songs@1', 500)).toEqual({ afterId: 0, skip: 500 });
    marks.note('songs@1', 500, 812);
    expect(marks.startOf('songs@1', 500)).toEqual({ afterId: 812, skip: 0 });
    expect(marks.startOf('songs@1', 700)).toEqual({ afterId: 812, skip: 200 });
    expect(marks.startOf('songs@1', 499)).toEqual({ afterId: 0, skip: 499 });
  });

  it('belong to one version of one list', () => {
    const marks = new PageMarks();
    marks.note('songs@1', 500, 812);
    expect(marks.startOf('songs@2', 500)).toEqual({ afterId: 0, skip: 500 });
  });

  it('tell the first far jump in a version of a list from further ones', () => {
    const marks = new PageMarks();
    expect([marks.jumpsAgain('a@1'), marks.jumpsAgain('a@1'), marks.jumpsAgain('a@2')]).toEqual([false, true, false]);
    for (let list = 0; list < 100; list += 1) marks.jumpsAgain(`list ${list}`);
    expect(marks.jumpsAgain('a@1')).toBe(false);
  });

  it('are kept in order however they come, and bounded', () => {
    const marks = new PageMarks();
    for (const offset of [900, 300, 600, 300]) marks.note('a', offset, offset * 2);
    expect(marks.startOf('a', 650)).toEqual({ afterId: 1200, skip: 50 });
    for (let list = 0; list < 100; list += 1) marks.note(`list ${list}`, 10, 10);
    expect(marks.startOf('a', 650)).toEqual({ afterId: 0, skip: 650 });
  });
});
