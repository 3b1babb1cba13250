import { Rejection } from '@continuo/contracts';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MediaStore } from '../src/media-store.js';

/** A catalog with the files of the contract, and how a program opens what was located. */
export interface ContractCatalog {
  readonly store: MediaStore;
  readonly root: string;
  /** Reads what `locate` answers, as a program of this machine would. */
  readonly readLocated: (location: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Files of the catalog, by path. */
export const contractFiles: Readonly<Record<string, string>> = {
  'folder/song.mp3': '0123456789',
  'folder/song.srt': 'words',
  'folder/deep/other.mp3': 'other',
  'top.mp3': 'top',
  "Ünï cødé/it's 100% #1 (a+b).mp3": 'odd',
};

/** Paths that lead nowhere, or out. */
const refusedPaths = [
  'missing.mp3',
  'folder',
  '.',
  '',
  '../x.mp3',
  'folder/../../x.mp3',
  'folder/song.mp3/x',
  'a\0b',
  '/etc/hostname',
  'folder//song.mp3x',
];

/** Contract test of every {@link MediaStore}. */
export const mediaStoreContract = (name: string, open: () => Promise<ContractCatalog>): void => {
  describe(`media of a catalog ${name}`, () => {
    let catalog: ContractCatalog;
    beforeAll(async () => {
      catalog = await open();
    });
    afterAll(() => catalog.close());

    it('tells sizes and times', async () => {
      const { store, root } = catalog;
      const first = await store.stat(root, 'folder/song.mp3');
      expect(first).toEqual({ sizeBytes: 10, mtimeMs: expect.any(Number) });
      expect(first.mtimeMs).toBeGreaterThan(1_500_000_000_000);
      expect(await store.stat(root, 'folder/song.mp3')).toEqual(first);
    });

    it.each(Object.entries(contractFiles))('reads %s', async (path, content) => {
      const { store, root } = catalog;
      expect(await text(await store.open(root, path))).toBe(content);
      expect((await store.stat(root, path)).sizeBytes).toBe(Buffer.byteLength(content));
    });

    it.each([
      [{ start: 0, end: 0 }, '0'],
      [{ start: 2, end: 4 }, '234'],
      [{ start: 9, end: 9 }, '9'],
      [{ start: 0, end: 9 }, '0123456789'],
    ])('reads the part %j', async (range, content) => {
      expect(await text(await catalog.store.open(catalog.root, 'folder/song.mp3', range))).toBe(content);
    });

    it.each([
      [undefined, '0123456789'],
      [{ start: 0, end: 9 }, '0123456789'],
      [{ start: 2, end: 4 }, '234'],
    ])('looks at a file and reads %j of it in one go', async (range, content) => {
      const file = await catalog.store.openFile(catalog.root, 'folder/song.mp3');
      expect(file).toMatchObject(await catalog.store.stat(catalog.root, 'folder/song.mp3'));
      const bytes = await file.read(range);
      expect(bytes instanceof Readable ? await text(bytes) : bytes.toString()).toBe(content);
    });

    it('closes a file that nobody reads', async () => {
      const file = await catalog.store.openFile(catalog.root, 'folder/song.mp3');
      await file.close();
    });

    it('fails rather than give less of an open file than was promised', async () => {
      const file = await catalog.store.openFile(catalog.root, 'folder/song.mp3');
      const reading = async (): Promise<unknown> => {
        const bytes = await file.read({ start: 5, end: 20 });
        return bytes instanceof Readable ? buffer(bytes) : bytes;
      };
      await expect(reading()).rejects.toThrow(/shorter/);
    });

    it('fails rather than give less than was promised', async () => {
      const reading = async () => buffer(await catalog.store.open(catalog.root, 'folder/song.mp3', { start: 5, end: 20 }));
      await expect(reading()).rejects.toThrow(/shorter/);
    });

    it.each(refusedPaths)('does not know %j', async (path) => {
      const { store, root } = catalog;
      const failures = await Promise.allSettled([
        store.stat(root, path),
        store.open(root, path),
        store.locate(root, path),
        store.openFile(root, path),
      ]);
      for (const failure of failures) {
        expect(failure).toMatchObject({ status: 'rejected', reason: expect.any(Rejection) });
        expect(failure).toMatchObject({ reason: { code: 'media.not-found' } });
      }
    });

    it('names what lies beside a file', async () => {
      const { store, root } = catalog;
      const names = await store.namesBeside(root, 'folder/song.mp3');
      expect(names.filter((one) => one !== 'deep').toSorted()).toEqual(['song.mp3', 'song.srt']);
      expect(await store.namesBeside(root, 'top.mp3')).toContain('top.mp3');
    });

    it('tells a program where to find a file', async () => {
      const { store, root, readLocated } = catalog;
      const { realPath, ...stat } = await store.locate(root, 'folder/song.mp3');
      expect(stat).toEqual(await store.stat(root, 'folder/song.mp3'));
      expect(await readLocated(realPath)).toBe('0123456789');
    });

    it('leaves a file alone when its reader goes away', async () => {
      const stream = await catalog.store.open(catalog.root, 'folder/song.mp3');
      const closed = new Promise((resolve) => stream.once('close', resolve));
      stream.destroy();
      await closed;
      expect(stream.destroyed).toBe(true);
    });
  });
};
