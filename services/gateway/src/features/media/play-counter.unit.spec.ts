import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { startPlayback } from '@continuo/contracts';
import type { FastifyRequest } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallerContext } from '../../server/requests/request-context.js';
import { playbackOf, PlayCounter, SHOWN_AFTER_MS, skipWindowMs, type Fetching } from './play-counter.js';

describe('the time within which a song is skipped', () => {
  it('is the timer, in seconds', () => expect(skipWindowMs(20, 200_000)).toBe(20_000));
  it('is a fraction of the song below one', () => expect(skipWindowMs(0.25, 200_000)).toBe(50_000));
  it('is none for a song that is no longer than the timer', () => {
    expect(skipWindowMs(20, 20_000)).toBe(0);
    expect(skipWindowMs(20, 0)).toBe(0);
    expect(skipWindowMs(0, 200_000)).toBe(0);
  });
});

describe('what is played', () => {
  const when = { startedAtMs: 5, isNow: true };
  it('plays for a while when its length is unknown, and cannot be skipped', () => {
    expect(playbackOf({ id: 7, durationMs: 0 }, { userId: 1, client: 'web' }, when, 20)).toMatchObject({
      durationMs: 30_000,
      play: { skipWindowMs: 0 },
    });
  });
  it('is no play without a timer, and has a client of bounded length', () => {
    const data = playbackOf({ id: 7, durationMs: 9 }, { userId: 1, client: 'x'.repeat(300) }, when);
    expect(data).not.toHaveProperty('play');
    expect(data.client).toHaveLength(255);
  });
});

describe('what a client fetches', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  const counter = () => {
    const started: number[] = [];
    const commands = new InMemoryCommandClient().handle(startPlayback, async ({ data }) => {
      started.push(data.objectId);
      return { result: { recorded: true }, positions: [] };
    });
    let reports = false;
    const playing = { isReporting: () => reports };
    const plays = new PlayCounter({ commands, now: () => 5, playing, config: { SKIP_TIMER_SECONDS: 20 } });
    const caller = { account: { id: 1 }, client: 'car' };
    const log = { warn: (message: unknown) => expect(message).toBeUndefined() };
    const context = { caller, log, correlationId: '0f8fad5b-d9cb-469f-a165-70867728950e' } as unknown as CallerContext;
    const request = { method: 'GET', headers: {} } as FastifyRequest;
    const fetch = (id: number, fetching: Fetching): void => plays.note(request, context, { id, durationMs: 60_000 }, fetching);
    return { started, fetch, report: () => (reports = true), close: () => plays.close() };
  };

  it('is shown once, a moment later', async () => {
    const { started, fetch } = counter();
    fetch(1, 'show');
    fetch(1, 'show');
    await vi.advanceTimersByTimeAsync(SHOWN_AFTER_MS - 1);
    expect(started).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(started).toEqual([1]);
  });

  it('is not shown when the next one is fetched at once', async () => {
    const { started, fetch } = counter();
    for (const id of [1, 2, 3]) fetch(id, 'show');
    await vi.advanceTimersByTimeAsync(SHOWN_AFTER_MS);
    expect(started).toEqual([3]);
  });

  it('is not shown of a client that says meanwhile what it plays', async () => {
    const { started, fetch, report } = counter();
    fetch(1, 'show');
    report();
    await vi.advanceTimersByTimeAsync(SHOWN_AFTER_MS);
    expect(started).toEqual([]);
  });

  it('is not shown any more when the service ends', async () => {
    const { started, fetch, close } = counter();
    fetch(1, 'show');
    close();
    await vi.advanceTimersByTimeAsync(SHOWN_AFTER_MS);
    expect(started).toEqual([]);
  });

  it('counts at once, every time', async () => {
    const { started, fetch } = counter();
    for (const id of [1, 2]) fetch(id, 'play');
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toEqual([1, 2]);
  });
});
