import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../random/seeded-random.js';
import { alter } from './alter.js';
import { linkedCopy, mediaFiles } from './music.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-alter-'));
  for (let album = 1; album <= 12; album += 1) {
    const place = join(folder, 'music', `Artist ${album % 4}`, `${1970 + album} - Album ${album}`);
    await mkdir(place, { recursive: true });
    for (let track = 1; track <= 10; track += 1) {
      const title = `Title ${album} ${track}`;
      // The content names the title, as tags would.
      await writeFile(join(place, `${track} - ${title}.${track % 2 ? 'mp3' : 'wav'}`), title);
    }
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const digestOf = async (root: string): Promise<string> => {
  const hash = createHash('sha256');
  for (const { path } of (await mediaFiles(root)).toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(path).update(await readFile(join(root, path)));
  }
  return hash.digest('hex');
};

describe('the alteration of a folder', () => {
  it('says exactly what the folder then holds, leaves the original alone, and repeats itself for a seed', async () => {
    const music = join(folder, 'music');
    const before = await digestOf(music);
    const root = await linkedCopy(music, join(folder, 'copy'));
    const { files, origins, done } = await alter(root, seededRandom(3));
    const found = await mediaFiles(root);
    expect(found.map(({ path }) => path).toSorted()).toEqual(files.map(({ path }) => path).toSorted());
    for (const file of files) expect(await readFile(join(root, file.path), 'utf8')).toBe(file.title);
    for (const [to, from] of origins) expect(await readFile(join(root, to), 'utf8')).toBe(await readFile(join(music, from), 'utf8'));
    expect(Math.min(done.moved, done.deleted, done.replaced)).toBeGreaterThan(0);
    expect(files).toHaveLength(120 - done.deleted);
    expect(await digestOf(music)).toBe(before);
    await alter(await linkedCopy(music, join(folder, 'again')), seededRandom(3));
    expect(await digestOf(join(folder, 'again'))).toBe(await digestOf(root));
  });
});
