import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { deleteSongFile, maintainPath, readSongTags, rereadSongs, type CatalogId, type PathTask, type SongId } from '@continuo/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeMediaFile, makePicture } from '../../test/media-files.js';
import { ScanBench } from '../../test/scan-bench.js';
import { CatalogMaintenance } from './catalog-maintenance.js';
import { deleteFile } from './file-deletion.js';

let bench: ScanBench;
let base: string;
let outer: string;
let root: string;
let catalog: CatalogId;
let nextCatalog = 1;

const samples = { a: 'a.mp3', b: 'b.ogg', c: 'c.flac' } as const;
const put = async (sample: keyof typeof samples, path: string): Promise<void> => {
  await mkdir(join(root, path, '..'), { recursive: true });
  await copyFile(join(base, samples[sample]), join(root, path));
};
const songs = async () => bench.library.songs(catalog);
const paths = async (): Promise<string[]> => (await songs()).map((song) => song.path);
const idOf = async (path: string): Promise<number | undefined> => (await songs()).find((song) => song.path === path)?.id;
const file = (path: string, ...tasks: PathTask[]) => bench.send(maintainPath, { catalogId: catalog, kind: 'file', path, tasks });
const folder = (path: string, ...tasks: PathTask[]) => bench.send(maintainPath, { catalogId: catalog, kind: 'folder', path, tasks });
const exists = (path: string): Promise<boolean> =>
  lstat(join(root, path)).then(
    () => true,
    () => false,
  );

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'continuo-samples-')));
  const tags = { artist: 'One', album: 'First', track: '1', genre: 'Folk' };
  await makePicture(join(base, 'cover.png'));
  await makeMediaFile({ path: join(base, 'a.mp3'), tags: { ...tags, title: 'A' }, seconds: 1, cover: join(base, 'cover.png') });
  await makeMediaFile({ path: join(base, 'b.ogg'), tags: { ...tags, title: 'B', track: '2' }, seconds: 2 });
  await makeMediaFile({ path: join(base, 'c.flac'), tags: { ...tags, title: 'C', track: '3' }, seconds: 3 });
  bench = await ScanBench.start();
});
afterAll(async () => {
  await bench.stop();
  await rm(base, { recursive: true, force: true });
});
beforeEach(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'continuo-catalog-')));
  root = join(outer, 'music');
  await mkdir(root);
  catalog = await bench.library.addCatalog(nextCatalog++, root);
  bench.library.records.length = 0;
});
afterEach(() => rm(outer, { recursive: true, force: true }));

/** Changes the tags of a file and leaves its size and time as they were: a scan for changes cannot see it. */
const retagUnseen = async (path: string, from: string, to: string): Promise<void> => {
  const { mtimeMs } = await stat(join(root, path));
  const bytes = await readFile(join(root, path), 'latin1');
  expect(bytes).toContain(from);
  await writeFile(join(root, path), bytes.replaceAll(from, to), 'latin1');
  const time = new Date(Math.trunc(mtimeMs));
  await utimes(join(root, path), time, time);
};

