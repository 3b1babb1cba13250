import { describe, expect, it } from 'vitest';
import { IdList, listMd5, parseIds } from './id-list.js';
import { negativeIdsFirst, orderedByOverlay, filterIds } from './overlay-order.js';
import { IdSet } from '../database/id-set.js';

const ids = (...values: number[]): Int32Array => Int32Array.from(values);

describe('id lists', () => {
  it('are read from the text of an array', () => {
    expect([...parseIds('{1,22,-333}')]).toEqual([1, 22, -333]);
    expect([...parseIds('{}')]).toEqual([]);
    expect([...parseIds(null)]).toEqual([]);
  });
  it('have the hash of their PHP serialisation', () => {
    expect(listMd5(ids())).toBe('40cd750bba9870f18aada2478b24840a');
    // a:2:{i:0;i:5;i:1;i:9;}
    expect(listMd5(ids(5, 9))).toBe('7338a0d5c0ba559312fb4d251cbbc820');
    // a:2:{i:0;s:9:"folder-12";i:1;s:6:"song-7";}
    const spell = (id: number): string => (id < 0 ? `folder-${-id}` : `song-${id}`);
    expect(new IdList(ids(-12, 7), undefined, spell).md5).toBe('14449d9c8e5cf8368658f0b43dedb911');
  });
});

describe('marks over a list', () => {
  it('order what has them last, or first when descending, and leave the rest in its order', () => {
    expect([...orderedByOverlay(ids(1, 2, 3, 4, 5), ids(9, 4, 2), false)]).toEqual([1, 3, 5, 4, 2]);
    expect([...orderedByOverlay(ids(1, 2, 3, 4, 5), ids(9, 4, 2), true)]).toEqual([2, 4, 5, 3, 1]);
    expect([...negativeIdsFirst(ids(3, -1, 2, -5))]).toEqual([-1, -5, 3, 2]);
  });
  it.each([
    [ids(1, 8, 70), 'close together'],
    [ids(-3, 8), 'of two kinds'],
    [ids(5, 2_000_000_000), 'far apart'],
    [ids(), 'none'],
  ])('sift ids: %j, %s', (marked) => {
    const set = new IdSet(marked);
    const all = ids(-3, 0, 1, 5, 7, 8, 9, 70, 71, 2_000_000_000);
    expect([...filterIds(all, set, true)]).toEqual([...all].filter((id) => marked.includes(id)));
    expect([...filterIds(all, set, false)]).toEqual([...all].filter((id) => !marked.includes(id)));
  });
});
