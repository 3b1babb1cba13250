import { copyFile, mkdir, mkdtemp, realpath, rename, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CatalogId, ScanMode } from '@continuo/contracts';
import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ArtStore } from '@continuo/media-store';
import type { CatalogFiles, OpenFiles } from '../catalog-files/catalog-files.js';
import { openLocalFiles } from '../catalog-files/local-files.js';
import type { PlaylistImport } from '../playlist/playlist-import.js';
import { readTrack } from '../tags/read-track.js';
import { FakeLibrary } from '../../test/fake-library.js';
import { makeMediaFile } from '../../test/media-files.js';
import type { VideoReader } from '../video/video-reader.js';
import { CatalogScan, type ScanDependencies } from './catalog-scan.js';
import { catalogById } from './known-folders.reads.js';
import { ScanTally } from './scan-tally.js';
import { zeroCounts } from './scan.decider.js';
import { topsOf } from './folder-recheck.js';

let postgres: TestPostgres;
let library: FakeLibrary;
let base: string;
let root: string;
let catalog: CatalogId;
let nextCatalog = 1;

const LONG_AGO = new Date(Date.UTC(2020, 0, 1));

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'continuo-samples-')));
  await makeMediaFile({ path: join(base, 'a.mp3'), tags: { artist: 'One', title: 'A' }, seconds: 1 });
  await makeMediaFile({ path: join(base, 'b.ogg'), tags: { artist: 'One', title: 'B' }, seconds: 2 });
  postgres = await testPostgres();
  library = await FakeLibrary.start(postgres.url);
});
afterAll(async () => {
  await library.stop();
  await postgres.stop();
  await rm(base, { recursive: true, force: true });
});
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-catalog-')));
  catalog = await library.addCatalog(nextCatalog++, root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const unused = () => Promise.reject(new Error('nobody asks for this here'));
const limits = { parseTimeoutMs: 20_000, maxPictureBytes: 1_000_000, maxPicturePixels: 1_000_000 };

/** Walks, and does something once a folder has been met, before those that come later are looked at. */
const meeting = (path: string, act: () => Promise<void>): OpenFiles => {
  let isDone = false;
  return async (place) => {
    const files = await openLocalFiles(place);
    const walk = async function* (options: Parameters<CatalogFiles['walk']>[0]) {
      for await (const folder of files.walk(options)) {
        yield folder;
        if (folder.path !== path || isDone) continue;
        isDone = true;
        await act();
      }
    };
    return { ...files, walk };
  };
};

const scan = async (openFiles: OpenFiles = openLocalFiles, mode: ScanMode = 'changes') => {
  const deps: ScanDependencies = {
    db: library.db,
    commands: library.commands,
    openFiles,
    reader: { readTrack: (request) => readTrack(request, limits), readPicture: unused, close: async () => undefined },
    videos: { read: unused } as unknown as VideoReader,
    art: { put: unused } as unknown as ArtStore,
    watch: { waitFor: async () => true },
    foldersInFlight: 2,
    playlists: () => ({ run: async () => undefined }) as unknown as PlaylistImport,
  };
  const tally = new ScanTally(zeroCounts);
  const context = { actor: 'system', correlationId: 'spec', causationId: 'spec' };
  const known = await catalogById(library.db, catalog);
  if (known === undefined) throw new Error('the catalog is not there');
  await CatalogScan.execute(deps, { catalog: known, mode, context, tally, signal: AbortSignal.timeout(60_000) });
  return tally.counts();
};
const ids = async (): Promise<Record<string, number>> =>
  Object.fromEntries((await library.songs(catalog)).map(({ path, id }) => [path, id]));

describe('a scan during which things move', () => {
  beforeEach(async () => {
    await mkdir(join(root, 'a'));
    await mkdir(join(root, 'b', 'deep'), { recursive: true });
    await copyFile(join(base, 'b.ogg'), join(root, 'a', 'stays.ogg'));
    await copyFile(join(base, 'a.mp3'), join(root, 'b', 'deep', 'song.mp3'));
    await copyFile(join(base, 'b.ogg'), join(root, 'b', 'deep', 'other.ogg'));
    await scan();
  });

  it.each(['changes', 'clean'] as const)('keeps the id of a file that moves to where it has been already (%s)', async (mode) => {
    const before = await ids();
    const openFiles = meeting('b', () => rename(join(root, 'b', 'deep', 'song.mp3'), join(root, 'a', 'song.mp3')));
    expect(await scan(openFiles, mode)).toMatchObject({ songsMoved: 1, songsAdded: 0, songsRemoved: 0 });
    expect(await ids()).toEqual({
      'a/stays.ogg': before['a/stays.ogg'],
      'a/song.mp3': before['b/deep/song.mp3'],
      'b/deep/other.ogg': before['b/deep/other.ogg'],
    });
  });

  it('keeps the ids of a folder that moves to where it has been already, or is called otherwise', async () => {
    const before = await ids();
    const moved = { 'a/stays.ogg': before['a/stays.ogg'] };
    expect(await scan(meeting('b', () => rename(join(root, 'b', 'deep'), join(root, 'a', 'below'))))).toMatchObject({ songsMoved: 2 });
    expect(await ids()).toEqual({
      ...moved,
      'a/below/song.mp3': before['b/deep/song.mp3'],
      'a/below/other.ogg': before['b/deep/other.ogg'],
    });
    expect(await scan(meeting('a', () => rename(join(root, 'a'), join(root, 'Z'))))).toMatchObject({ songsAdded: 0 });
    expect(new Set(Object.values(await ids()))).toEqual(new Set(Object.values(before)));
  });

  it('removes what is really gone, and walks nothing twice that did not change', async () => {
    for (const path of ['', 'a', 'b', 'b/deep']) await utimes(join(root, path), LONG_AGO, LONG_AGO);
    let walks = 0;
    const counting: OpenFiles = async (place) => {
      const files = await openLocalFiles(place);
      const walk = (options: Parameters<CatalogFiles['walk']>[0]) => {
        walks += 1;
        return files.walk(options);
      };
      return { ...files, folderChangedAt: async (path) => (path === 'b/deep' ? Date.now() : 0), walk };
    };
    await rm(join(root, 'b', 'deep', 'song.mp3'));
    expect(await scan(counting)).toMatchObject({ songsRemoved: 1, songsMoved: 0, songsAdded: 0 });
    expect(walks).toBe(2);
    expect(await scan(counting)).toMatchObject({ songsRemoved: 0 });
    // Where nothing is missing nothing is looked at again.
    expect(walks).toBe(3);
  });
});

it('folders are walked once, however they lie', () => {
  expect(topsOf(['b/c', 'a b', 'b', 'a', 'a/x', 'b!', 'b/c/d'])).toEqual(['a b', 'a', 'b!', 'b']);
  expect(topsOf(['x', '', 'y'])).toEqual(['']);
  expect(topsOf([])).toEqual([]);
});
