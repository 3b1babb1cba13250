import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usableFolder } from './catalog-folder.js';

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
  expect(usableFolder(path, data)).rejects.toMatchObject({ code: 'catalog.path-unusable', message: expect.stringMatching(text) });

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
    expect(await usableFolder(join(root, 'music'), data)).toBe(join(root, 'music'));
    expect(await usableFolder(join(root, 'data2'), data)).toBe(join(root, 'data2'));
    expect(await usableFolder(join(root, 'library'), join(root, 'library', '.data'))).toBe(join(root, 'library'));
  });

  it('is a folder', async () => {
    await refused(join(root, 'file'), /not a folder/);
    await refused(join(root, 'nothing'), /./);
  });
});