describe('a scan with a mode', () => {
  it('add: takes in what is new, and neither reads changes nor removes', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/b.ogg');
    await bench.scan(catalog);
    await put('c', 'y/c.flac');
    await put('c', 'x/a.mp3');
    await rm(join(root, 'x/b.ogg'));
    expect(await bench.scan(catalog, { mode: 'add' })).toMatchObject({ mode: 'add', songs_added: 1, songs_changed: 0, songs_removed: 0 });
    expect(await paths()).toEqual(['x/a.mp3', 'x/b.ogg', 'y/c.flac']);
    expect((await songs())[0]?.track.title).toBe('A');
    expect(await bench.scan(catalog)).toMatchObject({ mode: 'changes', songs_added: 0, songs_changed: 1, songs_removed: 1 });
  });

  it('add: leaves lyrics that changed for the scan that reads their song again', async () => {
    await put('a', 'x/a.mp3');
    await bench.scan(catalog);
    await writeFile(join(root, 'x/a.lrc'), '[00:01.00]words');
    await put('b', 'x/b.ogg');
    expect(await bench.scan(catalog, { mode: 'add' })).toMatchObject({ songs_added: 1 });
    expect(await bench.scan(catalog)).toMatchObject({ songs_changed: 1 });
    expect((await songs())[0]?.track.lyrics).toHaveLength(1);
  });

  it('clean: drops what is gone and nothing else; a file that lies elsewhere moves with its id', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/b.ogg');
    await put('c', 'gone/c.flac');
    await bench.scan(catalog);
    const id = await idOf('x/a.mp3');
    await mkdir(join(root, 'z'));
    await rename(join(root, 'x/a.mp3'), join(root, 'z/renamed.mp3'));
    await rm(join(root, 'gone'), { recursive: true });
    await put('c', 'z/new.flac');
    expect(await bench.scan(catalog, { mode: 'clean' })).toMatchObject({
      songs_added: 0,
      songs_changed: 0,
      songs_moved: 1,
      songs_removed: 1,
    });
    expect(await paths()).toEqual(['x/b.ogg', 'z/renamed.mp3']);
    expect(await idOf('z/renamed.mp3')).toBe(id);
  });

  it('verify: reads every known file whatever size and time say; ids stay, new files wait', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/b.ogg');
    await bench.scan(catalog);
    const before = (await songs()).map(({ id }) => id);
    await retagUnseen('x/b.ogg', 'First', 'Other');
    await put('c', 'x/c.flac');
    const albumOf = async (path: string) => (await songs()).find((song) => song.path === path)?.track.album.name;
    expect(await bench.scan(catalog, { mode: 'add' })).toMatchObject({ songs_changed: 0, songs_added: 1 });
    expect(await albumOf('x/b.ogg')).toBe('First');
    await put('c', 'x/d.flac');
    expect(await bench.scan(catalog, { mode: 'verify' })).toMatchObject({ songs_added: 0, songs_removed: 0 });
    expect(await albumOf('x/b.ogg')).toBe('Other');
    expect((await songs()).slice(0, 2).map(({ id }) => id)).toEqual(before);
    expect(await paths()).toEqual(['x/a.mp3', 'x/b.ogg', 'x/c.flac']);
  });

  it('verify: keeps a song whose unchanged file cannot be read now, and says so', async () => {
    await put('a', 'x/a.mp3');
    await bench.scan(catalog);
    const { mtimeMs, size } = await stat(join(root, 'x/a.mp3'));
    await writeFile(join(root, 'x/a.mp3'), Buffer.alloc(size));
    const time = new Date(Math.trunc(mtimeMs));
    await utimes(join(root, 'x/a.mp3'), time, time);
    expect(await bench.scan(catalog, { mode: 'verify' })).toMatchObject({ songs_removed: 0, files_skipped: 1 });
    expect(await paths()).toEqual(['x/a.mp3']);
  });

  it.each(['verify', 'art'] as const)('%s: fills pictures that the art store has lost', async (mode) => {
    await put('a', 'x/a.mp3');
    await copyFile(join(base, 'cover.png'), join(root, 'x/folder.png'));
    await bench.scan(catalog);
    const hash = bench.library.records.find((record) => record.sidecars)?.sidecars?.art?.hash ?? '';
    await rm(join(bench.data, 'art'), { recursive: true });
    await bench.scan(catalog, { mode });
    expect((await stat(join(bench.data, 'art', hash.slice(0, 2), hash))).size).toBeGreaterThan(0);
  });

  it('update: adds, removes and reads again in one walk', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/b.ogg');
    await bench.scan(catalog);
    await rm(join(root, 'x/b.ogg'));
    await put('c', 'x/c.flac');
    expect(await bench.scan(catalog, { mode: 'update' })).toMatchObject({ songs_added: 1, songs_changed: 1, songs_removed: 1 });
  });

  it('is refused while another kind is under way; whoever looks for changes is told of that one', async () => {
    await put('a', 'x/a.mp3');
    const { promise, resolve } = Promise.withResolvers<void>();
    bench.library.beforeRecord = () => promise;
    const { scanId } = await bench.startScan(catalog, 'add');
    await expect(bench.startScan(catalog, 'verify')).rejects.toMatchObject({ code: 'scan.running' });
    expect(await bench.startScan(catalog, 'add')).toEqual({ scanId, alreadyRunning: true });
    expect(await bench.startScan(catalog)).toEqual({ scanId, alreadyRunning: true });
    bench.library.beforeRecord = () => undefined;
    resolve();
    await bench.ended(scanId);
  });

  it('goes on in its mode after the service was stopped', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'y/b.ogg');
    await bench.scan(catalog);
    const { promise, resolve } = Promise.withResolvers<void>();
    bench.library.beforeRecord = () => promise;
    const { scanId } = await bench.startScan(catalog, 'verify');
    const restarted = bench.restart();
    await delay(500);
    bench.library.beforeRecord = () => undefined;
    resolve();
    await restarted;
    await put('c', 'z/c.flac');
    expect(await bench.ended(scanId)).toMatchObject({ mode: 'verify', state: 'finished', songs_added: 0 });
    expect(await paths()).toEqual(['x/a.mp3', 'y/b.ogg']);
  });

  it('never empties the library because a disk is away', async () => {
    await put('a', 'x/a.mp3');
    await bench.scan(catalog);
    await rename(root, join(outer, 'away'));
    expect(await bench.scan(catalog, { mode: 'clean' })).toMatchObject({ state: 'failed', songs_removed: 0 });
    await mkdir(root);
    expect(await bench.scan(catalog, { mode: 'clean' })).toMatchObject({ state: 'failed', songs_removed: 0 });
    expect(await paths()).toEqual(['x/a.mp3']);
  });
});

