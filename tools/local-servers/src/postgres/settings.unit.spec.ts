import { expect, it } from 'vitest';
import { pagesMemoryMb } from './settings.js';

const MB = 1024 ** 2;
const GB = 1024 ** 3;

it.each([
  { database: 'none', databaseBytes: 0, memoryBytes: 24 * GB, expected: 16 },
  { database: 'of 10,000 songs', databaseBytes: 80 * MB, memoryBytes: 24 * GB, expected: 16 },
  { database: 'of 150,000 songs', databaseBytes: 500 * MB, memoryBytes: 24 * GB, expected: 62 },
  { database: 'of a million songs', databaseBytes: 3 * GB, memoryBytes: 24 * GB, expected: 384 },
  { database: 'of a million songs on a small machine', databaseBytes: 3 * GB, memoryBytes: 2 * GB, expected: 128 },
  { database: 'of ten million songs', databaseBytes: 32 * GB, memoryBytes: 64 * GB, expected: 512 },
])('$expected MB are for pages of a database $database', ({ databaseBytes, memoryBytes, expected }) => {
  expect(pagesMemoryMb(databaseBytes, memoryBytes)).toBe(expected);
});
