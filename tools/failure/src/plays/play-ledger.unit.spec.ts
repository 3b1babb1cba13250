import { describe, expect, it } from 'vitest';
import { PlayLedger, type PlayCount } from './play-ledger.js';

const failed = (ledger: PlayLedger, ...found: PlayCount[]): string[] =>
  ledger
    .check(found)
    .filter(({ ok }) => !ok)
    .map(({ check }) => check);
const count = (songId: number, plays: number, skips = 0): PlayCount => ({ userId: 1, songId, plays, skips });

describe('the ledger of plays', () => {
  const ledger = new PlayLedger();
  ledger.played(1, 7);
  ledger.played(1, 7);
  ledger.played(1, 8);
  ledger.skipped(1, 8);
  ledger.unansweredPlay(1, 9);

  it('is content with what it owes, whether or not the unanswered arrived', () => {
    expect(failed(ledger, count(7, 2), count(8, 0, 1))).toEqual([]);
    expect(failed(ledger, count(7, 2), count(8, 0, 1), count(9, 1))).toEqual([]);
  });
  it('notices what is lost, doubled or made up', () => {
    expect(failed(ledger, count(7, 1), count(8, 0, 1))).toContain('ledger: lost, doubled or otherwise wrong');
    expect(failed(ledger, count(7, 3), count(8, 0, 1))).toContain('ledger: lost, doubled or otherwise wrong');
    expect(failed(ledger, count(7, 2), count(8, 0, 1), count(9, 2))).toContain('ledger: lost, doubled or otherwise wrong');
    expect(failed(ledger, count(7, 2), count(8, 1, 0))).toContain('ledger: skips counted = acknowledged');
    expect(failed(ledger, count(7, 2), count(8, 0, 1), count(10, 1))).toContain('ledger: counted and never played');
  });
});
