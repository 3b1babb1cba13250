import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isLonger, printableName, shortName } from './names.js';
import { walkCatalog } from './walk.js';
import type { WalkedFolder } from './walked-folder.js';

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-walk-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const file = async (path: string, content = 'x'): Promise<void> => {
  await mkdir(join(root, path, '..'), { recursive: true });
  await writeFile(join(root, path), content);
};
const collect = async (folders: AsyncIterable<WalkedFolder>): Promise<WalkedFolder[]> => {
  const all: WalkedFolder[] = [];
  for await (const folder of folders) all.push(folder);
  return all;
};
const walk = async (): Promise<WalkedFolder[]> => collect(walkCatalog(root));
const media = (folders: readonly WalkedFolder[]): string[] =>
  folders.flatMap((folder) => folder.media.map(({ name }) => (folder.path ? `${folder.path}/${name}` : name)));

describe('walking a catalog', () => {
  it('visits every media file once, parents first, in a stable order', async () => {
    for (const path of ['b/2.mp3', 'b/1.flac', 'a/x/3.ogg', 'top.wav', 'a/cover.jpg', 'a/notes.pdf']) await file(path);
    const folders = await walk();
    expect(folders.map((folder) => folder.path).slice(0, 1)).toEqual(['']);
    expect(media(folders).toSorted()).toEqual(['a/x/3.ogg', 'b/1.flac', 'b/2.mp3', 'top.wav']);
    expect(await walk()).toEqual(folders);
    expect(folders.find((folder) => folder.path === 'a')?.pictures).toMatchObject([{ name: 'cover.jpg', sizeBytes: 1 }]);
  });

  it('skips hidden files, system folders and marked folders', async () => {
    for (const path of ['.hidden.mp3', '.trash/a.mp3', '@eaDir/a.mp3', 'off/.nomedia', 'off/a.mp3', 'off/deep/b.mp3', 'on/a.mp3'])
      await file(path);
    const folders = await walk();
    expect(media(folders)).toEqual(['on/a.mp3']);
    expect(folders.find((folder) => folder.path === 'off')?.state).toBe('vanished');
  });

  it('follows links that stay inside and lead to something new, once', async () => {
    await file('.store/a.mp3');
    await file('real/b.mp3');
    await symlink('.store', join(root, 'one'));
    await symlink('.store', join(root, 'two'));
    await symlink('real', join(root, 'twin'));
    await symlink('real/b.mp3', join(root, 'linked.mp3'));
    await symlink('..', join(root, 'real/up'));
    await symlink(tmpdir(), join(root, 'out'));
    const folders = await walk();
    expect(media(folders).toSorted()).toEqual(['linked.mp3', 'one/a.mp3', 'real/b.mp3']);
    const skipped = folders.flatMap((folder) => folder.skipped.map((entry) => `${entry.fileName}: ${entry.message}`)).toSorted();
    expect(skipped).toEqual([
      'out: the link leads out of the catalog',
      'twin: the linked folder is in the catalog already, as real',
      'two: another link to the same folder is followed already',
      'up: the link leads back to a folder that contains it',
    ]);
  });

  it('does not treat a sibling with a longer name as a subfolder', async () => {
    const neighbour = `${root}2`;
    await mkdir(neighbour);
    await writeFile(join(neighbour, 'a.mp3'), 'x');
    await symlink(neighbour, join(root, 'n'));
    const folders = await walk();
    await rm(neighbour, { recursive: true });
    expect(media(folders)).toEqual([]);
    expect(folders[0]?.skipped).toMatchObject([{ fileName: 'n', reason: 'unreadable' }]);
  });

  it('skips a path that is too long to record, and nothing else', async () => {
    const deep = Array.from({ length: 14 }, (_, n) => `${n}`.padEnd(180, 'd')).join('/');
    await file(`${deep}/a.mp3`);
    await file('b.mp3');
    const folders = await walk();
    expect(media(folders)).toEqual(['b.mp3']);
    expect(folders.flatMap((folder) => folder.skipped)).toMatchObject([{ reason: 'name-too-long' }]);
  });

  it('fails for a missing root, and stops on abort', async () => {
    await expect(collect(walkCatalog(join(root, 'nowhere')))).rejects.toThrow('cannot be read');
    await expect(collect(walkCatalog(root, { signal: AbortSignal.abort(new Error('stop')) }))).rejects.toThrow('stop');
  });
});

describe('names', () => {
  it('are written out where they are not UTF-8, each in its own way', () => {
    expect(printableName(Buffer.from([0x61, 0xff, 0x5c, 0x2e]))).toBe('a\\xff\\x5c.');
  });

  it('are shortened to something that stays unique', () => {
    expect(shortName('a.mp3')).toBe('a.mp3');
    expect(isLonger(shortName('x'.repeat(2000)), 1024)).toBe(false);
    expect(shortName('x'.repeat(2000))).not.toBe(shortName('x'.repeat(2001)));
    expect(isLonger('語'.repeat(400), 1024)).toBe(true);
  });
});
