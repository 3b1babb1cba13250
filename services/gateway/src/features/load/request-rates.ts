import type { Metrics } from '@continuo/chassis';
import type { LoadSample } from './load-history.js';

/** Names of the metrics of requests that are read here. */
const REQUESTS = 'continuo_http_requests_total';
const SECONDS = 'continuo_http_request_seconds';
const P95 = 0.95;

/** Requests so far: their number, and answers by the upper bound of their bucket, s. */
export interface RequestCounts {
  readonly atMs: number;
  readonly requests: number;
  /** Answers that took at most so long, by bound, in order; the last one counts all. */
  readonly within: readonly (readonly [boundS: number, answers: number])[];
}

/** Reads the metrics of requests, summed over surfaces and operations. */
export const countRequestsSoFar = async ({ registry }: Pick<Metrics, 'registry'>, atMs: number): Promise<RequestCounts> => {
  const requests = await registry.getSingleMetric(REQUESTS)?.get();
  const seconds = await registry.getSingleMetric(SECONDS)?.get();
  const within = new Map<number, number>();
  for (const { labels, value } of seconds?.values ?? []) {
    if (labels['le'] === undefined) continue;
    const bound = labels['le'] === '+Inf' ? Infinity : Number(labels['le']);
    within.set(bound, (within.get(bound) ?? 0) + value);
  }
  return {
    atMs,
    requests: (requests?.values ?? []).reduce((sum, { value }) => sum + value, 0),
    within: [...within].toSorted(([a], [b]) => a - b),
  };
};

/** The bound within which 95 of 100 answers were complete, on a straight line through their bucket, s; null without answers. */
const p95Of = (within: RequestCounts['within']): number | null => {
  const total = within.at(-1)?.[1] ?? 0;
  if (total === 0) return null;
  const wanted = total * P95;
  const at = within.findIndex(([, answers]) => answers >= wanted);
  const [[lowS, before], [highS, answers]] = [within[at - 1] ?? [0, 0], within[at] ?? [0, total]];
  if (highS === Infinity) return lowS;
  return lowS + ((wanted - before) / Math.max(1, answers - before)) * (highS - lowS);
};

/** Rate and duration of the requests between two counts. */
export const ratesBetween = (before: RequestCounts, now: RequestCounts): Pick<LoadSample, 'requestsPerS' | 'p95Ms'> => {
  const earlier = new Map(before.within);
  const p95S = p95Of(now.within.map(([bound, answers]) => [bound, answers - (earlier.get(bound) ?? 0)]));
  const seconds = Math.max(1, (now.atMs - before.atMs) / 1000);
  return {
    requestsPerS: Math.round(((now.requests - before.requests) / seconds) * 1000) / 1000,
    p95Ms: p95S === null ? null : Math.round(p95S * 1000),
  };
};
