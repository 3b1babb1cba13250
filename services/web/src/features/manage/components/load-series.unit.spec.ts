import { expect, it } from 'vitest';
import { linePath, pointsOf } from './load-series.js';

const MINUTE_MS = 60_000;
const sample = (minute: number, gateway: string, requestsPerS: number, lagEvents = 0) => ({
  gateway,
  at: new Date(minute * MINUTE_MS).toISOString(),
  requestsPerS,
  p95Ms: null,
  memoryBytes: 10,
  listeners: 2,
  runningScans: 0,
  lagEvents,
});

it('adds up the requests and the memory of gateways, and takes the largest of what they all see', () => {
  expect(pointsOf([sample(1, 'a', 1, 5), sample(3, 'b', 2, 7), sample(6, 'a', 4)])).toMatchObject([
    { atMs: 0, requestsPerS: 3, memoryBytes: 20, listeners: 2, lagEvents: 7, p95Ms: 0 },
    { atMs: 5 * MINUTE_MS, requestsPerS: 4, memoryBytes: 10 },
  ]);
});

it('takes the latest sample of a gateway in five minutes', () => {
  expect(pointsOf([sample(1, 'a', 1), sample(4, 'a', 9)])).toMatchObject([{ requestsPerS: 9, memoryBytes: 10 }]);
});

it('draws a line, and leaves a gap where there are no samples', () => {
  const size = { fromMs: 0, toMs: 40 * MINUTE_MS, most: 4, width: 400, height: 100 };
  const points = [0, 5, 10, 30].map((minute) => [minute * MINUTE_MS, minute === 10 ? 4 : 0] as const);
  expect(linePath(points, size)).toBe('M0.0 100.0h0L50.0 100.0L100.0 0.0M300.0 100.0h0');
});
