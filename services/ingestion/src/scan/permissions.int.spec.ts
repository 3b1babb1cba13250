import { chmod, chown, copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CatalogId } from '@continuo/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeMediaFile } from '../../test/media-files.js';
import { ScanBench } from '../../test/scan-bench.js';

/** Nothing is closed to root: only root can be somebody else for a while, and only somebody else can be refused. Elsewhere these specs are reported as skipped. */
const mayBeSomebodyElse = process.getuid?.() === 0 && process.seteuid !== undefined;
const NOBODY = 65_534;

let bench: ScanBench;
let base: string;
let root: string;
let catalog: CatalogId;
let nextCatalog = 1;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'continuo-samples-')));
  const tags = { artist: 'One', album: 'First' };
  for (const [name, seconds] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const)
    await makeMediaFile({ path: join(base, `${name}.mp3`), tags: { ...tags, title: name.toUpperCase() }, seconds });
  bench = await ScanBench.start();
});
afterAll(async () => {
  await bench.stop();
  await rm(base, { recursive: true, force: true });
});
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-catalog-')));
  for (const folder of ['x', 'y/deep', 'z']) await mkdir(join(root, folder), { recursive: true });
  await copyFile(join(base, 'a.mp3'), join(root, 'x', 'a.mp3'));
  await copyFile(join(base, 'b.mp3'), join(root, 'y', 'deep', 'b.mp3'));
  await copyFile(join(base, 'c.mp3'), join(root, 'z', 'c.mp3'));
  for (const path of ['', 'x', 'y', 'y/deep', 'z']) await chown(join(root, path), NOBODY, NOBODY);
  catalog = await bench.library.addCatalog(nextCatalog++, root);
  await bench.scan(catalog);
  bench.library.records.length = 0;
});
afterEach(async () => {
  process.seteuid?.(0);
  bench.library.beforeRecord = () => undefined;
  await rm(root, { recursive: true, force: true });
});

const songs = async (): Promise<string[]> => (await bench.library.songs(catalog)).map(({ path, id }) => `${path} ${id}`);
const scanAsNobody = async () => {
  process.seteuid?.(NOBODY);
  try {
    return await bench.scan(catalog);
  } finally {
    process.seteuid?.(0);
  }
};
const NOTHING_LOST = { state: 'finished', songs_added: 0, songs_changed: 0, songs_moved: 0, songs_removed: 0 };

describe.skipIf(!mayBeSomebodyElse)('permission that is lost', () => {
  it('to a folder keeps what is known in and below it, and is told', async () => {
    const before = await songs();
    await chmod(join(root, 'y'), 0);
    const row = await scanAsNobody();
    expect(row).toMatchObject(NOTHING_LOST);
    expect(row.message).toMatch(/^y: the folder cannot be read \(EACCES\)/m);
    expect(await songs()).toEqual(before);
    await chmod(join(root, 'y'), 0o755);
    expect(await scanAsNobody()).toMatchObject({ ...NOTHING_LOST, message: null });
    expect(await songs()).toEqual(before);
  });

  it('to enter a folder whose names can be read keeps its songs, and is told', async () => {
    await writeFile(join(root, 'z', 'c.lrc'), '[00:01.00]words');
    await bench.scan(catalog);
    bench.library.records.length = 0;
    const before = await songs();
    await chmod(join(root, 'z'), 0o444);
    const row = await scanAsNobody();
    expect(row).toMatchObject(NOTHING_LOST);
    expect(bench.library.records).toEqual([]);
    expect(row.message).toMatch(/^z\/c\.mp3: it cannot be looked at \(EACCES\)/m);
    expect(await songs()).toEqual(before);
  });

  it('to a file that has changed keeps its song as it was, and is told; the change is read when it may be', async () => {
    const before = await songs();
    await copyFile(join(base, 'a.mp3'), join(root, 'z', 'c.mp3'));
    await chmod(join(root, 'z', 'c.mp3'), 0);
    const row = await scanAsNobody();
    expect(row).toMatchObject({ ...NOTHING_LOST, files_skipped: 1 });
    expect(row.message).toMatch(/^z\/c\.mp3: the file cannot be read \(EACCES\)/m);
    expect(await songs()).toEqual(before);
    await chmod(join(root, 'z', 'c.mp3'), 0o644);
    expect(await scanAsNobody()).toMatchObject({ songs_changed: 1, message: null });
    expect(await songs()).toEqual(before);
  });

  it('while a scan runs keeps what it has not looked at again, and what seemed to be gone', async () => {
    await mkdir(join(root, 'n'));
    await copyFile(join(base, 'a.mp3'), join(root, 'n', 'new.mp3'));
    await rm(join(root, 'y', 'deep', 'b.mp3'));
    const known = await songs();
    // The walk has met the folder without its song by then; whether that is really gone can no longer be seen.
    bench.library.beforeRecord = async ({ path }) => {
      if (path === 'n') await chmod(join(root, 'y'), 0);
    };
    expect(await scanAsNobody()).toMatchObject({ state: 'finished', songs_added: 1, songs_removed: 0 });
    expect(await songs()).toEqual(expect.arrayContaining(known));
    await chmod(join(root, 'y'), 0o755);
    expect(await scanAsNobody()).toMatchObject({ songs_removed: 1 });
  });

  it('to the whole catalog fails the scan with a sentence, and removes nothing', async () => {
    const before = await songs();
    await chmod(root, 0);
    const row = await scanAsNobody();
    expect(row.state).toBe('failed');
    expect(row.message).toMatch(/cannot be read \(EACCES\); may user id \d+ read it\?/);
    expect(await songs()).toEqual(before);
  });
});
