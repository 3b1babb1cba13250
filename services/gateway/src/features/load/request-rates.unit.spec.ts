import { createMetrics } from '@continuo/chassis';
import { Counter, Histogram } from 'prom-client';
import { expect, it } from 'vitest';
import { countRequestsSoFar, ratesBetween, type RequestCounts } from './request-rates.js';

const counts = (atMs: number, requests: number, within: RequestCounts['within'] = []): RequestCounts => ({ atMs, requests, within });

it('tells the requests a second between two counts', () => {
  expect(ratesBetween(counts(0, 10), counts(300_000, 40))).toEqual({ requestsPerS: 0.1, p95Ms: null });
});

it('tells the time within which 95 of 100 answers were complete, of those between the counts alone', () => {
  const before = counts(0, 100, [
    [0.1, 0],
    [0.5, 100],
    [Infinity, 100],
  ]);
  const now = counts(1000, 200, [
    [0.1, 90],
    [0.5, 200],
    [Infinity, 200],
  ]);
  // 90 within 100 ms, 10 more within 500 ms: the 95th lies half way.
  expect(ratesBetween(before, now).p95Ms).toBe(300);
});

it('tells the last bound for answers that took longer than all bounds', () => {
  const now = counts(1000, 2, [
    [60, 0],
    [Infinity, 2],
  ]);
  expect(ratesBetween(counts(0, 0), now).p95Ms).toBe(60_000);
});

it('reads the metrics of requests over all operations', async () => {
  const metrics = createMetrics('gateway');
  const registers = [metrics.registry];
  const requests = new Counter({ name: 'continuo_http_requests_total', help: 'requests', labelNames: ['operation'], registers });
  const seconds = new Histogram({
    name: 'continuo_http_request_seconds',
    help: 'seconds',
    labelNames: ['operation'],
    buckets: [0.1, 1],
    registers,
  });
  for (const operation of ['songs', 'albums']) {
    requests.inc({ operation });
    seconds.observe({ operation }, operation === 'songs' ? 0.05 : 0.5);
  }
  expect(await countRequestsSoFar(metrics, 7)).toEqual({
    atMs: 7,
    requests: 2,
    within: [
      [0.1, 1],
      [1, 2],
      [Infinity, 2],
    ],
  });
});
