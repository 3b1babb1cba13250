import { describe, expect, it, vi } from 'vitest';
import { ArtIdentities } from './art-identities.js';

const everywhere = { catalogs: 'all' } as const;

const kept = (keptMs = 1000) => {
  const clock = { nowMs: 0 };
  return { clock, identities: new ArtIdentities({ now: () => clock.nowMs, keptMs }) };
};

describe('ArtIdentities', () => {
  it('reads once for each object and visible catalogs', async () => {
    const { identities } = kept();
    const read = vi.fn<() => Promise<string>>(async () => 'hash');
    for (let n = 0; n < 3; n += 1) expect(await identities.hashOf('album', 1, everywhere, read)).toBe('hash');
    expect(read).toHaveBeenCalledTimes(1);
    await identities.hashOf('album', 2, everywhere, read);
    await identities.hashOf('song', 1, everywhere, read);
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('asks again for who sees other catalogs', async () => {
    const { identities } = kept();
    await identities.hashOf('album', 1, everywhere, async () => 'hash');
    for (const catalogs of [[1], [1, 2], []])
      expect(await identities.hashOf('album', 1, { catalogs }, async () => undefined)).toBe(undefined);
  });

  it('remembers that there is no picture', async () => {
    const { identities } = kept();
    await identities.hashOf('album', 1, everywhere, async () => null);
    expect(await identities.hashOf('album', 1, everywhere, async () => 'hash')).toBe(null);
  });

  it('forgets with a change, with time, and what was read while something changed', async () => {
    const { identities, clock } = kept();
    await identities.hashOf('album', 1, everywhere, async () => 'first');
    identities.noteChange();
    const slow = Promise.withResolvers<string>();
    const reading = identities.hashOf('album', 1, everywhere, () => slow.promise);
    identities.noteChange();
    slow.resolve('second');
    expect(await reading).toBe('second');
    expect(await identities.hashOf('album', 1, everywhere, async () => 'third')).toBe('third');
    clock.nowMs = 1000;
    expect(await identities.hashOf('album', 1, everywhere, async () => 'fourth')).toBe('fourth');
  });

  it('keeps nothing where nothing is to be kept, and no failures', async () => {
    const none = kept(0).identities;
    await none.hashOf('album', 1, everywhere, async () => 'first');
    expect(await none.hashOf('album', 1, everywhere, async () => 'second')).toBe('second');
    const { identities } = kept();
    await expect(identities.record('hash', () => Promise.reject(new Error('no connection')))).rejects.toThrow('no connection');
    expect(await identities.record('hash', async () => ({ hash: 'hash', mime: 'image/png' }))).toEqual({ hash: 'hash', mime: 'image/png' });
  });
});
