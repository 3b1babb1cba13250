import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadAnswer, LoadRequest } from './load-request.js';
import { summarise, type Summary } from './stats.js';

/** Times of the requests under a load. */
export interface LoadResult extends Summary {
  readonly perSecond: number;
  /** Body of an answer, on average. */
  readonly bytesEach: number;
}

/** A process that makes requests. */
export interface LoadGenerator {
  /** @throws Error when an answer is no success */
  run(request: LoadRequest): Promise<LoadResult>;
  stop(): void;
}

/** Starts a load generator; it ends with this process at the latest. */
export const startLoadGenerator = (): LoadGenerator => {
  const child = fork(fileURLToPath(new URL('load-generator.js', import.meta.url)).replace('/src/measure/', '/dist/measure/'), {
    execArgv: [],
  });
  const run = async (request: LoadRequest): Promise<LoadResult> => {
    const answered = once(child, 'message') as Promise<[LoadAnswer]>;
    child.send(request);
    const [answer] = await answered;
    if ('error' in answer) throw new Error(answer.error);
    const { timesMs, tookMs, bytes } = answer;
    return { ...summarise(timesMs), perSecond: timesMs.length / (tookMs / 1000), bytesEach: bytes / timesMs.length };
  };
  return { run, stop: () => void child.kill() };
};
