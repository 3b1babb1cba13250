import { Rejection, type CatalogId, type PodcastId } from '@continuo/contracts';
import pino from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { PodcastRefresh } from './podcast-refresh.js';

const cause = { actor: 'user:1', correlationId: 'c' };

/** A refresh over so many podcasts, whose visits end when they are let. */
const refreshing = (podcasts: number) => {
  const visited: number[] = [];
  const ends: (() => void)[] = [];
  const asked: (readonly number[] | null)[] = [];
  const refresh = new PodcastRefresh({
    after: async (id, catalogIds, count) => {
      asked.push(catalogIds);
      return Array.from({ length: podcasts }, (_, index) => (index + 1) as PodcastId)
        .filter((one) => one > id)
        .slice(0, count);
    },
    sync: (id) => {
      visited.push(id);
      return new Promise<void>((resolve, reject) =>
        ends.push(() => (id % 2 === 0 ? reject(new Rejection('podcast.feed-unusable', 'away')) : resolve())),
      );
    },
    log: pino({ level: 'silent' }),
  });
  const endAll = async (visits = podcasts): Promise<void> => {
    await vi.waitFor(() => {
      for (const end of ends.splice(0)) end();
      expect(visited).toHaveLength(visits);
    }, 20_000);
  };
  return { refresh, visited, ends, asked, endAll };
};

describe('a refresh of all feeds', () => {
  it('answers when they stand in line, and visits two at a time', async () => {
    const { refresh, visited, endAll } = refreshing(5);
    await refresh.request(null, cause);
    expect(visited).toEqual([1, 2]);
    await endAll();
    expect(visited).toEqual([1, 2, 3, 4, 5]);
  });

  it('has each in line once, however often it is asked for', async () => {
    const { refresh, visited, endAll } = refreshing(4);
    await refresh.request(null, cause);
    const waiting = visited.length;
    await refresh.request(null, cause);
    // Those under way are visited once more, those that wait are not doubled.
    expect(waiting).toBe(2);
    await endAll(6);
    expect(visited.filter((id) => id > 2)).toEqual([3, 4]);
  });

  it('reads podcasts in pages, of the catalogs that are named', async () => {
    const { refresh, asked } = refreshing(1200);
    await refresh.request([3 as CatalogId], cause);
    expect(asked).toEqual([[3], [3], [3]]);
  });

  it('lets the visits under way end, and begins no other, when the service ends', async () => {
    const { refresh, visited, ends } = refreshing(5);
    await refresh.request(null, cause);
    const ended = refresh.onApplicationShutdown();
    for (const end of ends.splice(0)) end();
    await ended;
    expect(visited).toEqual([1, 2]);
  });
});
