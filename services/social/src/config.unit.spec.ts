import { parseConfig } from '@continuo/chassis';
import { describe, expect, it } from 'vitest';
import { socialConfig } from './config.js';

const needed = { DATABASE_URL: 'postgres://unused', NATS_URL: 'nats://unused', CONTINUO_SECRET: 'x'.repeat(32) };
const withKey = (key: string): unknown => parseConfig(socialConfig, { ...needed, CONTINUO_ADMIN_API_KEY: key });

describe('CONTINUO_ADMIN_API_KEY', () => {
  it.each(['short-key', '1234567', 'fifteen-letters'])('%s is refused as too short', (key) => {
    expect(() => withKey(key)).toThrow(/CONTINUO_ADMIN_API_KEY: needs at least 16 characters.*openssl rand/);
  });

  it.each(['a'.repeat(64), 'abababababababab', '1111222233334444'])('%s is refused as too easy to guess', (key) => {
    expect(() => withKey(key)).toThrow(/CONTINUO_ADMIN_API_KEY: is too easy to guess/);
  });

  it.each(['operator-key-0123456789', '0f3a9c1be87d2456'])('%s is taken', (key) => {
    expect(withKey(key)).toMatchObject({ CONTINUO_ADMIN_API_KEY: key });
  });
});
