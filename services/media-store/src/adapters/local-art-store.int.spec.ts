import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { artStoreContract } from '../../test/art-store.contract.js';
import { LocalArtStore } from './local-art-store.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-art-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

artStoreContract('in a folder', async () => {
  const store = new LocalArtStore(join(folder, 'art'));
  return { store, cutOff: (hash) => truncate(store.pathOf(hash), 3), close: () => store.close() };
});

describe('the folder of pictures', () => {
  it('has each below the first two digits of its hash, and nothing else', async () => {
    const store = new LocalArtStore(join(folder, 'other'));
    const hash = await store.put(Buffer.from('a picture'));
    expect(await readdir(join(folder, 'other'), { recursive: true })).toEqual([hash.slice(0, 2), join(hash.slice(0, 2), hash)]);
  });

  it('is not made by a check', async () => {
    await new LocalArtStore(join(folder, 'later')).check();
    expect(await readdir(folder)).not.toContain('later');
  });

  it('refuses to be checked when it cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(new LocalArtStore(join(folder, 'file')).check()).rejects.toThrow('ENOTDIR');
    await expect(new LocalArtStore(join(folder, 'missing', 'art')).check()).rejects.toThrow('ENOENT');
  });
});
