import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startFaultyProxy } from '@continuo/chassis/testkit';
import { credentialSealer } from '@continuo/chassis';
import { maintainPath, readSongTags, rereadSongs, Rejection, type CatalogId, type ScanTable, type SongId } from '@continuo/contracts';
import { testS3, type TestS3 } from '@continuo/local-servers/s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sealedCredentials } from '@continuo/media-store';
import { makeMediaFile, makePicture } from '../../test/media-files.js';
import { ScanBench } from '../../test/scan-bench.js';

const run = promisify(execFile);
let s3: TestS3;
let bench: ScanBench;
let base: string;
let catalog: CatalogId;
let prefix: string;
let nextCatalog = 1;

const samples = { a: 'a.mp3', b: 'b.ogg', c: 'c.flac', d: 'd.m4a', cover: 'cover.png' } as const;
const put = async (sample: keyof typeof samples, path: string): Promise<void> =>
  s3.put(`${prefix}/${path}`, await readFile(join(base, samples[sample])));
const paths = async (): Promise<string[]> => (await bench.library.songs(catalog)).map((song) => song.path);
const connection = (name = s3.accessKeyId): string =>
  JSON.stringify({ sealedCredentials: sealedCredentials(credentialSealer('x'.repeat(32)), { name, secret: s3.secretAccessKey }) });

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'continuo-s3-samples-'));
  const tags = { artist: 'One', album: 'First' };
  await makePicture(join(base, 'cover.png'));
  await makeMediaFile({ path: join(base, 'a.mp3'), tags: { ...tags, title: 'A', track: '1' }, cover: join(base, 'cover.png') });
  await makeMediaFile({ path: join(base, 'b.ogg'), tags: { ...tags, title: 'B', track: '2' }, seconds: 2 });
  await makeMediaFile({ path: join(base, 'c.flac'), tags: { ...tags, title: 'C', track: '3' }, seconds: 3 });
  await makeMediaFile({ path: join(base, 'd.m4a'), tags: { ...tags, title: 'D', track: '4' }, seconds: 4 });
  [s3, bench] = await Promise.all([testS3(), ScanBench.start()]);
});
afterAll(async () => {
  await bench.stop();
  await s3.stop();
  await rm(base, { recursive: true, force: true });
});
beforeEach(async () => {
  const id = nextCatalog++;
  prefix = `catalog ${id}`;
  catalog = await bench.library.addCatalog(id, `s3+${s3.endpoint}/${s3.bucket}/catalog%20${id}`, connection());
  bench.library.records.length = 0;
});

const scan = (): Promise<ScanTable> => bench.scan(catalog);

