import { copyFile, mkdir, mkdtemp, realpath, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LeaderLock, type StartedService } from '@continuo/chassis';
import type { CatalogId } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IngestionConfig } from '../config.js';
import { makeMediaFile } from '../../test/media-files.js';
import { ScanBench } from '../../test/scan-bench.js';

let bench: ScanBench;
let watching: StartedService<IngestionConfig>[] = [];
let base: string;
let outer: string;
let root: string;
let catalog: CatalogId;
let nextCatalog = 1;

const PATIENCE = { timeout: 40_000, interval: 50 };

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'continuo-samples-')));
  const tags = { artist: 'One', album: 'First' };
  await makeMediaFile({ path: join(base, 'a.mp3'), tags: { ...tags, title: 'A' }, seconds: 1 });
  await makeMediaFile({ path: join(base, 'b.ogg'), tags: { ...tags, title: 'B' }, seconds: 2 });
  bench = await ScanBench.start();
});
afterAll(async () => {
  await bench.stop();
  await rm(base, { recursive: true, force: true });
});
beforeEach(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'continuo-watched-')));
  root = join(outer, 'music');
  await mkdir(join(root, 'x'), { recursive: true });
  await copyFile(join(base, 'a.mp3'), join(root, 'x', 'a.mp3'));
  await sql`delete from library.catalog`.execute(bench.library.db);
  catalog = await bench.library.addCatalog(nextCatalog++, root);
});
afterEach(async () => {
  for (const one of watching) await one.stop();
  watching = [];
  bench.library.beforeRecord = () => undefined;
  await rm(outer, { recursive: true, force: true });
});

const watchAll = async (): Promise<void> => {
  watching.push(await bench.replica({ SCAN_WATCH: 'true', SCAN_WATCH_QUIET_MS: '300' }));
  // The scan before a watch shows that it has begun.
  await expect.poll(songs, PATIENCE).toContain('x/a.mp3');
};
const songs = async (): Promise<string[]> => (await bench.library.songs(catalog)).map(({ path }) => path);
const scansUnderWay = async (): Promise<number> =>
  (await bench.db.selectFrom('ingestion.scan').select('id').where('state', 'in', ['queued', 'running']).execute()).length;
const idOf = async (path: string): Promise<number | undefined> =>
  (await bench.library.songs(catalog)).find((song) => song.path === path)?.id;

