import { describe, expect, it } from 'vitest';
import { commonFault, pauseOf, spentPauseOf } from './relay-answer.js';

const NOW = Date.parse('2026-11-21T07:00:00Z');
const answer = (status: number, headers: Record<string, string> = {}) => ({ status, headers, json: undefined });

describe('a pause', () => {
  it.each([
    [{ 'retry-after': '30' }, 30_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 07:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 06:00:00 GMT' }, 0],
    [{ 'retry-after': '99999999' }, undefined],
    [{ 'retry-after': '999999' }, 6 * 3_600_000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'x-ratelimit-reset-in': '7' }, 7000],
    [{ 'retry-after': '3', 'x-ratelimit-reset-in': '7' }, 3000],
    [{}, undefined],
  ] as [Record<string, string>, number | undefined][])('is read from %o', (headers, ms) =>
    expect(pauseOf(answer(429, headers), NOW)).toBe(ms),
  );

  it('follows the last request of a share alone', () => {
    expect(spentPauseOf(answer(200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-in': '9' }))).toBe(9000);
    expect(spentPauseOf(answer(200, { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset-in': '9' }))).toBeUndefined();
    expect(spentPauseOf(answer(200))).toBeUndefined();
  });
});

describe('an answer', () => {
  it('of a server that is away or busy is tried again, of one that breaks is suspicious', () => {
    expect([429, 500, 502, 503, 504, 301, 308].map((status) => commonFault(answer(status), NOW)?.isSuspect ?? false)).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
  it('of other kinds is left to the protocol', () => {
    for (const status of [200, 204, 400, 401, 403, 404]) expect(commonFault(answer(status), NOW)).toBeUndefined();
  });
});
