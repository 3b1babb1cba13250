import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileByPattern, takeInUpload, UPLOAD_FOLDER, type CatalogId } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeMediaFile } from '../../test/media-files.js';
import { ScanBench } from '../../test/scan-bench.js';
import { giveName } from './placing.js';

const run = promisify(execFile);
/** Only root may mount something; elsewhere the specs that need it are reported as skipped. */
const mayMount = process.platform === 'linux' && process.getuid?.() === 0;

let bench: ScanBench;
let base: string;
let outer: string;
let root: string;
let catalog: CatalogId;
let nextCatalog = 1;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'continuo-samples-')));
  const tags = { artist: 'One', album: 'First', track: '3', title: 'Song' };
  await makeMediaFile({ path: join(base, 'a.mp3'), tags, seconds: 1 });
  await makeMediaFile({ path: join(base, 'b.flac'), tags: { ...tags, title: '../../Up' }, seconds: 1, toneHz: 600 });
  await makeMediaFile({ path: join(base, 'bare.ogg'), seconds: 1, toneHz: 700 });
  bench = await ScanBench.start();
});
afterAll(async () => {
  await bench.stop();
  await rm(base, { recursive: true, force: true });
});
beforeEach(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'continuo-catalog-')));
  root = join(outer, 'music');
  await mkdir(join(root, UPLOAD_FOLDER), { recursive: true });
  catalog = await bench.library.addCatalog(nextCatalog++, root);
});
afterEach(() => rm(outer, { recursive: true, force: true }));

const staging = (name = ''): string => join(root, UPLOAD_FOLDER, name);
const stage = async (sample: string): Promise<string> => {
  const name = randomUUID();
  await copyFile(join(base, sample), staging(name));
  return name;
};
const patterns = (rename: string | null, sort: string | null) =>
  sql`update library.catalog set rename_pattern = ${rename}, sort_pattern = ${sort} where id = ${catalog}`.execute(bench.library.db);
const songs = async (): Promise<string[]> => (await bench.library.songs(catalog)).map(({ path }) => path);
const take = (staged: string, fileName: string, more: { subfolder?: string; tags?: object } = {}) =>
  bench.send(takeInUpload, { catalogId: catalog, staged, fileName, ...more });
