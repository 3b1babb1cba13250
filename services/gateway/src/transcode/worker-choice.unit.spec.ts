import { transcodeRequest, type WorkerAvailability, type TranscodeRequest } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { orderWorkers, refusalOf } from './worker-choice.js';
import { WorkerRoster } from './worker-roster.js';

const request = (path = 'a.flac'): TranscodeRequest =>
  transcodeRequest.parse({
    source: { catalogPath: '/music', path, sizeBytes: 1, modifiedAtMs: 1, durationMs: 1 },
    target: { format: 'mp3' },
  });
const free = (workerId: string, freeSlots: number): WorkerAvailability => ({ state: 'free', workerId, freeSlots });
const finished = (workerId: string): WorkerAvailability => ({
  state: 'finished',
  workerId,
  ticket: { state: 'finished', url: 'http://w/1', mime: 'audio/mpeg', sizeBytes: 1, etag: '"1"' },
});
const growing = (workerId: string): WorkerAvailability => ({ state: 'growing', workerId });
const busy = (workerId: string, retryAfterSeconds: number): WorkerAvailability => ({ state: 'busy', workerId, retryAfterSeconds });
const unable = (workerId: string, code: string): WorkerAvailability => ({ state: 'unable', workerId, code, message: 'no' });
const ids = (availabilities: readonly WorkerAvailability[], wanted = request()): string[] =>
  orderWorkers(availabilities, wanted).map(({ workerId }) => workerId);

describe('the worker that is chosen', () => {
  it('has it, or makes it, or has most places', () => {
    expect(ids([free('a', 1), busy('b', 1), free('c', 4), growing('d'), unable('e', 'media.not-found'), finished('f')])).toEqual([
      'f',
      'd',
      'c',
      'a',
    ]);
  });

  it('is the same for every gateway, whatever the order of the answers', () => {
    const availabilities = ['a', 'b', 'c', 'd'].map((id) => free(id, 2));
    for (let n = 0; n < 20; n += 1)
      expect(ids(availabilities.toReversed(), request(`${n}.flac`))).toEqual(ids(availabilities, request(`${n}.flac`)));
  });

  it('differs from request to request, so that equal workers get equal shares', () => {
    const availabilities = ['a', 'b', 'c', 'd'].map((id) => free(id, 2));
    const shares = new Map<string, number>();
    for (let n = 0; n < 400; n += 1) {
      const [first = ''] = ids(availabilities, request(`${n}.flac`));
      shares.set(first, (shares.get(first) ?? 0) + 1);
    }
    expect([...shares.values()].toSorted((a, b) => a - b)[0]).toBeGreaterThan(70);
    expect(shares.size).toBe(4);
  });
});

it('a worker that takes no connection is the last choice for a while', () => {
  let nowMs = 0;
  const roster = new WorkerRoster(() => nowMs);
  const chosen = (): string[] =>
    orderWorkers([free('a', 1), finished('b'), growing('c')], request(), (id) => roster.isAvoided(id)).map(({ workerId }) => workerId);
  roster.avoid('b');
  expect(chosen()).toEqual(['c', 'a', 'b']);
  nowMs = 15_000;
  expect(chosen()).toEqual(['b', 'c', 'a']);
});

describe('the refusal', () => {
  it('tells the shortest wait, or why nobody can, or that nobody is there', () => {
    expect(refusalOf([busy('a', 9), busy('b', 4), unable('c', 'media.not-found')])).toMatchObject({ code: 'transcode.busy', subject: '4' });
    expect(refusalOf([unable('c', 'media.not-found')])).toMatchObject({ code: 'media.not-found' });
    expect(refusalOf([unable('c', 'of-the-future')])).toMatchObject({ code: 'internal' });
    expect(refusalOf([])).toMatchObject({ code: 'unavailable' });
  });
});

it('the roster forgets who has said goodbye or nothing for a while', () => {
  let nowMs = 0;
  const roster = new WorkerRoster(() => nowMs);
  for (const id of ['a', 'b', 'c']) roster.note(id, true);
  roster.note('b', false);
  nowMs = 20_000;
  roster.note('c', true);
  expect(roster.present()).toEqual(['a', 'c']);
  nowMs = 30_000;
  expect(roster.present()).toEqual(['c']);
});
