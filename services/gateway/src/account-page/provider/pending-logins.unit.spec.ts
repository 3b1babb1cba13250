import { describe, expect, it } from 'vitest';
import { SECRET } from '../../auth/auth.fixture.js';
import { PendingLogins } from './pending-logins.js';

const login = { state: 'a state', nonce: 'a nonce', verifier: 'a verifier' };

describe('a login that is under way', () => {
  it('is taken once, as long as it is young, and shows nothing to whoever carries it', () => {
    let nowMs = 1_000_000;
    const pending = new PendingLogins(SECRET, () => nowMs);
    const text = pending.seal(login);
    expect(text).not.toMatch(/state|nonce|verifier/);
    expect(pending.take(text)).toEqual({ ...login, atMs: nowMs });
    expect(pending.take(text)).toBeUndefined();
    const late = pending.seal({ ...login, state: 'another' });
    nowMs += 600_000;
    expect(pending.take(late)).toBeUndefined();
  });

  it.each([undefined, '', 'nonsense', 'v1.a.b.c'])('is not one that was not made here: %s', (text) => {
    expect(new PendingLogins(SECRET, () => 0).take(text)).toBeUndefined();
  });

  it('is not one of another server', () => {
    const text = new PendingLogins('another secret of thirty-two characters', () => 0).seal(login);
    expect(new PendingLogins(SECRET, () => 0).take(text)).toBeUndefined();
  });
});