const refusal = async (staged: string, fileName: string, more = {}): Promise<string> =>
  take(staged, fileName, more).then(
    ({ path }) => `taken in as ${path}`,
    (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
  );

describe('an upload', () => {
  it('gets its place by the patterns of its catalog, below the folder of its owner, and is a song', async () => {
    await patterns('%T - %t', '%a/%A');
    const taken = await take(await stage('a.mp3'), 'whatever.mp3', { subfolder: 'ada' });
    expect(taken.path).toBe('ada/One/First/03 - Song.mp3');
    expect(await bench.library.songs(catalog)).toMatchObject([{ path: taken.path, id: taken.songId }]);
    expect(await readdir(staging())).toEqual([]);
  });
  it('keeps its name where the catalog has no patterns', async () => {
    expect(await take(await stage('a.mp3'), 'My song.mp3')).toMatchObject({ path: 'My song.mp3' });
  });
  it('never gets a name that leads anywhere', async () => {
    expect((await take(await stage('a.mp3'), '../../../etc/evil.mp3')).path).toBe('evil.mp3');
    await patterns('%t', '%a');
    expect((await take(await stage('b.flac'), '..\\x.flac', { subfolder: '..' })).path).toMatch(/^_+\/One\/_[^/]*Up\.flac$/);
    expect(await readdir(outer)).toEqual(['music']);
  });
  it('takes the words of its owner into its tags', async () => {
    const tags = { artist: 'Mira Vale', albumArtist: 'Mira Vale', album: 'Harbour', license: 'https://a.example/by' };
    await take(await stage('bare.ogg'), 'x.ogg', { tags });
    const [song] = await bench.library.songs(catalog);
    expect(song?.track).toMatchObject({ artists: [{ name: 'Mira Vale' }], album: { name: 'Harbour' }, license: 'https://a.example/by' });
  });
});

describe('what is not taken in', () => {
  it('is deleted, and says why', async () => {
    await writeFile(staging('11111111-1111-4111-8111-111111111111'), 'this is no music at all');
    expect(await refusal('11111111-1111-4111-8111-111111111111', 'text.mp3')).toMatch(/^upload.refused: the content is no sound/);
    expect(await refusal(await stage('a.mp3'), 'song.exe')).toMatch(/^upload.refused: the name has no suffix/);
    expect(await refusal(await stage('a.mp3'), '.mp3')).toMatch(/^upload.refused: the name has no suffix/);
    await writeFile(staging('22222222-2222-4222-8222-222222222222'), '');
    expect(await refusal('22222222-2222-4222-8222-222222222222', 'none.mp3')).toBe('upload.refused: the file has no content');
    expect(await readdir(staging())).toEqual([]);
    expect(await readdir(root)).toEqual([UPLOAD_FOLDER]);
  });
  it('is what the catalog has already, under whatever name', async () => {
    await take(await stage('a.mp3'), 'first.mp3');
    expect(await refusal(await stage('a.mp3'), 'second.mp3')).toBe('upload.refused: the catalog has this very file already');
    expect(await songs()).toEqual(['first.mp3']);
  });
  it('is a file whose name another file has, which stays as it is', async () => {
    await take(await stage('a.mp3'), 'x.flac'.replace('flac', 'mp3'));
    await copyFile(join(base, 'b.flac'), join(root, 'taken.flac'));
    const other = await stage('bare.ogg');
    expect(await refusal(other, 'taken.flac')).toMatch(/^upload.refused: there is another file/);
    expect(await readFile(join(root, 'taken.flac'))).toEqual(await readFile(join(base, 'b.flac')));
  });
  it('is a file whose folder would be a link out of the catalog, or one that scans do not look at', async () => {
    await patterns('%t', '%a');
    await symlink(outer, join(root, 'One'));
    expect(await refusal(await stage('a.mp3'), 'x.mp3')).toMatch(/^upload.refused: its folder/);
    expect(await readdir(outer)).toEqual(['music']);
    await rm(join(root, 'One'));
    await mkdir(join(root, 'One'));
    await writeFile(join(root, 'One', '.nomedia'), '');
    expect(await refusal(await stage('a.mp3'), 'x.mp3')).toMatch(/^upload.refused:/);
    expect(await readdir(join(root, 'One'))).toEqual(['.nomedia']);
  });
  it('is what does not wait, and what is no catalog', async () => {
    expect(await refusal(randomUUID(), 'x.mp3')).toMatch(/^media.not-found/);
    await expect(bench.send(takeInUpload, { catalogId: 999, staged: randomUUID(), fileName: 'x.mp3' })).rejects.toMatchObject({
      code: 'catalog.not-found',
    });
  });
});

describe('after an interruption', () => {
  it('an upload that has its name, but is no song yet, goes on', async () => {
    const staged = await stage('a.mp3');
    await giveName(staging(staged), root, 'x.mp3');
    expect(await take(staged, 'x.mp3')).toMatchObject({ path: 'x.mp3' });
    expect(await songs()).toEqual(['x.mp3']);
  });
  it('an upload that is a song, but waits still, is that song', async () => {
    const staged = await stage('a.mp3');
    const { songId } = await take(staged, 'x.mp3');
    await link(join(root, 'x.mp3'), staging(staged));
    expect(await take(staged, 'x.mp3')).toEqual({ songId, path: 'x.mp3' });
    expect(await songs()).toEqual(['x.mp3']);
  });
  it('what nobody came for is swept up after a day', async () => {
    const old = await stage('b.flac');
    // The time of a name cannot be set back; a day later is what is asked instead.
    const { sweepLeftOvers } = await import('./placing.js');
    await utimes(staging(old), new Date(), new Date());
    expect(await sweepLeftOvers(root, Date.now())).toBe(0);
    expect(await sweepLeftOvers(root, Date.now() + 25 * 3_600_000)).toBe(1);
    await expect(stat(staging(old))).rejects.toThrow(/ENOENT/);
  });
});

describe('files that are there already', () => {
  const put = async (sample: string, path: string): Promise<void> => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await copyFile(join(base, sample), join(root, path));
  };
  const file = (apply: boolean) => bench.send(fileByPattern, { catalogId: catalog, apply });
  const idOf = async (path: string) => (await bench.library.songs(catalog)).find((song) => song.path === path)?.id;

  it('get their places by the patterns, with their words, and keep their ids', async () => {
    await put('a.mp3', 'mess/deep/x.mp3');
    await writeFile(join(root, 'mess/deep/x.lrc'), '[00:01.00]words');
    await put('bare.ogg', 'keeps.ogg');
    await bench.scan(catalog);
    const id = await idOf('mess/deep/x.mp3');
    await patterns('%T - %t', '%a/%A');
    expect((await file(false)).moves).toContainEqual({ songId: id, from: 'mess/deep/x.mp3', to: 'One/First/03 - Song.mp3' });
    expect(await readdir(join(root, 'mess/deep'))).toHaveLength(2);
    const { moves, nextSongId } = await file(true);
    expect([moves.length, nextSongId]).toEqual([2, null]);
    expect(await idOf('One/First/03 - Song.mp3')).toBe(id);
    expect((await bench.library.songs(catalog)).find((song) => song.id === id)?.track.lyrics).toHaveLength(1);
    expect(await readdir(join(root, 'One/First'))).toEqual(['03 - Song.lrc', '03 - Song.mp3']);
    await expect(stat(join(root, 'mess'))).rejects.toThrow(/ENOENT/);
    expect((await file(true)).moves).toEqual([]);
    expect(await bench.scan(catalog)).toMatchObject({ songs_added: 0, songs_changed: 0, songs_moved: 0, songs_removed: 0 });
  });
  it('never take the place of another', async () => {
    await put('a.mp3', 'x.mp3');
    await put('b.flac', 'One/First/Song.mp3');
    await bench.scan(catalog);
    await patterns('Song', '%a/%A');
    const { moves } = await file(true);
    expect(moves.find(({ from }) => from === 'x.mp3')?.refused).toContain('another file');
    expect(await readFile(join(root, 'One/First/Song.mp3'))).toEqual(await readFile(join(base, 'b.flac')));
    expect(await songs()).toEqual(['One/First/Song.mp3', 'x.mp3']);
  });
  it.skipIf(!mayMount)('say which words could not go with them, which are where they were', async () => {
    await put('a.mp3', 'x.mp3');
    await writeFile(join(root, 'x.lrc'), '[00:01.00]words');
    await bench.scan(catalog);
    await patterns('%T - %t', '%a/%A');
    // A file that something is mounted on can be copied, and not deleted.
    await run('mount', ['--bind', join(root, 'x.lrc'), join(root, 'x.lrc')]);
    try {
      const { moves } = await file(true);
      expect(moves).toMatchObject([{ to: 'One/First/03 - Song.mp3', leftBehind: [{ fileName: 'x.lrc' }] }]);
      expect(moves[0]?.leftBehind?.[0]?.why).toMatch(/cannot be moved \(EBUSY\)/);
      expect(moves[0]?.refused).toBeUndefined();
    } finally {
      await run('umount', [join(root, 'x.lrc')]);
    }
    expect(await readFile(join(root, 'x.lrc'), 'utf8')).toBe('[00:01.00]words');
    expect(await readdir(join(root, 'One/First'))).toEqual(['03 - Song.mp3']);
    expect(await songs()).toEqual(['One/First/03 - Song.mp3']);
  });
  it.skipIf(!mayMount)('that cannot leave their place are not in two places', async () => {
    await put('a.mp3', 'x.mp3');
    await bench.scan(catalog);
    await patterns('%T - %t', '%a/%A');
    await run('mount', ['--bind', join(root, 'x.mp3'), join(root, 'x.mp3')]);
    try {
      expect((await file(true)).moves[0]?.refused).toMatch(/cannot be moved \(EBUSY\)/);
    } finally {
      await run('umount', [join(root, 'x.mp3')]);
    }
    expect(await bench.scan(catalog)).toMatchObject({ songs_added: 0, songs_moved: 0, songs_removed: 0 });
    expect(await songs()).toEqual(['x.mp3']);
  });
  it('whose words have their place taken leave them, and say so', async () => {
    await put('a.mp3', 'x.mp3');
    await writeFile(join(root, 'x.lrc'), '[00:01.00]words');
    await mkdir(join(root, 'One/First'), { recursive: true });
    await writeFile(join(root, 'One/First/03 - Song.lrc'), '[00:01.00]others');
    await bench.scan(catalog);
    await patterns('%T - %t', '%a/%A');
    const { moves } = await file(true);
    expect(moves[0]?.leftBehind).toEqual([{ fileName: 'x.lrc', why: 'there is another file called 03 - Song.lrc already' }]);
    expect(await readFile(join(root, 'One/First/03 - Song.lrc'), 'utf8')).toBe('[00:01.00]others');
    expect(await readFile(join(root, 'x.lrc'), 'utf8')).toBe('[00:01.00]words');
  });
  it('stay where they are without patterns', async () => {
    await expect(file(true)).rejects.toMatchObject({ code: 'input.invalid' });
  });
});
