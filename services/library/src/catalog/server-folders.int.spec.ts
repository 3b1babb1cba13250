import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listServerFolders } from './server-folders.js';

let root: string;
let music: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-server-folders-')));
  music = join(root, 'music');
  for (const folder of ['music/rock/live', 'music/Älteres', 'music/.hidden', 'music/data/nats', 'music2', 'elsewhere'])
    await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(music, 'song.mp3'), '');
  await chmod(join(music, 'song.mp3'), 0o755);
  for (const [name, target] of Object.entries({
    away: join(root, 'elsewhere'),
    etc: '/etc',
    up: '..',
    data2: join(music, 'data'),
    song: join(music, 'song.mp3'),
    within: join(music, 'rock', 'live'),
    broken: join(root, 'nothing'),
  }))
    await symlink(target, join(music, name));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const terms = (roots: readonly string[] = [music]) => ({ dataFolder: join(music, 'data'), roots });

describe('folders of the server', () => {
  it('are those in which catalogs may lie: no files, no hidden or own ones, no links that lead out', async () => {
    expect(await listServerFolders(null, terms())).toEqual({
      path: music,
      parent: null,
      unusable: 'a catalog cannot hold the data folder of the server',
      folders: [
        { name: 'rock', path: join(music, 'rock') },
        { name: 'within', path: join(music, 'rock', 'live') },
        { name: 'Älteres', path: join(music, 'Älteres') },
      ],
      isCut: false,
    });
    expect(await listServerFolders(join(music, 'rock'), terms())).toMatchObject({ parent: music, unusable: null });
  });

  it.each(['/', '/etc', '/proc/self', '..', 'rock', '../elsewhere', '/nothing/at/all'])('are not those of %s', async (path) => {
    await expect(listServerFolders(path, terms())).rejects.toMatchObject({ code: 'catalog.path-unusable' });
  });

  it('are not those that a path or a link leads to outside', async () => {
    for (const path of [
      '..',
      '../music2',
      'rock/../../elsewhere',
      'away',
      'etc',
      'up',
      'data',
      'data2',
      'data/nats',
      'song',
      'song.mp3',
      'broken',
    ])
      await expect(listServerFolders(`${music}/${path}`, terms())).rejects.toMatchObject({
        code: 'catalog.path-unusable',
        message: 'the server shows no such folder',
      });
  });

  it('begin with the list of several', async () => {
    const several = terms([music, join(root, 'music2'), join(root, 'nothing')]);
    expect(await listServerFolders(null, several)).toMatchObject({
      path: null,
      folders: [
        { name: 'music', path: music },
        { name: 'music2', path: join(root, 'music2') },
      ],
    });
    expect(await listServerFolders(join(root, 'music2'), several)).toMatchObject({ parent: null, unusable: null, folders: [] });
  });

  it('of the whole machine are those that are not the system’s', async () => {
    const { path, parent, folders } = await listServerFolders(null, terms(['/']));
    expect([path, parent]).toEqual(['/', null]);
    expect(folders.map((folder) => folder.path)).toContain('/usr');
    for (const hidden of ['/etc', '/proc', '/sys', '/dev']) expect(folders.map((folder) => folder.path)).not.toContain(hidden);
  });
});
