import type { Managed } from '../api.js';

type Projection = Pick<Managed['Projection'], 'name' | 'stream' | 'logEnd' | 'live'>;

/** Positions of the log and of what follows it, at a moment. */
export interface FlowSample {
  readonly atMs: number;
  /** By name of the stream or of the projection. */
  readonly positions: ReadonlyMap<string, number>;
}

/** A sample of fetched projections. */
export const sampleOf = (projections: readonly Projection[], atMs: number): FlowSample => ({
  atMs,
  positions: new Map(
    projections.flatMap(({ name, stream, logEnd, live }): [string, number][] => [
      ...(logEnd === null ? [] : [[stream, logEnd] as [string, number]]),
      ...(live === null ? [] : [[name, live.position] as [string, number]]),
    ]),
  ),
});

/** Events a second of a stream or a projection between two samples; 0 while there is one sample only, and after a log was replaced. */
export const rateOf = (name: string, now: FlowSample, before: FlowSample | undefined): number => {
  const [from, to] = [before?.positions.get(name), now.positions.get(name)];
  if (before === undefined || from === undefined || to === undefined || now.atMs <= before.atMs) return 0;
  return Math.max(0, to - from) / ((now.atMs - before.atMs) / 1000);
};
