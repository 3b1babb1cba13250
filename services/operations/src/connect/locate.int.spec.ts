import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../config.js';
import { connectionFileOf, type StandaloneConnection } from '../connection.js';
import { locateServer } from './locate.js';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-locate-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const connection: StandaloneConnection = {
  version: 1,
  pid: process.pid,
  startedAtMs: 0,
  url: 'http://127.0.0.1:8080',
  dataFolder: '/data',
  databaseUrl: 'postgres://localhost/continuo',
  natsUrl: 'nats://127.0.0.1:4222',
};

/** A data folder with this connection file. */
const folderWith = async (name: string, content: string): Promise<string> => {
  const folder = join(home, name);
  await mkdir(join(folder, 'run'), { recursive: true });
  await writeFile(connectionFileOf(folder), content);
  return folder;
};

const locateIn = (folder: string) => locateServer(readSettings({ CONTINUO_DATA: folder }));

describe('locateServer', () => {
  it('reads what a running standalone has written', async () => {
    expect(await locateIn(await folderWith('good', JSON.stringify(connection)))).toEqual(connection);
  });

  it('prefers the environment when it names both servers', async () => {
    const files = { NATS_CREDS_FILE: '/etc/nats/creds', NATS_TLS_CA_FILE: '/etc/nats/ca' };
    const env = { DATABASE_URL: 'postgres://a/b', NATS_URL: 'nats://c', NATS_USER: 'd', NATS_PASSWORD: 'e', ...files };
    expect(await locateServer(readSettings(env))).toEqual({
      databaseUrl: 'postgres://a/b',
      natsUrl: 'nats://c',
      natsUser: 'd',
      natsPassword: 'e',
      natsFiles: files,
    });
    await expect(locateServer(readSettings({ NATS_URL: 'nats://c' }))).rejects.toMatchObject({ message: 'only NATS_URL is set' });
  });

  it('says when no server is running', async () => {
    await expect(locateIn(join(home, 'absent'))).rejects.toMatchObject({ message: `no server is running over ${join(home, 'absent')}` });
  });

  it('recognises what a crashed server left behind', async () => {
    const folder = await folderWith('crashed', JSON.stringify({ ...connection, pid: 2 ** 30 }));
    await expect(locateIn(folder)).rejects.toMatchObject({
      message: expect.stringContaining('it ended without cleaning up'),
      remedy: expect.stringContaining('npm start'),
    });
  });

  it('refuses damaged files and those of another release', async () => {
    await expect(locateIn(await folderWith('damaged', '{"ver'))).rejects.toMatchObject({ message: expect.stringContaining('is damaged') });
    const other = JSON.stringify({ ...connection, version: 2, natsUrl: undefined });
    await expect(locateIn(await folderWith('other', other))).rejects.toMatchObject({
      message: expect.stringContaining('(version, natsUrl)'),
    });
  });
});
