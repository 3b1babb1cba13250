import { Rejection, type PodcastId } from '@continuo/contracts';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { PodcastSchedule } from './podcast-schedule.js';

const MINUTE_MS = 60_000;
const open = new AbortController().signal;

const world = () => {
  const state = { now: 1e12, visited: [] as number[], failing: new Set<number>(), due: [1, 2, 3], asked: [] as number[] };
  const schedule = new PodcastSchedule({
    due: async (beforeMs) => {
      state.asked.push(beforeMs);
      return state.due as PodcastId[];
    },
    sync: async (id) => {
      state.visited.push(id);
      if (state.failing.has(id)) throw new Rejection('podcast.feed-unusable', 'gone');
    },
    log: pino({ level: 'silent' }),
    now: () => state.now,
    intervalMs: 60 * MINUTE_MS,
  });
  const round = async (): Promise<number[]> => {
    state.visited = [];
    await schedule.round(open);
    return state.visited;
  };
  return { state, schedule, round };
};

describe('the schedule of feed refreshes', () => {
  it('refreshes due feeds one after the other', async () => {
    const { state, round } = world();
    expect(await round()).toEqual([1, 2, 3]);
    expect(state.asked).toEqual([1e12 - 60 * MINUTE_MS]);
  });

  it('backs off a failing feed without delaying others', async () => {
    const { state, round } = world();
    state.failing.add(2);
    expect(await round()).toEqual([1, 2, 3]);
    expect(await round()).toEqual([1, 3]);
    state.now += 10 * MINUTE_MS;
    expect(await round()).toEqual([1, 2, 3]);
    state.now += 10 * MINUTE_MS;
    expect(await round()).toEqual([1, 3]);
    state.now += 10 * MINUTE_MS;
    state.failing.clear();
    expect(await round()).toEqual([1, 2, 3]);
    expect(await round()).toEqual([1, 2, 3]);
  });

  it('stops on abort', async () => {
    const { state, schedule } = world();
    await schedule.round(AbortSignal.abort());
    expect(state.visited).toEqual([]);
  });
});
