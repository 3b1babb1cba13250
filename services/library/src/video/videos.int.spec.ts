import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addCatalog, recordVideos, removeCatalog, type CatalogId, type FolderId, type VideoId } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { RunningLibrary, until } from '../../test/running-library.js';
import { track } from '../../test/tracks.js';
import { video } from '../../test/videos.js';

let library: RunningLibrary;
let root: string;
let films: CatalogId;

beforeAll(async () => {
  library = await RunningLibrary.start();
  root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-films-')));
  films = (await library.send(addCatalog, { name: 'films', path: root, gatherTypes: 'video' })).result.catalogId;
});

afterAll(async () => {
  await library.stop();
  await rm(root, { recursive: true, force: true });
});

const record = (path: string, parts: Partial<z.input<typeof recordVideos.schema>>) =>
  library.send(recordVideos, { catalogId: films, path, videos: [], ...parts });
const videos = () =>
  library.rows(sql<{ id: VideoId; path: string; folder_id: FolderId }>`select id, path, folder_id from library.video order by path`);
const paths = async () => (await videos()).map(({ path }) => path);

describe('videos', () => {
  it('are recorded with their folders, and once only', async () => {
    const parts = { videos: [video('one.mp4', { genres: ['Noir', 'Short'], title: 'The One' }), video('two.mp4')] };
    expect((await record('Old/Films', parts)).result).toEqual({ videosAdded: 2, videosChanged: 0, videosMoved: 0, videosRemoved: 0 });
    const end = await library.logEnd();
    await record('Old/Films', parts);
    expect(await library.logEnd()).toBe(end);
    expect(await paths()).toEqual(['Old/Films/one.mp4', 'Old/Films/two.mp4']);
    expect(await library.rows(sql`select title_sort, doc::json -> 'genres' as genres from library.video where title = 'The One'`)).toEqual([
      { title_sort: 'one', genres: [expect.objectContaining({ name: 'Noir' }), expect.objectContaining({ name: 'Short' })] },
    ]);
    const folders = sql`select f.path, v.video_count, v.duration_ms from library.folder f join library.video_folder v on v.id = f.id order by 1`;
    expect(await library.rows(folders)).toEqual(['', 'Old', 'Old/Films'].map((path) => ({ path, video_count: 2, duration_ms: 120_000 })));
  });

  it('keep their ids when they change or move', async () => {
    const [one, two] = await videos();
    await record('Old/Films', { videos: [video('one.mp4', { title: 'Other' })] });
    const from = { videoId: two?.id as VideoId, fromFolderId: two?.folder_id as FolderId, fromFileName: 'two.mp4' };
    const moved = await record('New', { videos: [video('second.mp4')], moves: [{ fileName: 'second.mp4', ...from }] });
    expect(moved.result.videosMoved).toBe(1);
    expect((await videos()).map(({ id, path }) => [id, path])).toEqual([
      [two?.id, 'New/second.mp4'],
      [one?.id, 'Old/Films/one.mp4'],
    ]);
  });

  it('give way to the reason why a file cannot be read, and come back', async () => {
    const damaged = { fileName: 'bad.mkv', sizeBytes: 3, mtimeMs: 5, reason: 'damaged', message: 'no header' } as const;
    await record('New', { skipped: [damaged] });
    const skipped = sql`select name, skip_reason from library.file where kind = 'skipped'`;
    expect(await library.rows(skipped)).toEqual([{ name: 'bad.mkv', skip_reason: 'damaged' }]);
    await record('New', { videos: [video('bad.mkv')] });
    expect(await library.rows(skipped)).toEqual([]);
    await record('New', { skipped: [damaged] });
    expect(await paths()).toEqual(['New/second.mp4', 'Old/Films/one.mp4']);
    await record('New', { goneFiles: ['bad.mkv'] });
    expect(await library.rows(skipped)).toEqual([]);
  });

  it('are remembered when they go, with or without their folder', async () => {
    await record('Old/Films', { goneFiles: ['one.mp4'] });
    await record('New', { vanished: true });
    expect(await paths()).toEqual([]);
    expect(await library.rows(sql`select replace(file, ${root}, '') as file from library.deleted_video order by 1`)).toEqual(
      ['/New/bad.mkv', '/New/second.mp4', '/Old/Films/one.mp4'].map((file) => ({ file })),
    );
    expect(await library.rows(sql`select present from library.folder where path = 'New'`)).toEqual([{ present: false }]);
  });

  it('get ids and genres that were never given, also after a loss of Postgres', async () => {
    await record('Later', { videos: [video('three.mp4', { genres: ['Short', 'Horror'] })] });
    const before = await videos();
    const tags = () => library.rows<{ id: number; name: string }>(sql`select id, name from library.video_tag order by id`);
    const named = await tags();
    expect(await library.verifyRebuild('library-videos')).toEqual([]);
    await library.losePostgres();
    await until(async () => (await paths()).length === 1);
    await record('Later', { videos: [video('four.mp4', { genres: ['horror', 'Fresh'] })] });
    await library.record('Songs', { tracks: [track('1.mp3', { genres: ['Newest'] })] });
    const [four, three] = await videos();
    expect(three?.id).toBe(before[0]?.id);
    expect(four?.id).toBeGreaterThan(three?.id as number);
    const after = await tags();
    expect(after.filter(({ name }) => name !== 'Fresh')).toEqual(named);
    const newest = await library.rows<{ id: number }>(sql`select id from library.genre where name = 'Newest'`);
    expect(after.map(({ id }) => id)).not.toContain(newest[0]?.id);
  });

  it('go with their catalog', async () => {
    await library.send(removeCatalog, { catalogId: films });
    expect(await paths()).toEqual([]);
    expect(await library.rows(sql`select count(*)::int as n from library.deleted_video`)).toEqual([{ n: 5 }]);
    expect(await library.verifyRebuild('library-videos')).toEqual([]);
    expect(await library.verifyRebuild()).toEqual([]);
  });
});
