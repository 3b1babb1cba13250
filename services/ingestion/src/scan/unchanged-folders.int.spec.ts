import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CatalogId } from '@continuo/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeMediaFile } from '../../test/media-files.js';
import { ScanBench } from '../../test/scan-bench.js';
import { walkCatalog } from '../walk/walk.js';
import type { WalkedFolder } from '../walk/walked-folder.js';
import { compareFolders } from './unchanged-folders.js';

let bench: ScanBench;
let root: string;
let catalog: CatalogId;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-unchanged-')));
  await mkdir(join(root, 'Ä 1'));
  await mkdir(join(root, 'plain'));
  await makeMediaFile({ path: join(root, 'Ä 1', 'ö 𝄞.mp3'), seconds: 1 });
  await makeMediaFile({ path: join(root, 'Ä 1', 'b.flac'), seconds: 1 });
  await writeFile(join(root, 'Ä 1', 'b.lrc'), '[00:00.00]words');
  await writeFile(join(root, 'Ä 1', 'cover.jpg'), 'no picture');
  await makeMediaFile({ path: join(root, 'plain', 'a.mp3'), seconds: 1 });
  bench = await ScanBench.start();
  catalog = await bench.library.addCatalog(1, root);
  await bench.scan(catalog);
});
afterAll(async () => {
  await bench.stop();
  await rm(root, { recursive: true, force: true });
});

const unchanged = async (mode: 'changes' | 'verify' = 'changes'): Promise<string[]> => {
  const folders: WalkedFolder[] = [];
  for await (const folder of walkCatalog(root)) folders.push(folder);
  const scanned = { id: catalog, path: root, gathers: 'music', mediaCount: 3 };
  const found = await compareFolders(bench.db, scanned, folders, { mode, isPartial: false });
  return [...found].flatMap(([path, known]) => ('isUnchanged' in known ? [path] : [])).toSorted();
};

it('tells folders that did not change from those with a file that is new, gone, touched or damaged', async () => {
  expect(await unchanged()).toEqual(['plain', 'Ä 1']);
  expect(await unchanged('verify')).toEqual([]);
  await utimes(join(root, 'plain', 'a.mp3'), 1, 1);
  await writeFile(join(root, 'Ä 1', 'b.lrc'), '[00:00.00]other words');
  expect(await unchanged()).toEqual([]);
  await bench.scan(catalog);
  expect(await unchanged()).toEqual(['plain', 'Ä 1']);
  await writeFile(join(root, 'plain', 'broken.mp3'), 'no sound at all');
  expect(await unchanged()).toEqual(['Ä 1']);
  await bench.scan(catalog);
  // What was left out is reported by every scan.
  expect(await unchanged()).toEqual(['Ä 1']);
  await rm(join(root, 'Ä 1', 'b.flac'));
  expect(await unchanged()).toEqual([]);
});
