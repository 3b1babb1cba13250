import { describe, expect, it } from 'vitest';
import { isRevisionConflict, winnerOf } from './revision-conflict.js';

const fault = (code: number): Error => Object.assign(new Error('wrong last sequence'), { code });

describe('an entry that somebody else is faster with', () => {
  it('is in the way, whether it is written or being written', () => {
    expect([10_071, 10_164, 10_059].map((code) => isRevisionConflict(fault(code)))).toEqual([true, true, false]);
    expect(isRevisionConflict(undefined)).toBe(false);
  });

  it('counts as soon as it shows', async () => {
    const shown = [undefined, undefined, 'theirs'];
    expect(await winnerOf(fault(10_164), () => Promise.resolve(shown.shift()))).toBe('theirs');
  });

  it('is not waited for when something else was the matter', async () => {
    await expect(winnerOf(fault(10_077), () => Promise.resolve(undefined))).rejects.toMatchObject({ code: 10_077 });
  });
});
