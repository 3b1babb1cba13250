import { describe, expect, it } from 'vitest';
import { compareRequests } from './requests-by-size.bench.js';
import { mostFrequent, requestKinds, spread } from './requests.js';
import { timesBetter } from '../../measure/report.js';
import { comparisonPicture, comparisonTable, measurementsOf, peerRows, type Cell } from './table.js';

const column = (name: string, cells: Readonly<Record<string, Cell>>) => ({ name, cells: new Map(Object.entries(cells)) });

describe('timesBetter', () => {
  it('compares with the best peer in the direction of the goal', () => {
    expect(timesBetter({ atMost: 1 }, 2, [1, 4])).toBe(0.5);
    expect(timesBetter({ atLeast: 1 }, 400, [100, 200])).toBe(2);
  });

  it('says nothing without peers or without a value of ours', () => {
    expect(timesBetter({ atMost: 1 }, 2, [])).toBeUndefined();
    expect(timesBetter({ atMost: 1 }, undefined, [2])).toBeUndefined();
  });
});

describe('comparisonTable', () => {
  const rows = peerRows(10_000).filter(({ key }) => key === 'first' || key === 'ping');
  const ours = column('Ours', { first: { value: 900, cpuMs: 2, memoryMb: 300 }, ping: { value: 0.5, cpuMs: 0.4 } });

  it('shows values with processor time and memory, the ratios and the verdict', () => {
    const peer = column('Peer', { first: { value: 450, cpuMs: 3 }, ping: { value: 0.25 } });
    expect(comparisonTable(rows, [peer, ours]).split('\n')).toEqual([
      '| Work                | Peer       | Ours               | Times better | Goal   |        |',
      '|---------------------|------------|--------------------|--------------|--------|--------|',
      '| first scan, files/s | 450 (3 ms) | 900 (2 ms, 300 MB) | 2 (1.5)      | ≥ 850  | kept   |',
      '| `ping`, ms          | 0.25       | 0.5 (0.4 ms)       | 0.5          | ≤ 0.25 | missed |',
    ]);
  });

  it('shows ours alone, and what could not be measured', () => {
    const text = comparisonTable(rows, [column('Ours', { ping: { value: 0.2 } })]);
    expect(text).not.toContain('Times better');
    expect(text).toMatch(/first scan.*\| – +\| ≥ 850 +\| +\|/);
  });
});

describe('comparisonPicture', () => {
  const rows = peerRows(10_000).filter(({ key }) => key === 'first' || key === 'ping');
  const ours = column('Ours', { first: { value: 900 }, ping: { value: 0.5 } });

  it('draws a bar to either side for each row that can be compared', () => {
    const picture = comparisonPicture(rows, [column('Peer', { first: { value: 450 }, ping: { value: 0.25 } }), ours], 10_000);
    expect(picture.match(/\d times \w+/g)).toEqual(['2 times better', '2 times worse']);
    expect(picture).toContain('Peer, 10,000 songs');
  });
});

describe('peerRows', () => {
  it('has a row for each kind of request', () => {
    const keys = new Set(peerRows(1).map(({ key }) => key));
    expect(requestKinds.filter(({ key }) => !keys.has(key))).toEqual([]);
  });

  it('asks less of scans of large libraries', () => {
    expect([1000, 60_000].map((songs) => peerRows(songs)[0]?.goal)).toEqual([{ atLeast: 850 }, { atLeast: 750 }]);
  });
});

describe('measurementsOf', () => {
  it('gives goals to the last column only', () => {
    const cells = { ping: { value: 1, bytes: 99.6 } };
    expect(measurementsOf(peerRows(1), [column('Peer', cells), column('Ours', cells)])).toEqual([
      { what: '`ping`, Peer', value: 1, unit: 'ms', note: '1, answers of 100 bytes' },
      { what: '`ping`, Ours', value: 1, unit: 'ms', budget: { atMost: 0.25 }, note: '1, answers of 100 bytes' },
    ]);
  });
});

describe('compareRequests', () => {
  it('sets larger libraries against the smallest, in times that it takes', () => {
    const cells = (ping: number, many: number) =>
      new Map<string, Cell>(Object.entries({ ping: { value: ping }, 'ping x8': { value: many } }));
    const rows = compareRequests([
      [10, cells(1, 900)],
      [1000, cells(3, 300)],
    ]);
    expect(rows.map(({ what, value }) => [what, value])).toEqual([
      ['`ping`, 10 songs', 1],
      ['`ping`, 1 000 songs', 3],
      ['`ping`, 1 000 songs, against the smallest', 3],
      ['`ping`, 8 at once, 10 songs', 900],
      ['`ping`, 8 at once, 1 000 songs', 300],
      ['`ping`, 8 at once, 1 000 songs, against the smallest', 3],
    ]);
  });
});

describe('mostFrequent', () => {
  it('takes three words, the same ones in whatever order they come', () => {
    const words = ['d', 'c', 'b', 'b', 'a', 'a', 'a'];
    expect(mostFrequent(words)).toEqual(['a', 'b', 'c']);
    expect(mostFrequent(words.toReversed())).toEqual(['a', 'b', 'c']);
  });
});

describe('spread', () => {
  it('takes entries at even distances', () => {
    expect(spread([...Array(100).keys()], 4)).toEqual([12, 37, 62, 87]);
    expect(spread([1], 20)).toEqual([1]);
    expect(spread([], 20)).toEqual([]);
  });
});
