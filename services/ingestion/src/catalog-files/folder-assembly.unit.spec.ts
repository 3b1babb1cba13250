import { describe, expect, it } from 'vitest';
import { fileKind } from '../walk/file-kinds.js';
import type { WalkedFolder } from '../walk/walked-folder.js';
import { FolderAssembly } from './folder-assembly.js';

const folders = (paths: readonly string[]): WalkedFolder[] => {
  const assembly = new FolderAssembly(fileKind);
  const found: WalkedFolder[] = [];
  for (const path of paths.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
    assembly.add({ path, sizeBytes: 1, mtimeMs: 1 });
    found.push(...assembly.take());
  }
  assembly.end();
  return [...found, ...assembly.take()];
};
const media = (paths: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(folders(paths).map(({ path, media: files }) => [path, files.map(({ name }) => name)]));

describe('folders of a flat list', () => {
  it('are all those on the way, each once', () => {
    expect(media(['a/1.mp3', 'a/b/2.mp3', 'a/c.mp3', 'a-b/3.mp3', 'top.mp3', 'x/y/z/4.mp3'])).toEqual({
      '': ['top.mp3'],
      a: ['1.mp3', 'c.mp3'],
      'a/b': ['2.mp3'],
      'a-b': ['3.mp3'],
      x: [],
      'x/y': [],
      'x/y/z': ['4.mp3'],
    });
  });

  it('are kept out by a marker, with all below them, wherever it stands in the order', () => {
    const found = folders([
      'off/(1) early/a.mp3',
      'off/(1) early/deep/b.mp3',
      'off/.nomedia',
      'off/late/c.mp3',
      'off/d.mp3',
      'on/(1) early/e.mp3',
      'on/f.mp3',
    ]);
    expect(Object.fromEntries(found.map(({ path, state }) => [path, state]))).toEqual({
      '': 'listed',
      off: 'vanished',
      on: 'listed',
      'on/(1) early': 'listed',
    });
  });

  it('are none at all below a marker at the top', () => {
    expect(folders(['.nomedia', 'a/1.mp3']).map(({ path, state }) => [path, state])).toEqual([['', 'vanished']]);
  });

  it('know the pictures above them where they hold one disc', () => {
    const found = folders([
      'album/CD1/1.mp3',
      'album/CD2/2.mp3',
      'album/CD2/own.jpg',
      'album/cover.jpg',
      'album/extra/3.mp3',
      'album/CD1/Disc 2/4.mp3',
    ]);
    const above = Object.fromEntries(found.map(({ path, parentPictures }) => [path, parentPictures.map(({ name }) => name)]));
    expect(above['album/CD1']).toEqual(['cover.jpg']);
    expect(above['album/CD1/Disc 2']).toEqual([]);
    expect(found.map(({ path }) => path).toSorted()).toEqual(['', 'album', 'album/CD1', 'album/CD1/Disc 2', 'album/CD2', 'album/extra']);
  });

  it('leave out hidden things and odd paths', () => {
    expect(media(['.git/a.mp3', '@eaDir/b.mp3', 'a/.hidden.mp3', 'a//b.mp3', '/c.mp3', 'a/ok.mp3'])).toEqual({ '': [], a: ['ok.mp3'] });
  });

  it('follow as soon as the list has left them, however long it is', () => {
    const assembly = new FolderAssembly(fileKind);
    let waiting = 0;
    let count = 0;
    for (let album = 0; album < 2000; album += 1) {
      for (let track = 0; track < 10; track += 1)
        assembly.add({ path: `m/${String(album).padStart(5, '0')}/${track}.mp3`, sizeBytes: 1, mtimeMs: 1 });
      const taken = assembly.take().length;
      count += taken;
      waiting = Math.max(waiting, album + 1 - count);
    }
    assembly.end();
    expect(count + assembly.take().length).toBe(2002);
    expect(waiting).toBeLessThan(5);
  });
});
