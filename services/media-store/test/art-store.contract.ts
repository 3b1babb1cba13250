import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ArtStore, StoredArt } from '../src/media-store.js';

/** An empty picture store, and how to damage a picture in it: afterwards it holds less of it than was stored. */
export interface ContractArtStore {
  readonly store: ArtStore;
  readonly cutOff: (hash: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Contract test of every {@link ArtStore}. */
export const artStoreContract = (name: string, open: () => Promise<ContractArtStore>): void => {
  describe(`pictures ${name}`, () => {
    let opened: ContractArtStore;
    let store: ArtStore;
    const image = Buffer.from('not really an image, but bytes all the same');
    const hash = sha256(image);
    const listed = async (): Promise<StoredArt[]> => {
      const found: StoredArt[] = [];
      for await (const one of store.list()) found.push(one);
      return found.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
    };

    beforeAll(async () => {
      opened = await open();
      ({ store } = opened);
    });
    afterAll(() => opened.close());

    it('are none at first', async () => {
      expect(await listed()).toEqual([]);
    });

    it('can be stored, which is told to the operator', async () => {
      expect(await store.check()).toMatch(/^in the /);
      expect(await listed()).toEqual([]);
    });

    it('are kept under their hashes and given back', async () => {
      expect(await store.put(image)).toBe(hash);
      expect(await store.stat(hash)).toMatchObject({ sizeBytes: image.length });
      expect(await buffer(await store.open(hash))).toEqual(image);
    });

    it.each([1, 512 * 1024, 512 * 1024 + 1, 3_000_000])('of %i bytes are whole', async (sizeBytes) => {
      const bytes = randomBytes(sizeBytes);
      const stored = await store.put(bytes);
      expect(stored).toBe(sha256(bytes));
      expect(await store.stat(stored)).toMatchObject({ sizeBytes });
      expect((await buffer(await store.open(stored))).equals(bytes)).toBe(true);
    });

    it('of equal bytes are one, also when they are put at the same time', async () => {
      const before = await listed();
      const bytes = randomBytes(700_000);
      await Promise.all(Array.from({ length: 10 }, () => store.put(bytes)));
      await store.put(bytes);
      expect(await listed()).toHaveLength(before.length + 1);
      expect((await buffer(await store.open(sha256(bytes)))).equals(bytes)).toBe(true);
    });

    it('that were cut off are replaced', async () => {
      const bytes = randomBytes(1_000_000);
      const cut = await store.put(bytes);
      await opened.cutOff(cut);
      await store.put(bytes);
      expect((await buffer(await store.open(cut))).equals(bytes)).toBe(true);
    });

    it('are listed with their sizes, each once', async () => {
      const more = await Promise.all(Array.from({ length: 30 }, (_, at) => store.put(Buffer.from(`picture ${at}`))));
      const found = await listed();
      expect(found).toContainEqual({ hash, sizeBytes: image.length });
      expect(found.map((one) => one.hash)).toEqual(expect.arrayContaining(more));
      expect(new Set(found.map((one) => one.hash)).size).toBe(found.length);
    });

    it.each(['0'.repeat(64), '../../etc/passwd', '', `${hash.slice(0, 62)}/x`, `${hash}.0`, '*'])('do not include %j', async (unknown) => {
      await expect(store.stat(unknown)).rejects.toMatchObject({ code: 'art.not-found' });
      await expect(store.open(unknown)).rejects.toMatchObject({ code: 'art.not-found' });
    });
  });
};
