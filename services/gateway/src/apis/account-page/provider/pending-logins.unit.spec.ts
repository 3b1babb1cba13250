import { describe, expect, it } from 'vitest';
import { SECRET } from '../../../../test/auth/auth.fixture.js';
import { PendingLogins } from './pending-logins.js';

const login = { state: 'a state', nonce: 'a nonce', verifier: 'a verifier' };

describe('a pending login', () => {
  it('is accepted once before it expires, and is unreadable for the browser', () => {
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

  it.each([undefined, '', 'nonsense', 'v1.a.b.c'])('is rejected when it was not created here: %s', (text) => {
    expect(new PendingLogins(SECRET, () => 0).take(text)).toBeUndefined();
  });

  it('is rejected when another server created it', () => {
    const text = new PendingLogins('another secret of thirty-two characters', () => 0).seal(login);
    expect(new PendingLogins(SECRET, () => 0).take(text)).toBeUndefined();
  });
});
