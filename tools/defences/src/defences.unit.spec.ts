import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defences } from './table/index.js';
import { taken } from './try-defence.js';

const root = new URL('../../../', import.meta.url);

/** A defence that was moved or reworded must be tried where it stands now: `pnpm test:defences`. */
describe('a defence', () => {
  it.each(defences)('against who would $against stands once in $file', (defence) => {
    expect(taken(readFileSync(new URL(defence.file, root), 'utf8'), defence)).toBeDefined();
    expect(existsSync(new URL(defence.spec, root))).toBe(true);
  });
});

describe('taking a defence away', () => {
  it('replaces what stands there once, and nothing that stands there never or twice', () => {
    expect(taken('a b c', { find: 'b', replace: 'x' })).toBe('a x c');
    expect(taken('a b b', { find: 'b', replace: 'x' })).toBeUndefined();
    expect(taken('a b c', { find: 'd', replace: 'x' })).toBeUndefined();
  });
});
