import { describe, expect, it } from 'vitest';
import { operatorTokenCheck, signOperatorToken } from './operator-token.js';

const SECRET = 'a secret of more than thirty-two characters';
const MINUTE_MS = 60_000;

describe('operator tokens', () => {
  it('open for a minute, and for the difference of two clocks', () => {
    let now = 1_700_000_000_000;
    const token = signOperatorToken(SECRET, now);
    const opens = operatorTokenCheck(SECRET, () => now);
    expect(opens(token)).toBe(true);
    now += 2 * MINUTE_MS - 1;
    expect(opens(token)).toBe(true);
    now += 1;
    expect(opens(token)).toBe(false);
  });

  it('open nothing under another secret, with another time, or from far ahead', () => {
    const now = 1_700_000_000_000;
    const opens = operatorTokenCheck(SECRET, () => now);
    const token = signOperatorToken(SECRET, now);
    expect(operatorTokenCheck(`${SECRET}!`, () => now)(token)).toBe(false);
    expect(opens(token.replace(/^operator-[a-z0-9]+/, `operator-${(now + MINUTE_MS + 1).toString(36)}`))).toBe(false);
    expect(opens(signOperatorToken(SECRET, now + 2 * MINUTE_MS))).toBe(false);
    for (const text of ['', 'operator', token.slice(1), `${token}0`, token.toUpperCase()]) expect(opens(text)).toBe(false);
  });

  it('stay open while the secret before it still signs', () => {
    const now = 1_700_000_000_000;
    const token = signOperatorToken(SECRET, now);
    const ring = { current: 'n'.repeat(40), all: ['n'.repeat(40), SECRET], founding: SECRET, signing: () => ['n'.repeat(40), SECRET] };
    expect(operatorTokenCheck(ring, () => now)(token)).toBe(true);
  });
});
