import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { objectCounter } from './benchmarks/bulk.bench.js';
import { compareSizes } from './benchmarks/lists.bench.js';
import { keepsBudget } from './measure/report.js';
import { benchProgram, parseCount, parseSizes } from './program.js';

describe('bench', () => {
  it('reads counts with a unit', () => {
    expect(['2000', '10k', '1M', '1_000'].map(parseCount)).toEqual([2000, 10_000, 1_000_000, 1000]);
    for (const wrong of ['0', '-1', '1.5', 'many', '']) expect(() => parseCount(wrong)).toThrow(InvalidArgumentError);
    expect(parseSizes('1m,10k,10k')).toEqual([10_000, 1_000_000]);
  });

  it('has a command for each generator, one for the benchmarks and one for a crowd', () => {
    expect(benchProgram(() => undefined).commands.map((command) => command.name())).toEqual([
      'generate-files',
      'generate-broken',
      'generate-events',
      'run',
      'report',
      'hour',
    ]);
  });
});

describe('objectCounter', () => {
  it('counts markers that are split over chunks once', () => {
    const counter = objectCounter('"title":');
    for (const chunk of ['{"title":1,"ti', 'tle":2}', '{"title', '":3}']) counter.onChunk(Buffer.from(chunk));
    expect(counter.count()).toBe(3);
  });
});

describe('compareSizes', () => {
  const times = (p50: number, p95: number) => new Map([['songs', { count: 1, p50, p95, p99: p95, max: p95 }]]);

  it('sets larger libraries against the smallest', () => {
    const rows = compareSizes(
      new Map([
        [1000, times(10, 12)],
        [10, times(8, 9)],
      ]),
    );
    expect(rows.map(({ what, value }) => [what, value])).toEqual([
      ['songs, 10 songs, p95', 9],
      ['songs, 1 000 songs, p95', 12],
      ['songs, 1 000 songs, p50 against the smallest', 1.25],
    ]);
  });

  it('does not make much of differences below the clock', () => {
    expect(
      compareSizes(
        new Map([
          [10, times(0.2, 0.3)],
          [1000, times(4, 4)],
        ]),
      ).at(-1)?.value,
    ).toBe(1);
  });

  it('reports what could not be measured as missed', () => {
    const [row] = compareSizes(new Map([[10, new Map([['songs', new Error('refused')]])]]));
    expect(row).toMatchObject({ note: 'refused' });
    expect(row && keepsBudget(row)).toBe(false);
  });
});