describe('one file', () => {
  it('is added once, verified and cleaned', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/b.ogg');
    expect(await file(join(root, 'x/a.mp3'), 'add')).toMatchObject({ filesRead: 1, songsAdded: 1 });
    expect(await paths()).toEqual(['x/a.mp3']);
    expect(await file(join(root, 'x/a.mp3'), 'add')).toMatchObject({ filesRead: 0, songsAdded: 0 });
    expect(await file('x/a.mp3', 'verify')).toMatchObject({ filesRead: 1, songsChanged: 1 });
    expect(await file(join(root, 'x/b.ogg'), 'verify')).toMatchObject({ filesRead: 0 });
    expect(await file(join(root, 'x/a.mp3'), 'clean')).toMatchObject({ songsRemoved: 0 });
    await rm(join(root, 'x/a.mp3'));
    await expect(file(join(root, 'x/a.mp3'), 'verify')).rejects.toMatchObject({ code: 'media.not-found' });
    expect(await file(join(root, 'x/a.mp3'), 'clean', 'add')).toMatchObject({ songsRemoved: 1, songsAdded: 0 });
    expect(await paths()).toEqual([]);
  });

  it('is cleaned although its folder is gone, and its neighbours wait', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/b.ogg');
    await put('c', 'y/c.flac');
    await bench.scan(catalog);
    await rm(join(root, 'x'), { recursive: true });
    expect(await file(join(root, 'x/a.mp3'), 'clean')).toMatchObject({ songsRemoved: 1 });
    expect(await paths()).toEqual(['x/b.ogg', 'y/c.flac']);
  });

  it('is removed from the disk and the library', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/b.ogg');
    await bench.scan(catalog);
    expect(await file(join(root, 'x/a.mp3'), 'remove')).toMatchObject({ songsRemoved: 1 });
    expect([await exists('x/a.mp3'), await exists('x/b.ogg')]).toEqual([false, true]);
    expect(await paths()).toEqual(['x/b.ogg']);
  });

  it('stays on the disk when the library does not know it', async () => {
    await put('a', 'x/a.mp3');
    expect(await file(join(root, 'x/a.mp3'), 'remove')).toMatchObject({ songsRemoved: 0 });
    expect(await exists('x/a.mp3')).toBe(true);
  });

  it('says why it cannot be used', async () => {
    await put('a', 'x/a.mp3');
    await writeFile(join(root, 'x/notes.pdf'), 'x');
    await writeFile(join(root, 'x/picture.mp3'), await readFile(join(base, 'cover.png')));
    await truncate(join(root, 'x/a.mp3'), 300);
    await expect(file(join(root, 'x/notes.pdf'), 'add')).rejects.toMatchObject({ code: 'media.failed' });
    await expect(file(join(root, 'x'), 'add')).rejects.toMatchObject({ code: 'input.invalid' });
    expect(await file(join(root, 'x/picture.mp3'), 'add')).toMatchObject({
      filesRead: 0,
      filesSkipped: 1,
      skipped: [{ reason: 'not-media' }],
    });
    expect(await file(join(root, 'x/a.mp3'), 'add')).toMatchObject({ filesRead: 0, filesSkipped: 1 });
  });

  it('is not blamed for what lies beside it', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/b.ogg');
    await truncate(join(root, 'x/b.ogg'), 0);
    await symlink('/etc/hostname', join(root, 'x/out.mp3'));
    expect(await file(join(root, 'x/a.mp3'), 'add')).toMatchObject({ songsAdded: 1, filesSkipped: 0, skipped: [] });
  });

  it('is the same for two who add it at once', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/b.ogg');
    await Promise.all([
      file(join(root, 'x/a.mp3'), 'add'),
      file(join(root, 'x/a.mp3'), 'add'),
      folder(join(root, 'x'), 'add'),
      bench.scan(catalog),
    ]);
    expect(await paths()).toEqual(['x/a.mp3', 'x/b.ogg']);
  });

  it('keeps names that look like anything else', async () => {
    const names = ['it\'s "50%" _ off.mp3', 'Ünïcode 語 😀.mp3', '-rf *.mp3', '__proto__.mp3', 'a;b|c&d.mp3', 'back\\slash.mp3'];
    for (const name of names) await put('a', `x/${name}`);
    for (const name of names) expect(await file(join(root, 'x', name), 'add')).toMatchObject({ songsAdded: 1 });
    for (const name of names) expect(await file(join(root, 'x', name), 'remove')).toMatchObject({ songsRemoved: 1 });
    expect(await paths()).toEqual([]);
  });
});

