import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runCli } from '@continuo/continuo-cli/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { administrator, Journey } from './journey.js';

interface Video {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly resolution: string;
}

let journey: Journey;
let films: string;

const native = <T>(action: string, query: Record<string, string> = {}): Promise<T> =>
  journey.json<T>(
    '/server/json.server.php',
    { action, version: '8.0.0', ...query },
    { headers: { authorization: `Bearer ${administrator.apiKey}` } },
  );
const videos = async (): Promise<readonly Video[]> => (await native<{ video: readonly Video[] }>('videos')).video;
const titles = async (): Promise<string[]> => (await videos()).map(({ title }) => title);

const film = async (name: string, title: string, seconds: number): Promise<void> => {
  const source = `testsrc=size=160x120:rate=10:duration=${seconds}`;
  const args = ['-loglevel', 'error', '-f', 'lavfi', '-i', source, '-c:v', 'mpeg4', '-metadata', `title=${title}`, join(films, name)];
  await promisify(execFile)('ffmpeg', args);
};

beforeAll(async () => {
  journey = await Journey.prepare();
  films = join(journey.folder, 'films');
  await mkdir(join(films, 'Old'), { recursive: true });
  await film('Old/first.mp4', 'First', 1);
  await film('second.mkv', 'Second', 2);
  await writeFile(join(films, 'broken.avi'), 'no video at all');
  await journey.start();
});
afterAll(() => journey.end());

describe('a catalog of videos', () => {
  it('is scanned, listed and played', async () => {
    const { id } = await native<{ id: string }>('catalog_add', { name: 'Films', path: films, media_type: 'video' });
    await native('catalog_action', { filter: id, task: 'add_to_catalog' });
    await vi.waitFor(async () => expect(await titles()).toEqual(['First', 'Second']), { timeout: 20_000, interval: 100 });
    const [first] = await videos();
    expect(first?.resolution).toBe('160x120');
    const played = await fetch(first?.url ?? '', { headers: { range: 'bytes=0-99' } });
    expect([played.status, played.headers.get('content-type')]).toEqual([206, 'video/mp4']);
    expect(Buffer.from(await played.arrayBuffer())).toEqual((await readFile(join(films, 'Old/first.mp4'))).subarray(0, 100));
  });

  it('is converted ahead, so that a player that asks for the same finds it finished', async () => {
    const transcode = (...args: string[]) => runCli({ CONTINUO_DATA: join(journey.folder, 'data') }, 'transcode', ...args);
    expect(await transcode('make', 'video', 'Second', '--to', 'mp4')).toMatchObject({ exitCode: 0 });
    const id = (await videos()).find(({ title }) => title === 'Second')?.id ?? '';
    const query = { apiKey: administrator.apiKey, c: 'player', v: '1.16.1', id: `vi-${id}`, format: 'mp4' };
    const part = await journey.request('/rest/stream', query, { headers: { range: 'bytes=0-99' } });
    expect([part.status, part.headers.get('content-type')]).toEqual([206, 'video/mp4']);
    expect((await part.arrayBuffer()).byteLength).toBe(100);
    expect(await transcode('make', 'video', 'First', '--to', 'mp4')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('gets the file as it is') as unknown,
    });
  });

  it('keeps the id of what moves and remembers what goes, also over a restart', async () => {
    const [first] = await videos();
    await native('flag', { type: 'video', filter: first?.id ?? '', flag: '1' });
    await rename(join(films, 'Old/first.mp4'), join(films, 'moved.mp4'));
    await rm(join(films, 'second.mkv'));
    await native('catalog_action', { filter: '1', task: 'clean_catalog' });
    await vi.waitFor(async () => expect(await titles()).toEqual(['First']), { timeout: 20_000, interval: 100 });
    await journey.stop();
    await journey.start();
    expect(await videos()).toMatchObject([{ id: first?.id, title: 'First', flag: true }]);
    expect(await native('deleted_videos')).toMatchObject({ deleted_video: [{ title: 'Second', file: join(films, 'second.mkv') }] });
    const played = await fetch((await videos())[0]?.url ?? '');
    expect(Buffer.from(await played.arrayBuffer())).toEqual(await readFile(join(films, 'moved.mp4')));
  });
});
