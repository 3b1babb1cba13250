import { describe, expect, it } from 'vitest';
import { isNewEnough } from './locate-nats.js';

describe('isNewEnough', () => {
  it.each([
    ['2.12.4', true],
    ['2.12.3', false],
    ['2.15.1', true],
    ['3.0.0', true],
    ['2.11.9', false],
    ['2.9.10', false],
    ['1.20.0', false],
    ['2.12.4-beta.1', true],
  ])('%s is %s', (version, expected) => {
    expect(isNewEnough(version)).toBe(expected);
  });
});
