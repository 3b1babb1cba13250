import type { FolderPlan } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { FolderWork, HELPER_SILENCE_MS, type FolderTask } from './folder-work.js';

const taskOf = (path: string, files = 1): FolderTask => ({
  plan: {
    path,
    read: Array.from({ length: files }, (_, at) => ({ name: `${at}` })),
    skipped: [],
    cleared: [],
    missing: [],
    report: [],
  } as unknown as FolderPlan,
  candidates: new Map(),
});

interface World {
  readonly work: FolderWork;
  readonly recorded: string[];
  readonly abort: AbortController;
  nowMs: number;
  /** Lets what is being recorded here end. */
  readonly finish: (error?: Error) => Promise<void>;
}

const world = (inFlight = 1): World => {
  const recorded: string[] = [];
  const ending: ((error?: Error) => void)[] = [];
  const abort = new AbortController();
  const made = { recorded, abort, nowMs: 0 };
  const record = ({ plan }: FolderTask): Promise<void> =>
    new Promise((resolve, reject) => {
      ending.push((error) => {
        if (error) return reject(error);
        recorded.push(plan.path);
        resolve();
      });
    });
  const work = new FolderWork({ inFlight, record, clockMs: () => made.nowMs, signal: abort.signal });
  const finish = async (error?: Error): Promise<void> => {
    ending.shift()?.(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return Object.assign(made, { work, finish });
};

const settled = async (promise: Promise<unknown>): Promise<boolean> => {
  let done = false;
  void promise.then(
    () => (done = true),
    () => (done = true),
  );
  await new Promise((resolve) => setImmediate(resolve));
  return done;
};

describe('folders of a scan', () => {
  it('are recorded here in their order, never more than allowed at a time', async () => {
    const { work, recorded, finish } = world(2);
    for (const path of ['a', 'b', 'c', 'd']) await work.add(taskOf(path));
    expect(work.hasSurplus).toBe(true);
    const idle = work.idle();
    for (let at = 0; at < 4; at += 1) await finish();
    await idle;
    expect(recorded).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are given away from the end, in parts of a bounded number of files', async () => {
    const { work } = world();
    await work.add(taskOf('here'));
    for (let at = 0; at < 20; at += 1) await work.add(taskOf(`f${at}`, 20));
    const given = work.take('ada');
    expect(given?.plans.map(({ path }) => path)).toEqual(['f19', 'f18', 'f17', 'f16', 'f15', 'f14', 'f13', 'f12']);
    expect(work.take('bo')?.plans[0]?.path).toBe('f11');
  });

  it('that are too large to be sent stay', async () => {
    const { work } = world();
    await work.add(taskOf('here'));
    await work.add(taskOf('small'));
    await work.add(taskOf('huge', 100_000));
    expect(work.take('ada')).toBeUndefined();
  });

  it('are waited for until their helpers say that they are done', async () => {
    const { work, finish } = world();
    await work.add(taskOf('here'));
    await work.add(taskOf('there'));
    const part = work.take('ada')?.part ?? '';
    await finish();
    const idle = work.idle();
    expect(await settled(idle)).toBe(false);
    expect(work.done(part, 'somebody else')).toBe(false);
    expect(work.done(part, 'ada')).toBe(true);
    await idle;
  });

  it('come back from a helper that gives up, or goes silent', async () => {
    const one = world();
    await one.work.add(taskOf('here'));
    await one.work.add(taskOf('failed'));
    await one.work.add(taskOf('silent'));
    const silent = one.work.take('bo')?.part ?? '';
    await one.finish();
    one.nowMs += HELPER_SILENCE_MS - 1;
    expect(one.work.keep(silent, 'bo')).toBe(true);
    one.nowMs += HELPER_SILENCE_MS - 1;
    expect(one.work.reclaim()).toBe(0);
    one.nowMs += 2;
    expect(one.work.reclaim()).toBe(1);
    expect(one.work.keep(silent, 'bo')).toBe(false);
    expect(one.work.done(silent, 'bo')).toBe(false);
    const again = one.work.take('ada');
    if (again) one.work.giveBack(again.part, 'ada');
    const idle = one.work.idle();
    for (let at = 0; at < 3; at += 1) await one.finish();
    await idle;
    expect(one.recorded.toSorted()).toEqual(['failed', 'here', 'silent']);
  });

  it('end with the first failure, and with the scan', async () => {
    const failing = world(2);
    await failing.work.add(taskOf('a'));
    await failing.work.add(taskOf('b'));
    await failing.finish(new Error('first'));
    await failing.finish();
    await expect(failing.work.idle()).rejects.toThrow('first');
    await expect(failing.work.add(taskOf('c'))).rejects.toThrow('first');
    const stopped = world();
    await stopped.work.add(taskOf('a'));
    await stopped.work.add(taskOf('b'));
    const part = stopped.work.take('ada')?.part ?? '';
    await stopped.finish();
    stopped.abort.abort(new Error('cancelled'));
    await expect(stopped.work.idle()).rejects.toThrow('cancelled');
    expect(stopped.work.keep(part, 'ada')).toBe(false);
  });
});
