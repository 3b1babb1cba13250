import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isAlreadyReported,
  noPlays,
  REMEMBERED_LENGTHS,
  REMEMBERED_PLAYS,
  withPlay,
  type RememberedPlays,
  type ReportedPlay,
} from './remembered-plays.js';

const said = (song: number, playedAtMs: number, client = 'web'): ReportedPlay => ({ thing: song, playedAtMs, client });
const all = (plays: readonly ReportedPlay[], durationMs = 0): RememberedPlays =>
  plays.reduce((known, play) => withPlay(known, play, durationMs), noPlays);

describe('remembered plays', () => {
  it('tell apart plays that differ in anything, however alike they look', () => {
    const plays = Array.from({ length: 150 }, (_, n) => [
      said(n + 1, 1_700_000_000_000),
      said(7, 1_700_000_000_000 + n),
      said(7, 5, `client ${n}`),
    ]).flat();
    const known = all(plays);
    expect(plays.every((play) => isAlreadyReported(known, play))).toBe(true);
    const others = Array.from({ length: 50_000 }, (_, n) => said(1 + (n % 5000), 1_600_000_000_000 + n * 7));
    expect(others.filter((play) => isAlreadyReported(known, play))).toEqual([]);
  });

  it('know what was said, as a list of keys would', () => {
    const one = fc.record({
      song: fc.integer({ min: 1, max: 5 }),
      at: fc.integer({ min: 0, max: 5 }),
      client: fc.constantFrom('', 'a', 'b/1@2'),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 20 }), one, (before, next) => {
        const keys = new Set(before.map((play) => JSON.stringify(play)));
        const known = all(before.map(({ song, at, client }) => said(song, at, client)));
        expect(isAlreadyReported(known, said(next.song, next.at, next.client))).toBe(keys.has(JSON.stringify(next)));
      }),
    );
  });

  it('stay bounded, and forget the oldest', () => {
    const plays = Array.from({ length: 3 * REMEMBERED_PLAYS }, (_, n) => said(1, n * 1000));
    const known = all(plays, 900);
    expect(known.fingerprints.length).toBeLessThan(1.2 * 9 * REMEMBERED_PLAYS);
    expect(known.lengths).toHaveLength(REMEMBERED_LENGTHS);
    expect(plays.slice(-REMEMBERED_PLAYS).every((play) => isAlreadyReported(known, play))).toBe(true);
    expect(isAlreadyReported(known, plays[0] as ReportedPlay)).toBe(false);
  });

  it('take what another client goes on with for the same play only when that is asked', () => {
    const known = all([said(1, 1000)], 100_000);
    expect(isAlreadyReported(known, said(1, 50_000, 'phone'))).toBe(false);
    expect(isAlreadyReported(known, said(1, 50_000, 'phone'), { byAnyClient: true })).toBe(true);
    expect(isAlreadyReported(known, said(1, 500, 'phone'), { byAnyClient: true })).toBe(false);
    expect(isAlreadyReported(known, said(2, 50_000), { byAnyClient: true })).toBe(false);
  });
});
