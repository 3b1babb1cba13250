import { copyFile, mkdir, mkdtemp, realpath, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { maintainPath, type CatalogId } from '@continuo/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeMediaFile } from '../../test/media-files.js';
import { FakeVideos } from '../../test/fake-videos.js';
import { ScanBench } from '../../test/scan-bench.js';
import { makeVideo } from '../../test/video-files.js';

let bench: ScanBench;
let videos: FakeVideos;
let base: string;
let root: string;
let catalog: CatalogId;
let nextCatalog = 1;

const put = async (sample: string, path: string): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await copyFile(join(base, sample), join(root, path));
};
const paths = async (): Promise<string[]> => (await videos.all(catalog)).map(({ path }) => path);

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'continuo-samples-')));
  await makeVideo({ path: join(base, 'a.mp4'), tags: { title: 'A' } });
  await makeVideo({ path: join(base, 'b.mkv'), seconds: 2, captions: ['eng'] });
  await makeMediaFile({ path: join(base, 'song.mp3') });
  bench = await ScanBench.start();
  videos = await FakeVideos.over(bench.library);
});
afterAll(async () => {
  await bench.stop();
  await rm(base, { recursive: true, force: true });
});
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-catalog-')));
  catalog = await videos.addCatalog(nextCatalog++, root);
  videos.records.length = 0;
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('a scan of a catalog of videos', () => {
  it('records videos and nothing else, and nothing at all when it comes again', async () => {
    await put('a.mp4', 'Films/A.mp4');
    await put('b.mkv', 'Films/Old/B.MKV');
    await put('song.mp3', 'Films/song.mp3');
    await writeFile(join(root, 'Films/broken.avi'), 'no video at all');
    await writeFile(join(root, 'Films/empty.mp4'), '');
    const first = await bench.scan(catalog);
    expect(first).toMatchObject({ state: 'finished', songs_added: 2, files_seen: 4, files_skipped: 2 });
    expect((await videos.all(catalog)).map(({ path, video }) => [path, video.title])).toEqual([
      ['Films/A.mp4', 'A'],
      ['Films/Old/B.MKV', 'B'],
    ]);
    expect(await bench.library.skipped()).toEqual(['Films/broken.avi (not-media)', 'Films/empty.mp4 (empty)']);
    expect(bench.library.records).toEqual([]);
    const sent = videos.records.length;
    expect(await bench.scan(catalog)).toMatchObject({ state: 'finished', songs_added: 0, songs_changed: 0, files_skipped: 2 });
    expect(videos.records).toHaveLength(sent);
  });

  it('reads again what changed, and keeps the id of what moved', async () => {
    await put('a.mp4', 'x/a.mp4');
    await put('b.mkv', 'x/b.mkv');
    await bench.scan(catalog);
    const before = await videos.all(catalog);
    await utimes(join(root, 'x/a.mp4'), 1_000_000, 1_000_000);
    await mkdir(join(root, 'y'));
    await rename(join(root, 'x/b.mkv'), join(root, 'y/renamed.mkv'));
    expect(await bench.scan(catalog)).toMatchObject({ songs_added: 0, songs_changed: 1, songs_moved: 1, songs_removed: 0 });
    expect((await videos.all(catalog)).map(({ path, id }) => [path, id])).toEqual([
      ['x/a.mp4', before[0]?.id],
      ['y/renamed.mkv', before[1]?.id],
    ]);
  });

  it('removes what is gone, but never empties the catalog of an absent disk', async () => {
    await put('a.mp4', 'x/a.mp4');
    await put('b.mkv', 'y/b.mkv');
    await put('b.mkv', 'z.mkv');
    await bench.scan(catalog);
    await rm(join(root, 'z.mkv'));
    await rm(join(root, 'y'), { recursive: true });
    expect(await bench.scan(catalog, { mode: 'add' })).toMatchObject({ songs_removed: 0 });
    expect(await bench.scan(catalog, { mode: 'clean' })).toMatchObject({ state: 'finished', songs_removed: 2 });
    expect(await paths()).toEqual(['x/a.mp4']);
    await rm(join(root, 'x'), { recursive: true });
    const failed = await bench.scan(catalog);
    expect(failed).toMatchObject({ state: 'failed', songs_removed: 0 });
    expect(failed.message).toContain('the library knows 1 videos there');
    expect(await paths()).toEqual(['x/a.mp4']);
  });

  it('keeps to what its mode is for', async () => {
    await put('a.mp4', 'a.mp4');
    await bench.scan(catalog);
    await put('b.mkv', 'b.mkv');
    expect(await bench.scan(catalog, { mode: 'verify' })).toMatchObject({ songs_added: 0, songs_changed: 1 });
    expect(await bench.scan(catalog, { mode: 'clean' })).toMatchObject({ songs_added: 0, songs_removed: 0 });
    expect(await bench.scan(catalog, { mode: 'add' })).toMatchObject({ songs_added: 1 });
  });

  it('takes in, checks and deletes single files', async () => {
    await put('a.mp4', 'x/a.mp4');
    await put('song.mp3', 'x/song.mp3');
    const maintain = (path: string, task: 'add' | 'clean' | 'remove') =>
      bench.send(maintainPath, { catalogId: catalog, kind: 'file', path, tasks: [task] });
    expect(await maintain('x/a.mp4', 'add')).toMatchObject({ filesRead: 1, songsAdded: 1 });
    await expect(maintain('x/song.mp3', 'add')).rejects.toMatchObject({ code: 'media.failed' });
    await maintain('x/a.mp4', 'remove');
    expect(await paths()).toEqual([]);
  });
});
