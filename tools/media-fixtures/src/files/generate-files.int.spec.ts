import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TagLib } from 'taglib-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syntheticLibrary } from '../synthetic/library.js';
import { generateBroken } from './generate-broken.js';
import { fileFormats, formatNames } from './formats.js';
import { generateFiles } from './generate-files.js';
import { albumFolder, trackStem } from './paths.js';

const options = { count: 130, formats: formatNames, seed: 11, flat: false };
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-bench-files-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const filesOf = async (root: string): Promise<string[]> =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();

const digestOf = async (root: string): Promise<string> => {
  const hash = createHash('sha256');
  for (const path of await filesOf(root)) hash.update(path).update(await readFile(join(root, path)));
  return hash.digest('hex');
};

describe('generateFiles', () => {
  it('writes what its manifest says', async () => {
    const out = join(home, 'one');
    const manifest = await generateFiles({ ...options, out });
    const files = await filesOf(out);
    const suffixes = new Set<string>(Object.values(fileFormats).map(({ suffix }) => suffix));
    expect(files.filter((path) => suffixes.has(path.split('.').at(-1) ?? ''))).toHaveLength(130);
    expect(files.filter((path) => path.endsWith('.lrc'))).toHaveLength(manifest.lyricsFiles);
    expect(files.filter((path) => path.endsWith('cover.jpg'))).toHaveLength(manifest.folderCovers);
    expect(manifest).toMatchObject({ songs: 130, albums: 11, folders: 11 });
    expect(Object.keys(manifest.byFormat).toSorted()).toEqual([...formatNames].toSorted());
    expect(JSON.parse(await readFile(`${out}.manifest.json`, 'utf8'))).toEqual(manifest);
  });

  it('tags every format so that another reader finds the tags', async () => {
    const out = join(home, 'tags');
    await generateFiles({ ...options, out });
    const taglib = await TagLib.initialize();
    const library = syntheticLibrary(options.count, options.seed);
    for (let number = 0; number < formatNames.length; number += 1) {
      const album = library.album(number);
      const [track] = album.tracks;
      if (!track) throw new Error('an album without tracks');
      const { suffix } = fileFormats[formatNames[number] ?? 'mp3'];
      const file = await taglib.open(join(out, albumFolder(album), `${trackStem(album, track)}.${suffix}`));
      expect(file.properties()).toMatchObject({ title: [track.title], album: [album.name], date: [String(album.year)] });
      file.dispose();
    }
  });

  it('gives the same bytes for the same seed', async () => {
    const few = { ...options, count: 24, formats: ['mp3', 'flac'] as const };
    await generateFiles({ ...few, out: join(home, 'a') });
    await generateFiles({ ...few, out: join(home, 'b') });
    await generateFiles({ ...few, seed: 12, out: join(home, 'c') });
    expect(await digestOf(join(home, 'b'))).toBe(await digestOf(join(home, 'a')));
    expect(await digestOf(join(home, 'c'))).not.toBe(await digestOf(join(home, 'a')));
  });
});

describe('generateBroken', () => {
  it('writes every case, and says what should become of it', async () => {
    const out = join(home, 'broken');
    const cases = await generateBroken(out);
    const names = await readdir(out, { recursive: true });
    for (const { path } of cases.filter(({ reason }) => reason !== 'name-not-utf8')) expect(names).toContain(path);
    expect((await stat(join(out, 'huge cover', 'huge-cover.mp3'))).size).toBeGreaterThan(50_000_000);
    expect((await readdir(join(out, 'latin1'), { encoding: 'buffer' }))[0]).toEqual(
      Buffer.from([0xe9, 0x74, 0xe9, 0x2e, 0x6d, 0x70, 0x33]),
    );
  });
});
