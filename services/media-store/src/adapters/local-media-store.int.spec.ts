import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Rejection } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInside, localMediaStore } from './local-media-store.js';

const store = localMediaStore();
let base = '';
let music = '';

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'media-store-')));
  music = join(base, 'music');
  await mkdir(join(music, 'folder'), { recursive: true });
  await mkdir(join(base, 'music2'));
  await writeFile(join(music, 'folder', 'song.mp3'), '0123456789');
  await utimes(join(music, 'folder', 'song.mp3'), 1_600_000_000, 1_600_000_000);
  await writeFile(join(base, 'music2', 'other.mp3'), 'other');
  await symlink(join(base, 'music2', 'other.mp3'), join(music, 'out.mp3'));
  await symlink(join(base, 'music2'), join(music, 'away'));
  await symlink(join(music, 'folder', 'song.mp3'), join(music, 'alias.mp3'));
  await symlink(join(music, 'loop'), join(music, 'loop'));
  await promisify(execFile)('mkfifo', [join(music, 'pipe')]);
});
afterAll(() => rm(base, { recursive: true, force: true }));

const refused = async (path: string): Promise<void> => {
  const failures = await Promise.allSettled([store.stat(music, path), store.open(music, path)]);
  for (const failure of failures) {
    expect(failure).toMatchObject({ status: 'rejected' });
    if (failure.status === 'rejected') expect(failure.reason).toEqual(expect.any(Rejection));
    if (failure.status === 'rejected') expect((failure.reason as Rejection).code).toBe('media.not-found');
  }
};

describe('the local media store', () => {
  it('tells size and time, and reads the whole or a range', async () => {
    expect(await store.stat(music, 'folder/song.mp3')).toEqual({ sizeBytes: 10, mtimeMs: 1_600_000_000_000 });
    expect(String(await buffer(await store.open(music, 'folder/song.mp3')))).toBe('0123456789');
    expect(String(await buffer(await store.open(music, 'folder/song.mp3', { start: 2, end: 4 })))).toBe('234');
  });
  it('follows links that stay inside', async () => {
    expect(String(await buffer(await store.open(music, 'alias.mp3')))).toBe('0123456789');
  });
  it.each([
    'missing.mp3',
    'folder',
    '.',
    '',
    '../music2/other.mp3',
    'folder/../../music2/other.mp3',
    'out.mp3',
    'away/other.mp3',
    'loop',
    'pipe',
    'folder/song.mp3/x',
    'a\0b',
    '/etc/hostname',
  ])('does not serve %j', (path) => refused(path));
  it('compares by segment', () => {
    expect(isInside('/music', '/music2/a')).toBe(false);
    expect(isInside('/music', '/music/a')).toBe(true);
    expect(isInside('/', '/a')).toBe(true);
    expect(isInside('/music', '/music')).toBe(false);
  });
  it('gives the file back when the reader goes away', async () => {
    const stream = await store.open(music, 'folder/song.mp3');
    const closed = new Promise((resolve) => stream.once('close', resolve));
    stream.destroy();
    await closed;
    expect(stream.destroyed).toBe(true);
  });
});