describe('a watched catalog', () => {
  it('shows added, changed and removed files and folders without a scan', async () => {
    await watchAll();
    await copyFile(join(base, 'b.ogg'), join(root, 'x', 'b.ogg'));
    await expect.poll(songs, PATIENCE).toEqual(['x/a.mp3', 'x/b.ogg']);
    await mkdir(join(root, 'y', 'deep'), { recursive: true });
    await copyFile(join(base, 'b.ogg'), join(root, 'y', 'deep', 'c.ogg'));
    await expect.poll(songs, PATIENCE).toEqual(['x/a.mp3', 'x/b.ogg', 'y/deep/c.ogg']);
    const before = await idOf('x/a.mp3');
    await copyFile(join(base, 'b.ogg'), join(root, 'x', 'a.mp3'));
    const titleOf = async () => (await bench.library.songs(catalog))[0]?.track.title;
    await expect.poll(titleOf, PATIENCE).toBe('B');
    expect(await idOf('x/a.mp3')).toBe(before);
    await rm(join(root, 'x', 'b.ogg'));
    await expect.poll(songs, PATIENCE).toEqual(['x/a.mp3', 'y/deep/c.ogg']);
    await rm(join(root, 'y'), { recursive: true });
    await expect.poll(songs, PATIENCE).toEqual(['x/a.mp3']);
  });

  it('records changed companion files without changing songs', async () => {
    await watchAll();
    const wordsOf = async (): Promise<string> => JSON.stringify((await bench.library.songs(catalog))[0]?.track.lyrics ?? null);
    await writeFile(join(root, 'x', 'a.lrc'), '[00:00.50]First words');
    await expect.poll(wordsOf, PATIENCE).toContain('First words');
    await writeFile(join(root, 'x', 'a.lrc'), '[00:00.50]Other words');
    await expect.poll(wordsOf, PATIENCE).toContain('Other words');
    await rm(join(root, 'x', 'a.lrc'));
    await expect.poll(wordsOf, PATIENCE).not.toContain('words');
  });

  it('keeps the ids of files and folders that are moved', async () => {
    await mkdir(join(root, 'y'));
    await copyFile(join(base, 'b.ogg'), join(root, 'y', 'b.ogg'));
    await watchAll();
    await expect.poll(songs, PATIENCE).toEqual(['x/a.mp3', 'y/b.ogg']);
    const [file, inFolder] = [await idOf('x/a.mp3'), await idOf('y/b.ogg')];
    await rename(join(root, 'x', 'a.mp3'), join(root, 'y', 'moved.mp3'));
    await expect.poll(songs, PATIENCE).toEqual(['y/b.ogg', 'y/moved.mp3']);
    expect(await idOf('y/moved.mp3')).toBe(file);
    await rename(join(root, 'y'), join(root, 'z'));
    await expect.poll(songs, PATIENCE).toEqual(['z/b.ogg', 'z/moved.mp3']);
    expect([await idOf('z/moved.mp3'), await idOf('z/b.ogg')]).toEqual([file, inFolder]);
  });

  it('keeps ids of files that move repeatedly during a scan', async () => {
    await mkdir(join(root, 'y', 'deep'), { recursive: true });
    await copyFile(join(base, 'b.ogg'), join(root, 'y', 'deep', 'b.ogg'));
    await watchAll();
    await expect.poll(songs, PATIENCE).toEqual(['x/a.mp3', 'y/deep/b.ogg']);
    await expect.poll(scansUnderWay, PATIENCE).toBe(0);
    const ids = [await idOf('x/a.mp3'), await idOf('y/deep/b.ogg')];
    // Each step is made at the very moment at which the library is told of the step before: between the look at what is new and the one at what is gone.
    const steps: [at: string, from: string, to: string][] = [
      ['one/y/deep', 'one', 'two'],
      ['two/y/deep', join('two', 'y'), 'three'],
      ['three/deep', 'x', join('three', 'x')],
      ['three/x', 'three', 'four'],
    ];
    bench.library.beforeRecord = async ({ path, vanished }) => {
      const [at, from, to] = steps[0] ?? [];
      if (vanished || at !== path || from === undefined || to === undefined) return;
      steps.shift();
      await rename(join(root, from), join(root, to));
    };
    await mkdir(join(root, 'one'));
    await rename(join(root, 'y'), join(root, 'one', 'y'));
    await expect.poll(songs, PATIENCE).toEqual(['four/deep/b.ogg', 'four/x/a.mp3']);
    expect([await idOf('four/x/a.mp3'), await idOf('four/deep/b.ogg')]).toEqual(ids);
  });

  it('keeps ids of files that move between scanned folders, and of a renamed artist', async () => {
    await mkdir(join(root, 'Artist', 'Album'), { recursive: true });
    await copyFile(join(base, 'b.ogg'), join(root, 'Artist', 'Album', 'b.ogg'));
    await watchAll();
    await expect.poll(songs, PATIENCE).toEqual(['Artist/Album/b.ogg', 'x/a.mp3']);
    await expect.poll(scansUnderWay, PATIENCE).toBe(0);
    const ids = [await idOf('Artist/Album/b.ogg'), await idOf('x/a.mp3')];
    bench.library.beforeRecord = async ({ path, tracks }) => {
      if (path !== 'x' || tracks[0]?.fileName !== 'new.ogg') return;
      bench.library.beforeRecord = () => undefined;
      await rename(join(root, 'Artist'), join(root, 'Other'));
      await rename(join(root, 'x', 'a.mp3'), join(root, 'Other', 'Album', 'a.mp3'));
      await rename(join(root, 'x'), join(root, 'Other', 'x'));
    };
    await copyFile(join(base, 'b.ogg'), join(root, 'x', 'new.ogg'));
    // A change of the song itself has the folder looked at for what is gone, too.
    await utimes(join(root, 'x', 'a.mp3'), 1, 1);
    await expect.poll(songs, PATIENCE).toEqual(['Other/Album/a.mp3', 'Other/Album/b.ogg', 'Other/x/new.ogg']);
    expect([await idOf('Other/Album/b.ogg'), await idOf('Other/Album/a.mp3')]).toEqual(ids);
  });

  it('moves files to another watched catalog', async () => {
    const second = join(outer, 'second');
    await mkdir(second);
    await copyFile(join(base, 'b.ogg'), join(second, 'b.ogg'));
    const there = await bench.library.addCatalog(nextCatalog++, second);
    await mkdir(join(root, 'y'));
    await copyFile(join(base, 'b.ogg'), join(root, 'y', 'c.ogg'));
    await watchAll();
    const thereSongs = async (): Promise<string[]> => (await bench.library.songs(there)).map(({ path }) => path);
    await expect.poll(thereSongs, PATIENCE).toEqual(['b.ogg']);
    await rename(join(root, 'y'), join(second, 'y'));
    await expect.poll(songs, PATIENCE).toEqual(['x/a.mp3']);
    await expect.poll(thereSongs, PATIENCE).toEqual(['b.ogg', 'y/c.ogg']);
  });

  it('keeps watching a folder that replaced another', async () => {
    await mkdir(join(outer, 'other'));
    await copyFile(join(base, 'b.ogg'), join(outer, 'other', 'b.ogg'));
    await watchAll();
    await rm(join(root, 'x'), { recursive: true });
    await rename(join(outer, 'other'), join(root, 'x'));
    await expect.poll(songs, PATIENCE).toEqual(['x/b.ogg']);
    await copyFile(join(base, 'a.mp3'), join(root, 'x', 'late.mp3'));
    await expect.poll(songs, PATIENCE).toEqual(['x/b.ogg', 'x/late.mp3']);
  });

  it('keeps its songs while the disk is unavailable, and is watched again afterwards', async () => {
    await watchAll();
    await rename(root, join(outer, 'away'));
    await mkdir(root);
    // Another disk in its place, bare: everything known there stays.
    await expect
      .poll(() => bench.db.selectFrom('ingestion.scan').select('message').where('state', '=', 'failed').execute(), PATIENCE)
      .not.toEqual([]);
    expect(await songs()).toEqual(['x/a.mp3']);
    await rm(root, { recursive: true });
    await rename(join(outer, 'away'), root);
    await copyFile(join(base, 'b.ogg'), join(root, 'x', 'b.ogg'));
    await expect.poll(songs, PATIENCE).toEqual(['x/a.mp3', 'x/b.ogg']);
  });

  it('ignores hidden folders, and marked ones until the marker is removed', async () => {
    await watchAll();
    await mkdir(join(root, '.hidden'));
    await copyFile(join(base, 'b.ogg'), join(root, '.hidden', 'b.ogg'));
    await mkdir(join(root, 'out'));
    await writeFile(join(root, 'out', '.nomedia'), '');
    await copyFile(join(base, 'b.ogg'), join(root, 'out', 'b.ogg'));
    await copyFile(join(base, 'b.ogg'), join(root, 'x', 'b.ogg'));
    await expect.poll(songs, PATIENCE).toEqual(['x/a.mp3', 'x/b.ogg']);
    await rm(join(root, 'out', '.nomedia'));
    await expect.poll(songs, PATIENCE).toEqual(['out/b.ogg', 'x/a.mp3', 'x/b.ogg']);
  });

  it('is watched by its own choice while the setting is off, and no longer once it chooses otherwise', async () => {
    const choose = (watched: boolean | null) =>
      sql`update library.catalog set watched = ${watched} where id = ${catalog}`.execute(bench.library.db);
    await choose(true);
    await expect.poll(songs, PATIENCE).toContain('x/a.mp3');
    await copyFile(join(base, 'b.ogg'), join(root, 'x', 'b.ogg'));
    await expect.poll(songs, PATIENCE).toEqual(['x/a.mp3', 'x/b.ogg']);
    await choose(false);
    let lock: LeaderLock | undefined;
    const isFree = async () => (lock = await LeaderLock.tryAcquire(bench.deps.db, 'ingestion-watch')) !== undefined;
    await expect.poll(isFree, PATIENCE).toBe(true);
    await copyFile(join(base, 'b.ogg'), join(root, 'x', 'c.ogg'));
    await delay(2000);
    expect(await songs()).toEqual(['x/a.mp3', 'x/b.ogg']);
    await lock?.release();
  });

  it('is watched by one worker, and by another when that stops', async () => {
    await watchAll();
    watching.push(await bench.replica({ SCAN_WATCH: 'true', SCAN_WATCH_QUIET_MS: '300' }));
    await watching.shift()?.stop();
    await copyFile(join(base, 'b.ogg'), join(root, 'x', 'b.ogg'));
    await expect.poll(songs, PATIENCE).toEqual(['x/a.mp3', 'x/b.ogg']);
    await copyFile(join(base, 'b.ogg'), join(root, 'x', 'c.ogg'));
    await expect.poll(songs, PATIENCE).toEqual(['x/a.mp3', 'x/b.ogg', 'x/c.ogg']);
  });
});
