import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterAnnouncement,
  afterReport,
  isEnough,
  isLive,
  playingSession,
  positionAt,
  isReporting,
  type PlaybackReport,
  type PlayingSession,
  type Reported,
} from './playing-session.js';

const LENGTH_MS = 200_000;
const HOUR_MS = 3_600_000;
const report = (state: PlaybackReport['state'], positionMs = 0, more: Partial<PlaybackReport> = {}): PlaybackReport => ({
  userId: 1,
  client: 'web',
  objectType: 'song',
  objectId: 7,
  durationMs: LENGTH_MS,
  state,
  positionMs,
  rate: 1,
  isUncounted: false,
  ...more,
});

/** Reports with the seconds at which they come; answers what each came to. */
type Told = readonly [atS: number, PlaybackReport];
const told = (...reports: Told[]): Reported[] => {
  let known: PlayingSession | undefined;
  return reports.map(([atS, one]) => {
    const outcome = afterReport(known, one, atS * 1000);
    known = outcome.next ?? known;
    return outcome;
  });
};
const last = (...reports: Told[]): Reported => told(...reports).at(-1) as Reported;

describe('a report', () => {
  it('opens a session with a stopped clock until it plays', () => {
    const [starting, playing] = told([0, report('starting')], [9, report('playing')]);
    expect(starting).toMatchObject({ isNew: true, next: { startedAtMs: 0, heardMs: 0, state: 'starting' } });
    expect(positionAt(starting?.next as PlayingSession, 60_000)).toBe(0);
    expect(playing).toMatchObject({ isNew: false, next: { startedAtMs: 9000, heardMs: 0 } });
    expect(positionAt(playing?.next as PlayingSession, 69_000)).toBe(60_000);
  });

  it('changes nothing when it matches the expected position', () => {
    const reports = told(
      [0, report('playing')],
      [10, report('playing', 10_400)],
      [60, report('playing', 58_500)],
      [90, report('playing', 95_000)],
      [100, report('paused', 105_000)],
      [400, report('paused', 105_000)],
      [401, report('paused', 105_000)],
      [402, report('playing', 105_000)],
      [403, report('playing', 106_000, { rate: 2 })],
    );
    expect(reports.map(({ next }) => next?.positionMs)).toEqual([
      0,
      undefined,
      undefined,
      95_000,
      105_000,
      105_000,
      undefined,
      105_000,
      106_000,
    ]);
  });

  it('gives the position: advances by the rate, stops while paused, never passes the end', () => {
    const fast = last([0, report('playing', 10_000, { rate: 2.5 })]).next as PlayingSession;
    expect([0, 2000, 1e9].map((atMs) => positionAt(fast, atMs))).toEqual([10_000, 15_000, LENGTH_MS]);
    const paused = last([0, report('playing')], [5, report('paused', 5000)]).next as PlayingSession;
    expect(positionAt(paused, 1e9)).toBe(5000);
    expect(positionAt(last([0, report('playing', 9e9)]).next as PlayingSession, 1)).toBe(LENGTH_MS);
    expect(positionAt(last([0, report('playing', 0, { durationMs: 0 })]).next as PlayingSession, 9e6)).toBe(9e6);
  });

  it('is shown for half an hour after it should have ended', () => {
    const session = last([0, report('playing')]).next as PlayingSession;
    expect([LENGTH_MS + HOUR_MS / 2 - 1, LENGTH_MS + HOUR_MS / 2].map((atMs) => isLive(session, atMs))).toEqual([true, false]);
    const paused = last([0, report('playing')], [50, report('paused', 50_000)]).next as PlayingSession;
    expect(isLive(paused, 200_000 + HOUR_MS / 2 - 1)).toBe(true);
    const over = last([0, report('playing')], [50, report('stopped', 50_000)]).next as PlayingSession;
    expect([isLive(over, 50_001), isReporting(over, 50_000 + HOUR_MS - 1), isReporting(over, 50_000 + HOUR_MS)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('can be kept', () => {
    const { next } = last([0, report('starting')], [1, report('playing', 12)]);
    expect(playingSession.parse(JSON.parse(JSON.stringify(next)))).toEqual(next);
  });
});

describe('the end', () => {
  const heardAtEnd = (...reports: Told[]): number | undefined => last(...reports).ended?.heardMs;

  it('gives the heard time', () => {
    expect(heardAtEnd([0, report('playing')], [120, report('stopped', 120_000)])).toBe(120_000);
    // Pauses are not heard, and what is jumped over is not.
    expect(
      heardAtEnd([0, report('playing')], [30, report('paused', 30_000)], [90, report('playing', 30_000)], [100, report('stopped', 40_000)]),
    ).toBe(40_000);
    expect(heardAtEnd([0, report('playing')], [10, report('playing', 190_000)], [15, report('stopped', 195_000)])).toBe(15_000);
    // Back to the beginning: heard is heard.
    expect(heardAtEnd([0, report('playing')], [60, report('playing', 0)], [90, report('stopped', 30_000)])).toBe(90_000);
    // Players that have let go of the song do not know any more where they were.
    expect(heardAtEnd([0, report('playing')], [150, report('stopped', 0)])).toBe(150_000);
    // Asleep in between.
    expect(heardAtEnd([0, report('playing')], [9000, report('stopped', 20_000)])).toBe(20_000);
    expect(heardAtEnd([0, report('playing')], [9000, report('stopped', 0)])).toBe(0);
    expect(heardAtEnd([0, report('playing', 0, { rate: 2 })], [50, report('stopped', 100_000)])).toBe(100_000);
  });

  it('comes once', () => {
    const reports = told([0, report('playing')], [120, report('stopped', 120_000)], [121, report('stopped', 120_000)]);
    expect(reports.map(({ ended }) => ended !== undefined)).toEqual([false, true, false]);
  });

  it('comes when another medium starts, with the time heard until then', () => {
    const other = report('starting', 0, { objectId: 8 });
    expect(last([0, report('playing')], [200, other])).toMatchObject({
      isNew: true,
      ended: { objectId: 7, heardMs: 200_000, state: 'stopped' },
    });
    expect(last([0, report('playing')], [40, report('starting')])).toMatchObject({ isNew: true, ended: { heardMs: 40_000 } });
    // Left alone: nobody knows.
    expect(last([0, report('playing')], [500, other])).toMatchObject({ isNew: true, ended: { heardMs: 0 } });
    expect(last([0, report('playing')], [9000, other]).ended).toBeUndefined();
    expect(last([0, report('playing')], [60, report('paused', 60_000)], [900, other])).toMatchObject({ ended: { heardMs: 60_000 } });
  });

  it('of an ended medium does not affect the next one', () => {
    const after = last([0, report('playing')], [190, report('playing', 0, { objectId: 8 })], [191, report('stopped', 191_000)]);
    expect(after).toMatchObject({ ended: { objectId: 7, startedAtMs: 0, heardMs: 191_000 } });
    expect(after.next).toBeUndefined();
  });

  it('of a medium with unknown start counts its position as heard', () => {
    expect(last([500, report('stopped', 180_000)])).toMatchObject({
      ended: { startedAtMs: 320_000, heardMs: 180_000 },
      next: { state: 'stopped' },
    });
    expect(last([1, report('stopped', 180_000)])).toMatchObject({ ended: { startedAtMs: 0 } });
  });

  it('keeps the last flag about counting', () => {
    const quiet = { isUncounted: true };
    expect(last([0, report('playing', 0, quiet)], [120, report('stopped', 120_000)]).ended?.isUncounted).toBe(false);
    expect(last([0, report('playing')], [120, report('stopped', 120_000, quiet)]).ended?.isUncounted).toBe(true);
    expect(last([0, report('playing', 0, quiet)], [200, report('starting', 0, { objectId: 8 })]).ended?.isUncounted).toBe(true);
  });

  it('never counts more than the elapsed time or the length', () => {
    const step = fc.record({
      afterMs: fc.integer({ min: 0, max: 400_000 }),
      state: fc.constantFrom('starting', 'playing', 'paused', 'stopped'),
      positionMs: fc.integer({ min: 0, max: 300_000 }),
      objectId: fc.integer({ min: 1, max: 2 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        let known: PlayingSession | undefined;
        let nowMs = 1_000_000_000;
        for (const { afterMs, state, positionMs, objectId } of steps) {
          nowMs += afterMs;
          const { next, ended } = afterReport(known, report(state, positionMs, { objectId }), nowMs);
          const sessions = [next, ended].filter((session) => session !== undefined);
          expect(sessions.filter(({ heardMs, startedAtMs }) => heardMs < 0 || heardMs > nowMs - startedAtMs)).toEqual([]);
          expect(sessions.every((session) => playingSession.safeParse(session).success)).toBe(true);
          known = next ?? known;
        }
      }),
    );
  });
});

describe('enough', () => {
  it('is half of the song, four minutes, or half a minute for an unknown length', () => {
    const enough = (heardMs: number, durationMs: number): boolean => isEnough({ heardMs, durationMs });
    expect([enough(99_999, 200_000), enough(100_000, 200_000)]).toEqual([false, true]);
    expect([enough(239_999, HOUR_MS), enough(240_000, HOUR_MS)]).toEqual([false, true]);
    expect([enough(29_999, 0), enough(30_000, 0)]).toEqual([false, true]);
  });
});

describe('an announced play', () => {
  const song = { userId: 1, client: 'web', objectType: 'song', objectId: 7, durationMs: LENGTH_MS } as const;
  it('is shown until it should have ended', () => {
    const session = afterAnnouncement(undefined, song, 1000) as PlayingSession;
    expect([isLive(session, 1000 + LENGTH_MS - 1), isLive(session, 1000 + LENGTH_MS), isReporting(session, HOUR_MS)]).toEqual([
      true,
      false,
      true,
    ]);
  });
  it('does not replace a reported session', () => {
    const reported = last([0, report('playing')]).next;
    expect(afterAnnouncement(reported, song, 1000)).toBeUndefined();
    expect(afterAnnouncement(reported, song, HOUR_MS)).toMatchObject({ startedAtMs: HOUR_MS });
    expect(afterReport(afterAnnouncement(undefined, song, 0), report('starting'), 500)).toMatchObject({
      isNew: true,
      next: { isReported: true },
    });
  });
});
