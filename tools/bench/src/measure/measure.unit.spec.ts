import { describe, expect, it } from 'vitest';
import { budgetPicture } from './picture.js';
import { describeResult, keepsBudget } from './report.js';
import { median, percentile, summarise, timed } from './stats.js';

describe('stats', () => {
  it('take the nearest rank', () => {
    const values = Array.from({ length: 100 }, (_, n) => n + 1);
    expect([percentile(values, 0.5), percentile(values, 0.95), percentile(values, 1)]).toEqual([50, 95, 100]);
    expect(percentile([7], 0.99)).toBe(7);
    expect(median([3, 1, 2])).toBe(2);
    expect(summarise([4, 1, 3, 2])).toEqual({ count: 4, p50: 2, p95: 4, p99: 4, max: 4 });
  });

  it('leave warm-ups out', async () => {
    const rounds: number[] = [];
    const { count } = await timed((round) => Promise.resolve(rounds.push(round)), { times: 3, warmUps: 2 });
    expect(rounds).toEqual([-2, -1, 0, 1, 2]);
    expect(count).toBe(3);
  });
});

describe('budgets', () => {
  it('are kept or missed in both directions', () => {
    const of = (value: number, budget: { atLeast: number } | { atMost: number }) => keepsBudget({ what: 'x', value, unit: 'ms', budget });
    expect([of(5, { atMost: 5 }), of(6, { atMost: 5 }), of(5, { atLeast: 5 }), of(4, { atLeast: 5 })]).toEqual([true, false, true, false]);
    expect(keepsBudget({ what: 'x', value: 1, unit: 'ms' })).toBeUndefined();
  });

  it('stand in the table', () => {
    const text = describeResult({
      benchmark: 'Lists',
      measurements: [{ what: 'page', value: 12.345, unit: 'ms', budget: { atMost: 50 } }],
    });
    expect(text.split('\n')[4]).toMatch(/^\| page +\| 12\.3 ms \| ≤ 50 +\| kept \| +\|$/);
  });

  it('are drawn beside the values, where there is one to compare with', () => {
    const picture = budgetPicture('Lists & pages', [
      { what: 'page', value: 12.5, unit: 'ms', budget: { atMost: 50 } },
      { what: 'flow', value: 10, unit: 'songs/s', budget: { atLeast: 20 } },
      { what: 'left over', value: 0, unit: 'files', budget: { atMost: 0 } },
      { what: 'explains others', value: 1, unit: 'ms' },
    ]);
    expect(picture.match(/\d times \w+/g)).toEqual(['4 times better', '2 times worse']);
    expect(picture).toContain('Lists &amp; pages');
  });
});
