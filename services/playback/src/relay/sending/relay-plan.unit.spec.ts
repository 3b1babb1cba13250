import {
  playbackStarted,
  playbackStopped,
  playsCleared,
  songId,
  songPlayed,
  songSkipped,
  userId,
  type DomainEvent,
  type RecordedEvent,
} from '@continuo/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { relayPlan, unwanted } from './relay-plan.js';

const user = userId.parse(1);
const song = (id: number) => songId.parse(id);
const NOW = 1_700_000_000_000;

/** Events as a log holds them, decided at `at`. */
const recorded = (...events: readonly (readonly [at: number, event: DomainEvent])[]): RecordedEvent[] =>
  events.map(([at, event], n) => ({
    ...event,
    id: `e${n}`,
    at,
    stream: 'EV_PLAYBACK',
    subject: 'ev.playback.00.plays.1',
    position: 10 + n,
    actor: 'user:1',
    correlationId: 'c',
    causationId: 'c',
  }));
const sentIn = (id: number, playedAtMs: number, client = 'c') => songPlayed({ userId: user, songId: song(id), playedAtMs, client });
const live = (id: number, playedAtMs: number, more: { durationMs?: number; skipWindowMs?: number; client?: string } = {}) => {
  const { durationMs = 200_000, skipWindowMs = 20_000, client = 'c' } = more;
  return songPlayed({
    userId: user,
    songId: song(id),
    playedAtMs,
    client,
    durationMs,
    skipWindowMs,
    playingUntilMs: playedAtMs + durationMs,
  });
};
const skip = (id: number, playedAtMs: number, client = 'c') =>
  songSkipped({ userId: user, songId: song(id), playedAtMs, client, skippedAtMs: playedAtMs + 1 });
const songsOf = (events: readonly RecordedEvent[]): number[] => relayPlan(events).plays.map(({ songId: id }) => id);

describe('plays', () => {
  it('that were sent in are ready at once, those under way once half of them, or four minutes, have run', () => {
    const ready = (event: DomainEvent, at = NOW) => (relayPlan(recorded([at, event])).plays[0]?.readyAtMs ?? 0) - NOW;
    expect(ready(sentIn(1, NOW - 1000))).toBe(0);
    expect(ready({ ...sentIn(1, NOW), data: { ...sentIn(1, NOW).data, durationMs: 200_000 } })).toBe(0);
    expect(ready(live(1, NOW))).toBe(102_000);
    expect(ready(live(1, NOW, { durationMs: 3_600_000 }))).toBe(242_000);
    expect(ready(live(1, NOW, { durationMs: 40_000, skipWindowMs: 30_000 }))).toBe(32_000);
    expect(ready(live(1, NOW - 300_000))).toBeLessThan(0);
  });

  it('of a client whose clock is ahead wait no longer than others', () => {
    expect(relayPlan(recorded([NOW, live(1, NOW + 86_400_000)])).plays[0]?.readyAtMs).toBe(NOW + 102_000);
  });

  it('that became skips, or were cleared, are none', () => {
    expect(songsOf(recorded([NOW, live(1, NOW)], [NOW, skip(1, NOW)], [NOW, live(2, NOW + 1)]))).toEqual([2]);
    expect(songsOf(recorded([NOW, live(1, NOW)], [NOW, skip(1, NOW, 'other')], [NOW, skip(1, NOW + 1)]))).toEqual([1]);
    expect(songsOf(recorded([NOW, sentIn(1, NOW)], [NOW, playsCleared({ userId: user })], [NOW, sentIn(2, NOW)]))).toEqual([2]);
  });

  it('come in the order of the log, each skip taking one of them', () => {
    const arbitrary = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 2 }), fc.constantFrom('play', 'skip')), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(arbitrary, (steps) => {
        const events = recorded(
          ...steps.map(([id, at, what]) => [NOW, what === 'play' ? live(id, NOW + at) : skip(id, NOW + at)] as const),
        );
        const expected: string[] = [];
        for (const [id, at, what] of steps) {
          const key = `${id}@${at}`;
          if (what === 'play') expected.push(key);
          else if (expected.includes(key)) expected.splice(expected.lastIndexOf(key), 1);
        }
        const { plays, end } = relayPlan(events);
        expect(plays.map(({ songId: id, playedAtMs }) => `${id}@${playedAtMs - NOW}`)).toEqual(expected);
        expect(plays.map(({ position }) => position)).toEqual(plays.map(({ position }) => position).toSorted((one, other) => one - other));
        expect(end).toBe(events.at(-1)?.position ?? 0);
      }),
    );
  });
});

describe('what is being played', () => {
  const began = (id: number, client = 'c', objectType: 'song' | 'video' = 'song') =>
    playbackStarted({ userId: user, client, objectType, objectId: id, startedAtMs: NOW, playingUntilMs: NOW + 1000 });

  it('is the latest start, counted or only shown', () => {
    expect(relayPlan(recorded([NOW, began(1)], [NOW, live(2, NOW)])).start).toMatchObject({ songId: 2, position: 11 });
    expect(relayPlan(recorded([NOW, live(2, NOW)], [NOW, began(1, 'other')])).start).toMatchObject({ songId: 1, client: 'other' });
  });

  it('is nothing once that client has stopped, or plays something else than a song', () => {
    expect(relayPlan(recorded([NOW, began(1)], [NOW, playbackStopped({ userId: user, client: 'c' })])).start).toBeUndefined();
    expect(relayPlan(recorded([NOW, began(1)], [NOW, began(9, 'c', 'video')])).start).toBeUndefined();
    expect(relayPlan(recorded([NOW, began(1)], [NOW, playbackStopped({ userId: user, client: 'other' })])).start).toBeDefined();
    expect(relayPlan(recorded([NOW, sentIn(1, NOW)])).start).toBeUndefined();
  });
});

describe('a play is unwanted', () => {
  const rules = { sinceMs: NOW - 1000, nowMs: NOW, maxAgeMs: undefined, isReplay: false };
  it.each([
    ['', NOW, 30_001, rules],
    ['not longer than 30 seconds', NOW, 30_000, rules],
    ['played before the account was linked', NOW - 1001, 60_000, rules],
    ['', NOW - 1001, 60_000, { ...rules, isReplay: true }],
    ['played in the future', NOW + 300_001, 60_000, rules],
    ['', NOW + 300_000, 60_000, rules],
    ['older than the service takes', NOW - 500, 60_000, { ...rules, maxAgeMs: 499 }],
  ] as const)('%s', (reason, playedAtMs, durationMs, given) => {
    expect(unwanted({ playedAtMs }, durationMs, given) ?? '').toBe(reason);
  });
});
