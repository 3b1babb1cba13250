import type { Managed } from '../api.js';

type Sample = Managed['LoadSample'];

/** A moment of a chart: gateways that noted a sample within the same five minutes are one. */
export interface LoadPoint {
  readonly atMs: number;
  readonly requestsPerS: number;
  readonly p95Ms: number;
  readonly memoryBytes: number;
  readonly listeners: number;
  readonly runningScans: number;
  readonly lagEvents: number;
}

const SLOT_MS = 5 * 60_000;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Points of the charts: requests and memory of all gateways together, of everything else the largest that one of them has seen. */
export const pointsOf = (samples: readonly Sample[]): readonly LoadPoint[] =>
  [...Map.groupBy(samples, ({ at }) => Math.floor(Date.parse(at) / SLOT_MS)).entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([slot, all]) => {
      // Of the present five minutes a gateway may have noted one sample, and another has been taken now.
      const latest = [...new Map(all.map((sample) => [sample.gateway, sample])).values()];
      const most = (of: (sample: Sample) => number): number => Math.max(...latest.map(of));
      return {
        atMs: slot * SLOT_MS,
        requestsPerS: sum(latest.map(({ requestsPerS }) => requestsPerS)),
        memoryBytes: sum(latest.map(({ memoryBytes }) => memoryBytes)),
        p95Ms: most(({ p95Ms }) => p95Ms ?? 0),
        listeners: most(({ listeners }) => listeners),
        runningScans: most(({ runningScans }) => runningScans),
        lagEvents: most(({ lagEvents }) => lagEvents),
      };
    });

/** Longest time between two points that a line joins: a server that was off leaves a gap, ms. */
const JOINED_MS = 2 * SLOT_MS;

/**
 * Lines of a chart as the path of an SVG of the given size, the time from left to right.
 * @param most value at the upper edge
 */
export const linePath = (
  points: readonly (readonly [atMs: number, value: number])[],
  { fromMs, toMs, most, width, height }: Readonly<Record<'fromMs' | 'toMs' | 'most' | 'width' | 'height', number>>,
): string =>
  points
    .map(([atMs, value], index) => {
      const before = points[index - 1]?.[0];
      const isJoined = before !== undefined && atMs - before <= JOINED_MS;
      const [x, y] = [((atMs - fromMs) / Math.max(1, toMs - fromMs)) * width, height - (value / most) * height];
      // A point that nothing joins is a dot: a line of no length with round ends.
      return `${isJoined ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}${isJoined ? '' : 'h0'}`;
    })
    .join('');