describe('a scan of S3 storage', () => {
  it('reads tags, covers, lyrics and pictures, and nothing when it comes again', async () => {
    await put('a', 'One/First/01 A.mp3');
    await put('b', 'One/First/02 B.ogg');
    await put('c', 'One/First/CD2/03 C.flac');
    await put('d', 'top.m4a');
    await put('cover', 'One/First/folder.png');
    await s3.put(`${prefix}/One/First/02 B.lrc`, '[00:01.50]words');
    await s3.put(`${prefix}/hidden/.nomedia`, '');
    await put('a', 'hidden/(early) folder/x.mp3');
    await put('a', 'hidden/x.mp3');
    await put('a', '.trash/x.mp3');
    expect(await scan()).toMatchObject({ state: 'finished', songs_added: 4, files_seen: 4, files_skipped: 0 });
    expect(await paths()).toEqual(['One/First/01 A.mp3', 'One/First/02 B.ogg', 'One/First/CD2/03 C.flac', 'top.m4a']);
    const [a, b] = await bench.library.songs(catalog);
    expect(a?.track).toMatchObject({ title: 'A', track: 1, art: { mime: 'image/png' } });
    expect(b?.track).toMatchObject({ title: 'B', durationMs: 2000, lyrics: [{ lines: [{ startMs: 1500, text: 'words' }] }] });
    const disc = bench.library.records.find((record) => record.path === 'One/First/CD2');
    expect(disc?.sidecars).toMatchObject({ art: { mime: 'image/png' }, files: [{ fileName: '../folder.png' }] });
    bench.library.records.length = 0;
    expect(await scan()).toMatchObject({ state: 'finished', songs_added: 0, songs_changed: 0, files_seen: 4 });
    expect(bench.library.records).toEqual([]);
  });

  it('sees what was written anew, also within the same second and with the same size', async () => {
    await put('a', 'x.mp3');
    await put('b', 'y.ogg');
    await scan();
    bench.library.records.length = 0;
    const bytes = await readFile(join(base, samples.a));
    const other = Buffer.from(bytes.toString('latin1').replace('One', 'Two'), 'latin1');
    await s3.put(`${prefix}/x.mp3`, other);
    expect(await scan()).toMatchObject({ songs_added: 0, songs_changed: 1, songs_removed: 0 });
    expect(bench.library.records.flatMap((record) => record.tracks.map((track) => track.fileName))).toEqual(['x.mp3']);
  });

  it('knows a song again that was moved, and removes what is gone', async () => {
    await put('a', 'old/a.mp3');
    await put('b', 'old/b.ogg');
    await put('c', 'gone/c.flac');
    await scan();
    const before = await bench.library.songs(catalog);
    await s3.remove(`${prefix}/old/b.ogg`);
    await s3.remove(`${prefix}/gone/c.flac`);
    await put('b', 'new/renamed.ogg');
    expect(await scan()).toMatchObject({ songs_added: 0, songs_moved: 1, songs_removed: 1 });
    expect(await paths()).toEqual(['new/renamed.ogg', 'old/a.mp3']);
    const idOf = (songs: typeof before, title: string) => songs.find((song) => song.track.title === title)?.id;
    expect(idOf(await bench.library.songs(catalog), 'B')).toBe(idOf(before, 'B'));
  });

  it('takes in, verifies and forgets single files and folders, and deletes none', async () => {
    await put('a', 'One/a.mp3');
    await scan();
    await put('b', 'One/b.ogg');
    await put('c', 'Two/c.flac');
    const root = `s3+${s3.endpoint}/${s3.bucket}/catalog%20${catalog}`;
    const maintain = (kind: 'file' | 'folder', path: string, ...tasks: ('add' | 'clean' | 'verify' | 'remove')[]) =>
      bench.send(maintainPath, { catalogId: catalog, kind, path, tasks });
    expect(await maintain('file', 'One/b.ogg', 'add')).toMatchObject({ songsAdded: 1 });
    expect(await maintain('folder', `${root}/Two`, 'add')).toMatchObject({ songsAdded: 1 });
    expect(await paths()).toEqual(['One/a.mp3', 'One/b.ogg', 'Two/c.flac']);
    await s3.remove(`${prefix}/One/b.ogg`);
    expect(await maintain('file', 'One/b.ogg', 'clean')).toMatchObject({ songsRemoved: 1 });
    expect(await maintain('folder', 'One', 'verify')).toMatchObject({ filesRead: 1 });
    for (const path of ['../x.mp3', '.hidden/x.mp3', 'none.mp3', 'One/a.txt'])
      await expect(maintain('file', path, 'add')).rejects.toThrow(Rejection);
    await expect(maintain('file', 'One/a.mp3', 'remove')).rejects.toMatchObject({ code: 'feature.disabled' });
    const [song] = await bench.library.songs(catalog);
    expect(await bench.send(readSongTags, { songId: song?.id as SongId })).toMatchObject({ track: { title: 'A' } });
    expect(await bench.send(rereadSongs, { songIds: [song?.id as SongId] })).toMatchObject({ filesRead: 1 });
  });

  it('asks for little of each file, and for one page when nothing has changed', async () => {
    const proxy = await startFaultyProxy(s3.endpoint);
    const sizes: Record<string, number> = {};
    for (const suffix of ['mp3', 'flac', 'ogg', 'm4a']) {
      const path = join(base, `long.${suffix}`);
      const coded = suffix === 'm4a' ? ['-c:a', 'aac', '-b:a', '160k'] : [];
      await run('ffmpeg', [
        '-v',
        'error',
        '-y',
        '-f',
        'lavfi',
        '-i',
        'anoisesrc=duration=60:seed=1',
        '-metadata',
        `title=${suffix}`,
        ...coded,
        path,
      ]);
      const bytes = await readFile(path);
      sizes[suffix] = bytes.length;
      await s3.put(`${prefix}/long.${suffix}`, bytes);
    }
    catalog = await bench.library.addCatalog(nextCatalog++, `s3+${proxy.url}/${s3.bucket}/${prefix.replace(' ', '%20')}`, connection());
    expect(await scan()).toMatchObject({ songs_added: 4 });
    const gets = (suffix: string) => proxy.requests.filter(({ url }) => url.includes(`long.${suffix}`)).map(({ headers }) => headers.range);
    const asked = Object.keys(sizes).map((suffix) => [suffix, gets(suffix).length] as const);
    // The beginning, and the end where a format keeps something there.
    for (const [, count] of asked) expect(count).toBeLessThanOrEqual(2);
    const [total, read] = [Object.values(sizes).reduce((sum, size) => sum + size, 0), proxy.passedBytes()];
    expect(read).toBeLessThan(total / 3);
    proxy.reset();
    expect(await scan()).toMatchObject({ songs_added: 0, songs_changed: 0 });
    // A look at the start, the list, and a look at the end.
    expect(proxy.requests.map(({ url }) => url.includes('list-type=2'))).toEqual([true, true, true]);
    await proxy.close();
  });

  it('removes nothing when the storage is away, refuses, or shows nothing', async () => {
    await put('a', 'a.mp3');
    await scan();
    const setConnection = (text: string) => bench.library.setConnection(catalog, text);
    await setConnection(connection('somebody else'));
    expect(await scan()).toMatchObject({ state: 'failed', message: expect.stringContaining('the storage refuses') });
    await setConnection(connection());
    await s3.kill();
    expect(await scan()).toMatchObject({ state: 'failed', message: expect.stringContaining('nothing was removed') });
    await s3.restart();
    await s3.remove(`${prefix}/a.mp3`);
    expect(await scan()).toMatchObject({ state: 'failed', message: expect.stringContaining('nothing was removed') });
    expect(await paths()).toEqual(['a.mp3']);
  });
});