describe('a folder', () => {
  it('is added, verified and cleaned with everything below it and nothing beside it', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/deep/b.ogg');
    await put('c', 'x2/c.flac');
    expect(await folder(join(root, 'x'), 'add')).toMatchObject({ songsAdded: 2 });
    expect(await paths()).toEqual(['x/a.mp3', 'x/deep/b.ogg']);
    expect(await folder(`${join(root, 'x')}/`, 'verify')).toMatchObject({ filesRead: 2, songsChanged: 2 });
    await folder(join(root, 'x2'), 'add');
    await rm(join(root, 'x'), { recursive: true });
    await expect(folder(join(root, 'x'), 'add')).rejects.toMatchObject({ code: 'media.not-found' });
    expect(await folder(join(root, 'x'), 'clean')).toMatchObject({ songsRemoved: 2 });
    expect(await paths()).toEqual(['x2/c.flac']);
  });

  it('that holds one disc takes the picture of the folder above', async () => {
    await put('a', 'x/CD1/a.mp3');
    await copyFile(join(base, 'cover.png'), join(root, 'x/cover.png'));
    await folder(join(root, 'x/CD1'), 'add');
    expect(bench.library.records.find((record) => record.path === 'x/CD1')?.sidecars?.art).toBeTruthy();
  });

  it('is removed song by song; other files stay', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/deep/b.ogg');
    await writeFile(join(root, 'x/notes.txt'), 'mine');
    await put('c', 'y/c.flac');
    await bench.scan(catalog);
    expect(await folder(join(root, 'x'), 'remove')).toMatchObject({ songsRemoved: 2 });
    expect([await exists('x/a.mp3'), await exists('x/deep/b.ogg'), await exists('x/notes.txt'), await exists('y/c.flac')]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(await paths()).toEqual(['y/c.flac']);
  });

  it('that a marker keeps out is not taken in', async () => {
    await put('a', 'off/deep/a.mp3');
    await writeFile(join(root, 'off/.nomedia'), '');
    await expect(folder(join(root, 'off/deep'), 'add')).rejects.toMatchObject({ code: 'catalog.path-outside' });
    expect(await paths()).toEqual([]);
  });

  it('is the whole catalog when it is the root', async () => {
    await put('a', 'x/a.mp3');
    expect(await folder(root, 'add')).toMatchObject({ songsAdded: 1 });
  });
});

