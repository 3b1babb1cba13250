import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalArtStore } from './local-art-store.js';

let folder: string;
let store: LocalArtStore;
const image = Buffer.from('not really an image, but bytes all the same');
const hash = createHash('sha256').update(image).digest('hex');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-art-'));
  store = new LocalArtStore(join(folder, 'art'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('local art store', () => {
  it('keeps an image under its hash and gives it back', async () => {
    expect(await store.put(image)).toBe(hash);
    expect(await readdir(join(folder, 'art', hash.slice(0, 2)))).toEqual([hash]);
    expect((await store.stat(hash)).sizeBytes).toBe(image.length);
    expect(await buffer(await store.open(hash))).toEqual(image);
  });

  it('keeps one copy of equal bytes, also when they are put at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, () => store.put(image)));
    expect(await readdir(join(folder, 'art', hash.slice(0, 2)))).toEqual([hash]);
  });

  it('replaces an image that was cut off by a crash', async () => {
    await store.put(image);
    await writeFile(join(folder, 'art', hash.slice(0, 2), hash), image.subarray(0, 3));
    await store.put(image);
    expect(await buffer(await store.open(hash))).toEqual(image);
  });

  it.each(['0'.repeat(64), '../../etc/passwd', '', `${hash.slice(0, 62)}/x`])('does not find %s', async (unknown) => {
    await expect(store.stat(unknown)).rejects.toMatchObject({ code: 'art.not-found' });
    await expect(store.open(unknown)).rejects.toMatchObject({ code: 'art.not-found' });
  });
});
