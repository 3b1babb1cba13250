import { describe, expect, it } from 'vitest';
import type { Song } from '../../lib/api.js';
import { fadeBetween } from './crossfade.js';

const song = (album: string, disk: number, track: number, time = 100): Song =>
  ({ album: { id: album, name: '' }, disk, track, time }) as Song;

describe('fadeBetween', () => {
  it('fades from one album into another, within half of the shorter song', () => {
    expect(fadeBetween(song('1', 1, 1), song('2', 1, 2), 6)).toBe(6);
    expect(fadeBetween(song('1', 1, 1), song('2', 1, 2, 8), 6)).toBe(4);
    expect(fadeBetween(song('1', 1, 1), song('2', 1, 2), 0)).toBe(0);
    expect(fadeBetween(undefined, song('2', 1, 2), 6)).toBe(0);
  });

  it('leaves parts of an album joined that follow each other, over its disks, too', () => {
    expect(fadeBetween(song('1', 1, 1), song('1', 1, 2), 6)).toBe(0);
    expect(fadeBetween(song('1', 1, 9), song('1', 2, 1), 6)).toBe(0);
    expect(fadeBetween(song('1', 1, 1), song('1', 1, 3), 6)).toBe(6);
    expect(fadeBetween(song('1', 1, 2), song('1', 1, 1), 6)).toBe(6);
  });
});