describe('a path', () => {
  it('must really lie in the catalog', async () => {
    await put('a', 'x/a.mp3');
    const neighbour = `${root}2`;
    await mkdir(neighbour);
    await copyFile(join(base, 'a.mp3'), join(neighbour, 'a.mp3'));
    await symlink(neighbour, join(root, 'out'));
    await symlink(join(neighbour, 'a.mp3'), join(root, 'x/out.mp3'));
    await symlink('loop', join(root, 'loop'));
    const hostile = [
      join(neighbour, 'a.mp3'),
      `${root}/../music2/a.mp3`,
      '../music2/a.mp3',
      'x/../../music2/a.mp3',
      join(root, 'out/a.mp3'),
      join(root, 'x/out.mp3'),
      join(root, 'loop/a.mp3'),
      join(root, '.hidden/a.mp3'),
      '/etc/passwd',
      '/',
      `${root}/x/a\0.mp3`,
      root,
    ];
    for (const path of hostile) {
      for (const task of ['add', 'clean', 'remove'] as const) {
        await expect(file(path, task)).rejects.toMatchObject({ code: 'catalog.path-outside' });
      }
    }
    for (const path of [neighbour, '..', '/', join(root, 'out'), join(root, 'out/deep')]) {
      await expect(folder(path, 'clean', 'remove')).rejects.toMatchObject({ code: 'catalog.path-outside' });
    }
    expect(await readFile(join(neighbour, 'a.mp3'))).toEqual(await readFile(join(base, 'a.mp3')));
    expect(await paths()).toEqual([]);
  });

  it('through a link inside the catalog means the place that the walk knows', async () => {
    await put('a', 'real/a.mp3');
    await symlink('real', join(root, 'twin'));
    expect(await file(join(root, 'twin/a.mp3'), 'add')).toMatchObject({ songsAdded: 1 });
    expect(await paths()).toEqual(['real/a.mp3']);
    await put('b', '.store/b.ogg');
    await symlink('.store', join(root, 'shown'));
    expect(await folder(join(root, 'shown'), 'add')).toMatchObject({ songsAdded: 1 });
    expect(await paths()).toEqual(['real/a.mp3', 'shown/b.ogg']);
    bench.library.records.length = 0;
    await bench.scan(catalog);
    expect(bench.library.records.flatMap(({ tracks, goneFiles }) => [...tracks, ...goneFiles])).toEqual([]);
  });

  it('under the name of a link that leads to the catalog is one of it', async () => {
    await put('a', 'x/a.mp3');
    await symlink(root, join(outer, 'alias'));
    expect(await file(join(outer, 'alias/x/a.mp3'), 'add')).toMatchObject({ songsAdded: 1 });
    expect(await paths()).toEqual(['x/a.mp3']);
  });

  it('of a catalog that is not there is refused', async () => {
    await expect(bench.send(maintainPath, { catalogId: 999, kind: 'file', path: '/x', tasks: ['add'] })).rejects.toMatchObject({
      code: 'catalog.not-found',
    });
    await rm(root, { recursive: true });
    await expect(file('x/a.mp3', 'clean')).rejects.toMatchObject({ code: 'catalog.path-unusable' });
  });
});

