import { describe, expect, it } from 'vitest';
import { PageCursors } from './page-cursors.js';

describe('page cursors', () => {
  it('start where an earlier page ended', () => {
    const cursors = new PageCursors();
    expect(cursors.startOf('songs@1', 500)).toEqual({ afterId: 0, skip: 500 });
    cursors.note('songs@1', 500, 812);
    expect(cursors.startOf('songs@1', 500)).toEqual({ afterId: 812, skip: 0 });
    expect(cursors.startOf('songs@1', 700)).toEqual({ afterId: 812, skip: 200 });
    expect(cursors.startOf('songs@1', 499)).toEqual({ afterId: 0, skip: 499 });
  });

  it('belong to one version of one list', () => {
    const cursors = new PageCursors();
    cursors.note('songs@1', 500, 812);
    expect(cursors.startOf('songs@2', 500)).toEqual({ afterId: 0, skip: 500 });
  });

  it('tell the first far jump in a version of a list from further ones', () => {
    const cursors = new PageCursors();
    expect([cursors.jumpsAgain('a@1'), cursors.jumpsAgain('a@1'), cursors.jumpsAgain('a@2')]).toEqual([false, true, false]);
    for (let list = 0; list < 100; list += 1) cursors.jumpsAgain(`list ${list}`);
    expect(cursors.jumpsAgain('a@1')).toBe(false);
  });

  it('are kept in order however they come, and bounded', () => {
    const cursors = new PageCursors();
    for (const offset of [900, 300, 600, 300]) cursors.note('a', offset, offset * 2);
    expect(cursors.startOf('a', 650)).toEqual({ afterId: 1200, skip: 50 });
    for (let list = 0; list < 100; list += 1) cursors.note(`list ${list}`, 10, 10);
    expect(cursors.startOf('a', 650)).toEqual({ afterId: 0, skip: 650 });
  });
});
