import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operatorTokenCheck } from '@continuo/chassis';
import { readSettings } from '@continuo/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../test/index.js';
import { findServer, type ServerWanted } from './find-server.js';

const SECRET = 's'.repeat(40);
const KEY = { CONTINUO_KEY: 'key-of-ada' };
let home: string;
let env: Record<string, string>;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-contexts-'));
  env = { XDG_CONFIG_HOME: home };
});
afterAll(() => rm(home, { recursive: true, force: true }));

const find = (wanted: Partial<ServerWanted>, more: Record<string, string> = {}) =>
  findServer({ isLocal: false, ...wanted }, readSettings({ CONTINUO_DATA: join(home, 'nothing'), ...more }), env);

describe('continuo context', () => {
  it('saves servers with their keys, for this account only, and uses the one that was saved last', async () => {
    expect((await runCli({ ...env, ...KEY }, 'context', 'add', 'home', 'http://music.local:8080/')).out).toContain('Commands go to home');
    await runCli({ ...env, CONTINUO_KEY: 'other' }, 'context', 'add', 'work', 'https://music.example.org');
    expect((await stat(join(home, 'continuo/contexts.json'))).mode & 0o777).toBe(0o600);
    expect((await runCli(env, 'context', 'list')).out).toMatch(
      /home +http:\/\/music.local:8080\/\nwork +https:\/\/music.example.org +in use/,
    );
    expect((await runCli(env, 'context', 'list')).out).not.toContain('key-of-ada');
    expect((await find({})).url).toBe('https://music.example.org');
    await runCli({ ...env, ...KEY }, 'context', 'add', 'third', 'https://third.example.org', '--key', 'given');
    expect((await find({ context: 'third' })).authorization()).toBe('Bearer given');
    await runCli(env, 'context', 'use', 'home');
    const server = await find({});
    expect([server.url, server.authorization()]).toEqual(['http://music.local:8080', 'Bearer key-of-ada']);
    expect((await find({ context: 'work' })).authorization()).toBe('Bearer other');
  });

  it('refuses what is no address, no key and no name, and says what to do', async () => {
    const noKey = await runCli(env, 'context', 'add', 'x', 'http://h');
    expect(noKey).toMatchObject({ exitCode: 1, err: expect.stringContaining('no key was given') });
    expect((await runCli({ ...env, ...KEY }, 'context', 'add', 'x', 'music')).err).toContain('no address of a server');
    expect((await runCli(env, 'context', 'use', 'x')).err).toContain('no server is saved as "x"');
    expect((await runCli(env, 'context', 'remove', 'x')).exitCode).toBe(1);
    expect(await readFile(join(home, 'continuo/contexts.json'), 'utf8')).not.toContain('"x"');
  });

  it('forgets the one in use', async () => {
    await runCli(env, 'context', 'remove', 'home');
    await expect(find({})).rejects.toThrow('no server is running over');
    expect((await runCli(env, 'context', 'list')).out).not.toContain('in use');
  });
});

describe('the server of a command', () => {
  it('is the one that is named, opened by a key or by its own secret', async () => {
    const server = await find({ server: 'https://music.example.org/', key: 'k' });
    expect([server.url, server.authorization()]).toEqual(['https://music.example.org', 'Bearer k']);
    const own = await find({ server: 'http://gateway:8080' }, { CONTINUO_SECRET: SECRET });
    expect(operatorTokenCheck(SECRET, Date.now)(own.authorization().replace('Bearer ', ''))).toBe(true);
    await expect(find({ server: 'http://gateway:8080' })).rejects.toThrow('there is no key to http://gateway:8080');
    await expect(find({ server: 'gateway', key: 'k' })).rejects.toThrow('"gateway" is no address');
  });

  it('is the one over the data folder when that is named, whatever is saved', async () => {
    await runCli({ ...env, ...KEY }, 'context', 'add', 'home', 'http://music.local:8080/');
    await expect(find({ isLocal: true })).rejects.toThrow('no server is running over');
  });
});

describe('continuo doctor', () => {
  it('examines nothing here when a server elsewhere does not answer', async () => {
    const { out, err, exitCode } = await runCli(env, '--server', 'http://127.0.0.1:1', '--key', 'k', 'doctor');
    expect([out, exitCode]).toEqual(['', 1]);
    expect(err).toContain('http://127.0.0.1:1 does not answer');
  });
});

describe('commands that work beside the data folder only', () => {
  it.each([
    ['restore', '/backup'],
    ['backup', '/backup'],
    ['backup', 'deletions'],
    ['prepare'],
    ['secrets', 'status'],
    ['secrets', 'rotate'],
    ['log', 'accept-loss', 'EV_LIBRARY'],
  ])('say so when a server is named: %s %s', async (...args) => {
    expect(await runCli(env, '--server', 'http://127.0.0.1:1', '--key', 'k', ...args)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('works beside the data folder only'),
    });
  });
});
