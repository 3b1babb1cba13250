import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usableFolder, type FolderTerms } from './catalog-folder.js';

const terms = (dataFolder: string, roots: readonly string[] = ['/']): FolderTerms => ({ dataFolder, roots });

let root: string;
let data: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-folders-')));
  data = join(root, 'data');
  for (const folder of ['data/nats', 'music', 'data2', 'library/.data']) await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, 'file'), '');
  await symlink('/proc', join(root, 'music', 'to-proc'));
  await symlink(data, join(root, 'music', 'to-data'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const refused = (path: string, text: RegExp) =>
  expect(usableFolder(path, terms(data))).rejects.toMatchObject({ code: 'catalog.path-unusable', message: expect.stringMatching(text) });

describe('the folder of a catalog', () => {
  it.each(['/proc', '/proc/self', '/sys', '/dev', '/etc', '/etc/'])('is not %s', async (path) => {
    await refused(path, /system folder/);
  });

  it('is neither the data folder, nor in it, nor around it, also by way of a link', async () => {
    for (const path of [data, join(data, 'nats'), join(root, 'music', 'to-data')]) await refused(path, /in the data folder/);
    for (const path of [root, '/']) await refused(path, /hold the data folder/);
    await refused(join(root, 'music', 'to-proc'), /system folder \/proc/);
  });

  it('may be beside the data folder, or around a hidden one', async () => {
    expect(await usableFolder(join(root, 'music'), terms(data))).toBe(join(root, 'music'));
    expect(await usableFolder(join(root, 'data2'), terms(data))).toBe(join(root, 'data2'));
    expect(await usableFolder(join(root, 'library'), terms(join(root, 'library', '.data')))).toBe(join(root, 'library'));
  });

  it('lies in one of the allowed folders, also where a link leads', async () => {
    const allowed = terms(data, [join(root, 'music'), join(root, 'nothing')]);
    await mkdir(join(root, 'music', 'rock'), { recursive: true });
    await symlink(join(root, 'data2'), join(root, 'music', 'out'));
    expect(await usableFolder(join(root, 'music', 'rock'), allowed)).toBe(join(root, 'music', 'rock'));
    for (const path of [join(root, 'data2'), join(root, 'music', 'out'), join(root, 'music', '..', 'library')])
      await expect(usableFolder(path, allowed)).rejects.toMatchObject({ message: expect.stringMatching(/CATALOG_ROOTS/) });
  });

  it('is a folder', async () => {
    await refused(join(root, 'file'), /not a folder/);
    await refused(join(root, 'nothing'), /./);
  });
});
