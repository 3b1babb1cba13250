import {
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { rebuildSubject, type RebuildReport } from '@continuo/chassis';
import { scanCatalog, type CatalogId } from '@continuo/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { id3Cover, id3Tag, id3Text } from '../../test/id3-tag.js';
import { makeMediaFile, makePicture } from '../../test/media-files.js';
import { ScanBench } from '../../test/scan-bench.js';

let bench: ScanBench;
let base: string;
let root: string;
let catalog: CatalogId;
let nextCatalog = 1;

/** Three songs of different length, made once and copied wherever a spec needs a file. */
const samples = { a: 'a.mp3', b: 'b.ogg', c: 'c.flac' } as const;
const put = async (sample: keyof typeof samples, path: string): Promise<void> => {
  await mkdir(join(root, path, '..'), { recursive: true });
  await copyFile(join(base, samples[sample]), join(root, path));
};
const paths = async (): Promise<string[]> => (await bench.library.songs(catalog)).map((song) => song.path);

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'continuo-samples-')));
  const tags = { artist: 'One', album: 'First', track: '1' };
  await makeMediaFile({ path: join(base, 'a.mp3'), tags: { ...tags, title: 'A' }, seconds: 1 });
  await makeMediaFile({ path: join(base, 'b.ogg'), tags: { ...tags, title: 'B', track: '2' }, seconds: 2 });
  await makeMediaFile({ path: join(base, 'c.flac'), tags: { ...tags, title: 'C', track: '3' }, seconds: 3 });
  await makeMediaFile({ path: join(base, 'bare.mp3'), args: ['-id3v2_version', '0', '-write_id3v1', '0'] });
  await makePicture(join(base, 'cover.png'));
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
  bench.library.beforeRecord = () => undefined;
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('a scan', () => {
  it('records new files with counts that match, and nothing at all when it comes again', async () => {
    await put('a', 'One/First/01 A.mp3');
    await put('b', 'One/First/02 B.ogg');
    await put('c', 'c.flac');
    await writeFile(join(root, 'One/First/02 B.lrc'), '[00:01.50]words');
    await copyFile(join(base, 'cover.png'), join(root, 'One/First/folder.png'));
    const first = await bench.scan(catalog);
    expect(first).toMatchObject({ state: 'finished', songs_added: 3, files_seen: 3, folders_seen: 3, files_skipped: 0 });
    expect(await paths()).toEqual(['One/First/01 A.mp3', 'One/First/02 B.ogg', 'c.flac']);
    const song = (await bench.library.songs(catalog))[1];
    expect(song?.track).toMatchObject({
      title: 'B',
      durationMs: 2000,
      lyrics: [{ synced: true, source: 'file', lines: [{ startMs: 1500, text: 'words' }] }],
    });
    const record = bench.library.records.find((entry) => entry.path === 'One/First');
    expect(record?.sidecars?.art).toMatchObject({ mime: 'image/png', widthPx: 64, heightPx: 48 });
    const art = await readdir(join(bench.data, 'art', record?.sidecars?.art?.hash.slice(0, 2) ?? ''));
    expect(art).toContain(record?.sidecars?.art?.hash);
    bench.library.records.length = 0;
    const second = await bench.scan(catalog);
    expect(second).toMatchObject({ state: 'finished', songs_added: 0, songs_changed: 0, files_seen: 3 });
    expect(bench.library.records).toEqual([]);
  });

  it('records what changed and nothing else', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/b.ogg');
    await bench.scan(catalog);
    bench.library.records.length = 0;
    await put('c', 'x/a.mp3');
    await utimes(join(root, 'x/a.mp3'), 1000, 1000);
    expect(await bench.scan(catalog)).toMatchObject({ songs_added: 0, songs_changed: 1, songs_removed: 0 });
    expect(bench.library.records.flatMap((record) => record.tracks.map((track) => [track.fileName, track.title, track.format]))).toEqual([
      ['a.mp3', 'C', 'flac'],
    ]);
  });

  it('reads only the tracks whose lyrics file changed', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/b.ogg');
    await bench.scan(catalog);
    bench.library.records.length = 0;
    await writeFile(join(root, 'x/b.lrc'), '[00:01.00]new');
    expect(await bench.scan(catalog)).toMatchObject({ songs_changed: 1 });
    expect(bench.library.records.flatMap((record) => record.tracks.map((track) => track.fileName))).toEqual(['b.ogg']);
    bench.library.records.length = 0;
    await bench.scan(catalog);
    expect(bench.library.records).toEqual([]);
  });

  it('removes what is gone, files and whole folders', async () => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/b.ogg');
    await put('c', 'y/z/c.flac');
    await bench.scan(catalog);
    await rm(join(root, 'x/a.mp3'));
    await rm(join(root, 'y'), { recursive: true });
    expect(await bench.scan(catalog)).toMatchObject({ songs_added: 0, songs_removed: 2 });
    expect(await paths()).toEqual(['x/b.ogg']);
    bench.library.records.length = 0;
    await bench.scan(catalog);
    expect(bench.library.records).toEqual([]);
  });

  it.each([
    ['into a folder that is walked earlier', 'm/b.ogg', 'a/b.ogg'],
    ['into a folder that is walked later', 'm/b.ogg', 'z/b.ogg'],
    ['under another name', 'm/b.ogg', 'm/renamed.ogg'],
  ])('keeps the id of a file that moved %s', async (_, from, to) => {
    await put('a', 'm/a.mp3');
    await put('b', from);
    await bench.scan(catalog);
    const before = await bench.library.songs(catalog);
    await mkdir(join(root, to, '..'), { recursive: true });
    await rename(join(root, from), join(root, to));
    expect(await bench.scan(catalog)).toMatchObject({ songs_added: 0, songs_moved: 1, songs_removed: 0 });
    const after = await bench.library.songs(catalog);
    expect(after.find((song) => song.path === to)?.id).toBe(before.find((song) => song.path === from)?.id);
    expect(after).toHaveLength(2);
  });

  it('moves a whole renamed folder', async () => {
    await put('a', 'm/a.mp3');
    await put('b', 'm/b.ogg');
    await bench.scan(catalog);
    await rename(join(root, 'm'), join(root, 'q'));
    expect(await bench.scan(catalog)).toMatchObject({ songs_added: 0, songs_moved: 2, songs_removed: 0 });
    expect(await paths()).toEqual(['q/a.mp3', 'q/b.ogg']);
  });

  it('recognises one moved file among many equal copies', async () => {
    await put('a', 'm/0.mp3');
    await Promise.all(Array.from({ length: 300 }, (_, n) => link(join(root, 'm/0.mp3'), join(root, `m/${n + 1}.mp3`))));
    await bench.scan(catalog);
    const before = await bench.library.songs(catalog);
    await rename(join(root, 'm/77.mp3'), join(root, 'm/moved.mp3'));
    await mkdir(join(root, 'n'));
    await Promise.all(Array.from({ length: 300 }, (_, n) => link(join(root, 'm/0.mp3'), join(root, `n/${n}.mp3`))));
    expect(await bench.scan(catalog)).toMatchObject({ songs_added: 300, songs_moved: 1, songs_removed: 0 });
    const ids = (await bench.library.songs(catalog)).map((song) => song.id);
    expect(ids).toContain(before.find((song) => song.path === 'm/77.mp3')?.id);
    expect(new Set(ids).size).toBe(601);
  });

  it('takes a copy for a new song', async () => {
    await put('a', 'm/a.mp3');
    await bench.scan(catalog);
    await mkdir(join(root, 'n'));
    await link(join(root, 'm/a.mp3'), join(root, 'n/a.mp3'));
    expect(await bench.scan(catalog)).toMatchObject({ songs_added: 1, songs_moved: 0 });
  });

  it('lists broken input with the reason and ends well', async () => {
    await put('a', 'good.mp3');
    await writeFile(join(root, 'zero.mp3'), '');
    await put('c', 'cut.flac');
    await truncate(join(root, 'cut.flac'), 9000);
    await writeFile(join(root, 'text.ogg'), 'this is a text, not sound, however long it may be '.repeat(100));
    await copyFile(join(base, 'cover.png'), join(root, 'picture.mp3'));
    await put('c', 'really-flac.mp3');
    await put('a', 'a/b/deep.mp3');
    await symlink('../..', join(root, 'a/b/loop'));
    await symlink('/etc', join(root, 'a/out'));
    await symlink('nowhere', join(root, 'a/broken'));
    await put('b', 'a/tmp');
    await rename(
      Buffer.from(join(root, 'a/tmp')),
      Buffer.concat([Buffer.from(join(root, 'a/bad-')), Buffer.from([0xff, 0xfe]), Buffer.from('.ogg')]),
    );
    const long = `${'n'.repeat(251)}.mp3`;
    await put('a', long);
    const result = await bench.scan(catalog);
    expect(result).toMatchObject({ state: 'finished', songs_added: 4, files_skipped: 8 });
    expect((await bench.library.skipped()).toSorted()).toEqual([
      'a/b/loop (unreadable)',
      'a/bad-\\xff\\xfe.ogg (name-not-utf8)',
      'a/broken (unreadable)',
      'a/out (unreadable)',
      'cut.flac (damaged)',
      'picture.mp3 (not-media)',
      'text.ogg (not-media)',
      'zero.mp3 (empty)',
    ]);
    expect(result.message?.split('\n')).toHaveLength(8);
    bench.library.records.length = 0;
    expect(await bench.scan(catalog)).toMatchObject({ state: 'finished', files_skipped: 8 });
    expect(bench.library.records).toEqual([]);
    await put('a', 'zero.mp3');
    await rm(join(root, 'text.ogg'));
    expect(await bench.scan(catalog)).toMatchObject({ songs_added: 1, files_skipped: 6 });
    expect(await bench.library.skipped()).toHaveLength(6);
  });

  it('leaves out a cover that is too large and keeps the song', async () => {
    const picture = Buffer.concat([await readFile(join(base, 'cover.png')), Buffer.alloc(50_000_000)]);
    const tag = id3Tag(id3Text('TIT2', 'Big'), id3Cover('image/png', picture));
    await writeFile(join(root, 'song.mp3'), Buffer.concat([tag, await readFile(join(base, 'bare.mp3'))]));
    const result = await bench.scan(catalog);
    expect(result).toMatchObject({ state: 'finished', songs_added: 1, files_skipped: 0 });
    expect(result.message).toContain('the embedded cover is left out');
    const track = (await bench.library.songs(catalog))[0]?.track;
    expect(track).toMatchObject({ title: 'Big', durationMs: 1045 });
    expect(track?.art).toBeUndefined();
  });

  it('records a folder of many files in commands of bounded size', async () => {
    await mkdir(join(root, 'many'));
    await copyFile(join(base, 'b.ogg'), join(root, 'many/0.ogg'));
    await Promise.all(Array.from({ length: 1999 }, (_, n) => link(join(root, 'many/0.ogg'), join(root, `many/${n + 1}.ogg`))));
    expect(await bench.scan(catalog)).toMatchObject({ state: 'finished', songs_added: 2000 });
    expect(bench.library.records.length).toBeGreaterThan(2);
    for (const record of bench.library.records) expect(JSON.stringify(record).length).toBeLessThan(320_000);
    await rm(join(root, 'many'), { recursive: true });
    await put('a', 'a.mp3');
    expect(await bench.scan(catalog)).toMatchObject({ songs_removed: 2000, songs_added: 1 });
  });

  it('survives a folder that vanishes during the scan', async () => {
    for (const n of [1, 2, 3]) await put('a', `f${n}/a.mp3`);
    bench.library.beforeRecord = async () => {
      bench.library.beforeRecord = () => undefined;
      await rm(join(root, 'f3'), { recursive: true, force: true });
    };
    expect(await bench.scan(catalog)).toMatchObject({ state: 'finished' });
    expect(await bench.scan(catalog)).toMatchObject({ state: 'finished' });
    expect(await paths()).toEqual(['f1/a.mp3', 'f2/a.mp3']);
  });
});