describe('songs', () => {
  it('are read again, a few of many', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/b.ogg');
    await put('c', 'y/c.flac');
    await bench.scan(catalog);
    const ids = [await idOf('x/b.ogg'), await idOf('y/c.flac'), 999_999] as SongId[];
    await retagUnseen('x/b.ogg', 'First', 'Other');
    bench.library.records.length = 0;
    const outcome = await bench.send(rereadSongs, { songIds: ids });
    expect(outcome).toMatchObject({ filesRead: 2, songsChanged: 2, songsRemoved: 0 });
    expect(bench.library.records.flatMap((record) => record.tracks.map((track) => track.fileName)).toSorted()).toEqual(['b.ogg', 'c.flac']);
    await rm(join(root, 'y'), { recursive: true });
    expect(await bench.send(rereadSongs, { songIds: ids })).toMatchObject({ filesRead: 1, songsRemoved: 0 });
    expect(await paths()).toContain('y/c.flac');
  });

  it('tell the tags of their file as they are now', async () => {
    await put('c', 'x/c.flac');
    await bench.scan(catalog);
    const songId = (await idOf('x/c.flac')) as SongId;
    expect(await bench.send(readSongTags, { songId })).toMatchObject({
      file: join(root, 'x/c.flac'),
      track: { title: 'C', format: 'flac', durationMs: 3000, genres: ['Folk'] },
    });
    await expect(bench.send(readSongTags, { songId: 999_999 })).rejects.toMatchObject({ code: 'song.not-found' });
    await writeFile(join(root, 'x/c.flac'), 'no sound');
    await expect(bench.send(readSongTags, { songId })).rejects.toMatchObject({ code: 'media.failed' });
    await rm(join(root, 'x/c.flac'));
    await expect(bench.send(readSongTags, { songId })).rejects.toMatchObject({ code: 'media.not-found' });
    await copyFile(join(base, 'a.mp3'), join(outer, 'secret.mp3'));
    await symlink(join(outer, 'secret.mp3'), join(root, 'x/c.flac'));
    await expect(bench.send(readSongTags, { songId })).rejects.toMatchObject({ code: 'media.not-found' });
  });

  it('are deleted with their file; a missing file is fine', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/b.ogg');
    await put('c', 'x/c.flac');
    await bench.scan(catalog);
    const [a, b] = [await idOf('x/a.mp3'), await idOf('x/b.ogg')] as SongId[];
    await rm(join(root, 'x/b.ogg'));
    await bench.send(deleteSongFile, { songId: a as SongId });
    await bench.send(deleteSongFile, { songId: b as SongId });
    expect(await paths()).toEqual(['x/c.flac']);
    expect(await exists('x/a.mp3')).toBe(false);
    await expect(bench.send(deleteSongFile, { songId: a as SongId })).rejects.toMatchObject({ code: 'song.not-found' });
  });

  it('stay when their file cannot be deleted, or the disk is away', async () => {
    await put('a', 'x/a.mp3');
    await bench.scan(catalog);
    const songId = (await idOf('x/a.mp3')) as SongId;
    await rm(join(root, 'x/a.mp3'));
    // The spec may run as root, whom no mode stops: a folder in the file's place cannot be unlinked.
    await mkdir(join(root, 'x/a.mp3'));
    await chmod(join(root, 'x'), 0o555);
    await expect(bench.send(deleteSongFile, { songId })).rejects.toMatchObject({ code: 'media.failed' });
    await chmod(join(root, 'x'), 0o755);
    await rm(join(root, 'x'), { recursive: true });
    await expect(bench.send(deleteSongFile, { songId })).rejects.toMatchObject({ code: 'catalog.path-unusable' });
    expect(await paths()).toEqual(['x/a.mp3']);
  });

  it('never take a file outside the catalog with them', async () => {
    await put('a', 'x/a.mp3');
    await bench.scan(catalog);
    const songId = (await idOf('x/a.mp3')) as SongId;
    await mkdir(join(outer, 'elsewhere'));
    await rename(join(root, 'x/a.mp3'), join(outer, 'elsewhere/a.mp3'));
    await rm(join(root, 'x'), { recursive: true });
    await symlink(join(outer, 'elsewhere'), join(root, 'x'));
    await expect(bench.send(deleteSongFile, { songId })).rejects.toMatchObject({ code: 'catalog.path-outside' });
    expect((await stat(join(outer, 'elsewhere/a.mp3'))).size).toBeGreaterThan(0);
    for (const fileName of ['..', '.', '', '../music2/a.mp3', 'deep/a.mp3'])
      await expect(deleteFile(root, { folderPath: '', fileName })).rejects.toMatchObject({ code: 'catalog.path-outside' });
  });

  it('of a link lose the link alone', async () => {
    await put('a', 'x/a.mp3');
    await symlink('a.mp3', join(root, 'x/link.mp3'));
    await bench.scan(catalog);
    await bench.send(deleteSongFile, { songId: (await idOf('x/link.mp3')) as SongId });
    expect(await paths()).toEqual(['x/a.mp3']);
    expect([await exists('x/a.mp3'), await exists('x/link.mp3')]).toEqual([true, false]);
  });

  it('and files are not deleted where deletion is off', async () => {
    const off = new CatalogMaintenance({ deletesFromDisk: false } as ConstructorParameters<typeof CatalogMaintenance>[0]);
    const message = { id: 'x', at: 0, actor: 'user:1', correlationId: 'x', causationId: 'x', data: {} };
    const refusal = { code: 'feature.disabled', subject: 'delete_from_disk' };
    await expect(off.deleteSong(1 as SongId, message)).rejects.toMatchObject(refusal);
    await expect(
      off.maintain({ catalogId: catalog, kind: 'folder', path: root, tasks: ['clean', 'remove'] }, message),
    ).rejects.toMatchObject(refusal);
  });
});
