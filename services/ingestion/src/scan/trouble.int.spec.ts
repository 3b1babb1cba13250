import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, realpath, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { logIsFull } from '@continuo/chassis';
import { Rejection, type CatalogId } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeMediaFile, makePicture } from '../../test/media-files.js';
import { ScanBench } from '../../test/scan-bench.js';

const run = promisify(execFile);
const DAY_MS = 24 * 3_600_000;
/** Only root may mount a small disk; elsewhere the specs that need one are reported as skipped. */
const mayMount = process.platform === 'linux' && process.getuid?.() === 0;

let bench: ScanBench;
let base: string;
let root: string;
let catalog: CatalogId;
let nextCatalog = 1;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'continuo-samples-')));
  await makePicture(join(base, 'cover.png'), 300, 300);
  const tags = { artist: 'One', album: 'First' };
  await makeMediaFile({ path: join(base, 'a.mp3'), tags: { ...tags, title: 'A' }, seconds: 1, cover: join(base, 'cover.png') });
  await makeMediaFile({ path: join(base, 'b.mp3'), tags: { ...tags, title: 'B' }, seconds: 3 });
  bench = await ScanBench.start();
});
afterAll(async () => {
  await bench.stop();
  await rm(base, { recursive: true, force: true });
});
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-catalog-')));
  catalog = await bench.library.addCatalog(nextCatalog++, root);
  bench.library.records.length = 0;
});
afterEach(async () => {
  bench.library.beforeRecord = () => undefined;
  await rm(root, { recursive: true, force: true });
});

const songs = () => bench.library.songs(catalog);

describe('a disk that is full', () => {
  it.skipIf(!mayMount)('keeps a scan waiting that has covers to keep, which ends when there is room; nothing is lost', async () => {
    const art = join(bench.data, 'art');
    await mkdir(art, { recursive: true });
    await run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', art]);
    try {
      await writeFile(join(art, 'ballast'), Buffer.alloc(64 * 1024)).catch(() => undefined);
      await copyFile(join(base, 'a.mp3'), join(root, 'a.mp3'));
      const { scanId } = await bench.startScan(catalog);
      // Each try takes the catalog anew.
      const tries = async (): Promise<number> => {
        const { rows } = await sql<{ fence: number }>`select fence from ingestion.scan_lease where catalog_id = ${catalog}`.execute(
          bench.db,
        );
        return rows[0]?.fence ?? 0;
      };
      await expect.poll(tries, { timeout: 30_000 }).toBeGreaterThan(1);
      expect(bench.library.records).toEqual([]);
      expect(await bench.scanRow(scanId)).toMatchObject({
        state: 'running',
        message: expect.stringMatching(/^it waits: the disk of (?:the server's own files|\S+) is full; it goes on by itself/) as string,
      });
      await run('mount', ['-o', 'remount,size=8m', art]);
      expect(await bench.ended(scanId)).toMatchObject({ state: 'finished', songs_added: 1, message: null });
      expect((await songs())[0]?.track.art).toBeDefined();
    } finally {
      await run('umount', ['-l', art]);
    }
  });
});

describe('a database or a log without room', () => {
  it.each([
    ['the disk of the database is full', new Rejection('storage.full', 'the disk of the database is full')],
    ['the event log cannot be written: no space left', logIsFull('insufficient resources')],
  ])('keeps a scan waiting, which says so from the first try on: %s', async (sentence, refusal) => {
    let tries = 0;
    let isFull = true;
    bench.library.beforeRecord = () => {
      tries += 1;
      if (isFull) throw refusal;
    };
    await copyFile(join(base, 'a.mp3'), join(root, 'a.mp3'));
    const { scanId } = await bench.startScan(catalog);
    const message = async (): Promise<string | null | undefined> => (await bench.scanRow(scanId))?.message;
    await expect.poll(message, { timeout: 30_000 }).toBe(`it waits: ${sentence}; it goes on by itself when there is room`);
    expect((await bench.scanRow(scanId))?.state).toBe('running');
    expect(await songs()).toEqual([]);
    isFull = false;
    expect(await bench.ended(scanId)).toMatchObject({ state: 'finished', songs_added: 1, message: null });
    expect(tries).toBeGreaterThan(1);
  });
});

describe('clocks that are wrong', () => {
  it('of files do not matter: times of the future and from before 1970 are recorded once', async () => {
    for (const [name, time] of [
      ['future.mp3', new Date(Date.UTC(2110, 0, 1))],
      ['past.mp3', new Date(Date.UTC(1950, 0, 1))],
    ] as const) {
      await copyFile(join(base, 'b.mp3'), join(root, name));
      await utimes(join(root, name), time, time);
    }
    expect(await bench.scan(catalog)).toMatchObject({ songs_added: 2 });
    const before = (await songs()).map(({ id }) => id);
    expect(await bench.scan(catalog)).toMatchObject({ songs_added: 0, songs_changed: 0, songs_removed: 0 });
    await rename(join(root, 'future.mp3'), join(root, 'moved.mp3'));
    expect(await bench.scan(catalog)).toMatchObject({ songs_moved: 1, songs_added: 0 });
    expect(new Set((await songs()).map(({ id }) => id))).toEqual(new Set(before));
  });

  it('of a worker do not let it take the scan of another', async () => {
    for (let at = 0; at < 40; at += 1) {
      await mkdir(join(root, `f${at}`));
      await copyFile(join(base, 'b.mp3'), join(root, `f${at}`, 'b.mp3'));
    }
    const ahead = await bench.replica({}, { now: () => Date.now() + DAY_MS });
    const behind = await bench.replica({}, { now: () => Date.now() - DAY_MS });
    try {
      const { scanId } = await bench.startScan(catalog);
      expect(await bench.ended(scanId)).toMatchObject({ state: 'finished', songs_added: 40, songs_changed: 0 });
      // The lease is given back after the end of the scan was recorded.
      const leases = () => sql<{ fence: number }>`select fence from ingestion.scan_lease where catalog_id = ${catalog}`.execute(bench.db);
      await expect.poll(async () => (await leases()).rows).toEqual([]);
      expect((await songs()).length).toBe(40);
    } finally {
      await Promise.all([ahead.stop(), behind.stop()]);
    }
  });
});

describe('files that change while they are read', () => {
  it('are recorded as they are in the end, and never fail a scan', async () => {
    const path = join(root, 'x.mp3');
    await copyFile(join(base, 'a.mp3'), path);
    const end = new AbortController();
    const writer = (async (): Promise<void> => {
      for (let at = 0; !end.signal.aborted; at += 1) {
        const next = join(root, 'next.part');
        await copyFile(join(base, at % 2 === 0 ? 'b.mp3' : 'a.mp3'), next);
        if (at % 3 === 0) await truncate(next, 2000 + ((at * 97) % 9000));
        // By turns in its place, and over its content.
        await (at % 2 === 0 ? rename(next, path) : copyFile(next, path));
        await nextTurn();
      }
    })();
    for (let at = 0; at < 12; at += 1) expect(await bench.scan(catalog)).toMatchObject({ state: 'finished' });
    end.abort();
    await writer;
    await rm(join(root, 'next.part'), { force: true });
    await copyFile(join(base, 'b.mp3'), path);
    await bench.scan(catalog);
    expect((await songs()).map(({ path: at, track }) => [at, track.title])).toEqual([['x.mp3', 'B']]);
    expect(await bench.scan(catalog)).toMatchObject({ songs_added: 0, songs_changed: 0, files_skipped: 0 });
  });
});
