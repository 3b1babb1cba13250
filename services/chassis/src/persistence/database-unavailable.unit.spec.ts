import { describe, expect, it } from 'vitest';
import { isDatabaseUnavailable } from './database-unavailable.js';

describe('a database that cannot be reached', () => {
  it.each(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', '57P01', '40001'])('is away: %s', (code) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('connect'), { code }))).toBe(true);
  });

  it('is not what a wrong statement says', () => {
    expect(isDatabaseUnavailable(Object.assign(new Error('syntax error'), { code: '42601' }))).toBe(false);
    expect(isDatabaseUnavailable(undefined)).toBe(false);
  });
});
