import { JetStreamError } from '@nats-io/jetstream';
import { describe, expect, it } from 'vitest';
import { isEventStoreUnavailable, isAppendRefused } from './event-store-unavailable.js';

describe('an append that is refused', () => {
  it.each([
    [503, 10_008, 'while there is no leader'],
    [400, 10_047, 'without room'],
    [409, 10_158, 'while the same message id is on its way'],
    [500, 10_009, 'while another server is about to lead'],
    [500, 10_118, 'while a stream has too few servers'],
  ])('may be sent again after %i/%i, %s', (status, code) => {
    expect(isAppendRefused(status, code)).toBe(true);
  });

  it('is a fault after anything else', () => {
    expect(isAppendRefused(400, 10_071)).toBe(false);
    expect(isAppendRefused(undefined, undefined)).toBe(false);
  });
});

describe('a read that nobody answers', () => {
  it('says that the log is away, unless the message itself is not there', () => {
    const told = (code: number): JetStreamError => Object.assign(new JetStreamError('status'), { code });
    expect([503, 404].map((code) => isEventStoreUnavailable(told(code)))).toEqual([true, false]);
  });
});
