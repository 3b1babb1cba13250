import { isBefore } from '@continuo/chassis';
import { expect, it } from 'vitest';
import { formatBytes } from '../output/numbers.js';
import { nameOf } from './kept-backups.js';

it('writes sizes with one decimal', () => {
  expect([0, 999, 1000, 4200, 1_340_000_000, 2e15].map(formatBytes)).toEqual(['0 B', '999 B', '1.0 kB', '4.2 kB', '1.3 GB', '2000.0 TB']);
});

it('compares as many numbers of a version as are asked for', () => {
  expect(isBefore('2.14.9', '2.15.0', 2)).toBe(true);
  expect(isBefore('2.15.0', '2.15.1', 2)).toBe(false);
  expect(isBefore('0.1.0', '0.1.1', 3)).toBe(true);
  expect(isBefore('1.0.0', '0.9.9', 3)).toBe(false);
});

it('names backups so that they sort by time', () =>
  expect(nameOf(new Date('2026-11-21T13:05:09.123Z'))).toBe('continuo-2026-11-21T13-05-09Z'));
