import { describe, expect, it } from 'vitest';
import { isDatabaseAway } from './database-away.js';

describe('a database that cannot be reached', () => {
  it.each(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', '57P01', '40001'])('is away: %s', (code) => {
    expect(isDatabaseAway(Object.assign(new Error('connect'), { code }))).toBe(true);
  });

  it('is not what a wrong statement says', () => {
    expect(isDatabaseAway(Object.assign(new Error('syntax error'), { code: '42601' }))).toBe(false);
    expect(isDatabaseAway(undefined)).toBe(false);
  });
});