describe('a scan that would empty the library', () => {
  const scanned = async (): Promise<void> => {
    await put('a', 'x/a.mp3');
    await put('b', 'x/b.ogg');
    await bench.scan(catalog);
  };

  it.each([
    ['is missing', async () => rm(root, { recursive: true }), 'cannot be read'],
    ['is empty', async () => rm(join(root, 'x'), { recursive: true }), 'no media any more'],
    ['is a file', async () => rm(root, { recursive: true }).then(() => writeFile(root, 'x')), 'is not a folder'],
  ])('fails when the root %s, and removes nothing', async (_, spoil, sentence) => {
    await scanned();
    await spoil();
    const result = await bench.scan(catalog);
    expect(result.state).toBe('failed');
    expect(result.message).toContain(sentence);
    expect(await paths()).toEqual(['x/a.mp3', 'x/b.ogg']);
  });
});

describe('running scans', () => {
  const slowFolders = async (folders: number, delayMs: number): Promise<void> => {
    for (let n = 0; n < folders; n += 1) await put('a', `f${String(n).padStart(3, '0')}/a.mp3`);
    bench.library.beforeRecord = async () => {
      await delay(delayMs);
    };
  };

  it('answers a second start with the scan that runs', async () => {
    await slowFolders(40, 100);
    const [one, two] = await Promise.all([bench.startScan(catalog), bench.startScan(catalog)]);
    expect(one.scanId).toBe(two.scanId);
    expect([one.alreadyRunning, two.alreadyRunning].filter(Boolean)).toHaveLength(1);
    expect(await bench.startScan(catalog)).toEqual({ scanId: one.scanId, alreadyRunning: true });
    expect(await bench.ended(one.scanId)).toMatchObject({ state: 'finished', songs_added: 40 });
    const next = await bench.startScan(catalog);
    expect(next).toMatchObject({ alreadyRunning: false });
    await bench.ended(next.scanId);
  });

  it('stops within two seconds when it is cancelled, and keeps what it recorded', async () => {
    await slowFolders(200, 300);
    const { scanId } = await bench.startScan(catalog);
    await expect.poll(async () => (await bench.scanRow(scanId))?.songs_added ?? 0).toBeGreaterThan(0);
    await bench.cancelScan(scanId);
    expect(await bench.ended(scanId, 2000)).toMatchObject({ state: 'cancelled' });
    await delay(2000);
    const recorded = bench.library.records.length;
    expect(recorded).toBeLessThan(150);
    await delay(700);
    expect(bench.library.records.length).toBe(recorded);
    bench.library.beforeRecord = () => undefined;
    expect(await bench.scan(catalog)).toMatchObject({ state: 'finished', songs_added: 200 - recorded });
  });

  it('reports progress while it runs', async () => {
    await slowFolders(60, 400);
    const { scanId } = await bench.startScan(catalog);
    await expect.poll(async () => (await bench.scanRow(scanId))?.songs_added ?? 0).toBeGreaterThan(0);
    expect((await bench.scanRow(scanId))?.state).toBe('running');
    expect(await bench.ended(scanId)).toMatchObject({ state: 'finished', songs_added: 60 });
  });

  it('goes on after the service was stopped, without repeating recorded work', async () => {
    await slowFolders(80, 200);
    const { scanId } = await bench.startScan(catalog);
    await expect.poll(() => bench.library.records.length).toBeGreaterThan(20);
    await bench.restart();
    expect(await bench.ended(scanId)).toMatchObject({ state: 'finished' });
    expect(await paths()).toHaveLength(80);
    const sent = bench.library.records.map((record) => record.path);
    expect(new Set(sent).size).toBe(sent.length);
  });

  it('never runs one catalog twice at once, also with two replicas', async () => {
    await slowFolders(30, 150);
    const second = await bench.replica();
    try {
      const { scanId } = await bench.startScan(catalog);
      await bench.deps.jobs.enqueue(
        scanCatalog,
        `again-${scanId}`,
        { scanId, catalogId: catalog },
        { actor: 'spec', correlationId: 'spec', causationId: 'spec' },
      );
      expect(await bench.ended(scanId)).toMatchObject({ state: 'finished', songs_added: 30 });
      expect(bench.library.records).toHaveLength(30);
    } finally {
      await second.stop();
    }
  });

  it('refuses a catalog that does not exist', async () => {
    await expect(bench.startScan(999_999 as CatalogId)).rejects.toMatchObject({ code: 'catalog.not-found' });
  });
});

describe('the published scans', () => {
  it('are the same after a rebuild from the log', async () => {
    const answer = await bench.deps.nats.request(rebuildSubject('ingestion-scans'), JSON.stringify({ mode: 'verify' }), {
      timeout: 30_000,
    });
    const { report } = answer.json<{ report: RebuildReport }>();
    expect(report.differing).toEqual([]);
    expect(report.position).toBe(await bench.deps.eventStore.lastPosition('ingest'));
  });
});
