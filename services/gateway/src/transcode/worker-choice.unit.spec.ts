import { transcodeWish, type TranscodeStanding, type TranscodeWish } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { inOrder, refusalOf } from './worker-choice.js';
import { WorkerRoster } from './worker-roster.js';

const wish = (path = 'a.flac'): TranscodeWish =>
  transcodeWish.parse({
    source: { catalogPath: '/music', path, sizeBytes: 1, modifiedAtMs: 1, durationMs: 1 },
    target: { format: 'mp3' },
  });
const free = (workerId: string, freeSlots: number): TranscodeStanding => ({ state: 'free', workerId, freeSlots });
const finished = (workerId: string): TranscodeStanding => ({
  state: 'finished',
  workerId,
  ticket: { state: 'finished', url: 'http://w/1', mime: 'audio/mpeg', sizeBytes: 1, etag: '"1"' },
});
const growing = (workerId: string): TranscodeStanding => ({ state: 'growing', workerId });
const busy = (workerId: string, retryAfterSeconds: number): TranscodeStanding => ({ state: 'busy', workerId, retryAfterSeconds });
const unable = (workerId: string, code: string): TranscodeStanding => ({ state: 'unable', workerId, code, message: 'no' });
const ids = (standings: readonly TranscodeStanding[], wanted = wish()): string[] =>
  inOrder(standings, wanted).map(({ workerId }) => workerId);

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
    const standings = ['a', 'b', 'c', 'd'].map((id) => free(id, 2));
    for (let n = 0; n < 20; n += 1) expect(ids(standings.toReversed(), wish(`${n}.flac`))).toEqual(ids(standings, wish(`${n}.flac`)));
  });

  it('differs from wish to wish, so that equal workers get equal shares', () => {
    const standings = ['a', 'b', 'c', 'd'].map((id) => free(id, 2));
    const shares = new Map<string, number>();
    for (let n = 0; n < 400; n += 1) {
      const [first = ''] = ids(standings, wish(`${n}.flac`));
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
    inOrder([free('a', 1), finished('b'), growing('c')], wish(), (id) => roster.isAvoided(id)).map(({ workerId }) => workerId);
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
  nowMs = 4000;
  roster.note('c', true);
  expect(roster.present()).toEqual(['a', 'c']);
  nowMs = 6000;
  expect(roster.present()).toEqual(['c']);
});
