import { copyFile, mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateFiles } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';

const FILES = 60;

interface Song {
  readonly id: string;
  readonly title: string;
  readonly filename: string;
  readonly format: string;
  readonly album: { readonly id: string };
}
interface Catalog {
  readonly id: string;
  readonly last_add: number;
  readonly last_clean: number | null;
  readonly last_update: number;
}
interface Answer {
  readonly success?: string;
  readonly error?: { readonly errorCode: string };
}

let journey: Journey;

const native = <T>(action: string, query: Record<string, string> = {}): Promise<T> =>
  journey.json<T>(
    '/server/json.server.php',
    { action, version: '8.0.0', ...query },
    { headers: { authorization: `Bearer ${administrator.apiKey}` } },
  );
const songs = async (): Promise<readonly Song[]> => (await native<{ song: readonly Song[] }>('songs', { limit: 'none' })).song;
const songAt = async (filename: string): Promise<Song | undefined> => (await songs()).find((song) => song.filename === filename);
const catalog = (): Promise<Catalog> => native<Catalog>('catalog', { filter: '1' });
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Changes the title inside a file and leaves size and time alone, so that a scan for changes cannot see it. Answers the new title. */
const retitleUnseen = async ({ filename, title }: Song): Promise<string> => {
  const { mtimeMs } = await stat(filename);
  const bytes = await readFile(filename);
  const at = bytes.indexOf(title);
  expect(at).toBeGreaterThan(0);
  const changed = `Z${title.slice(1)}`;
  bytes.write(changed, at);
  await writeFile(filename, bytes);
  await utimes(filename, new Date(Math.trunc(mtimeMs)), new Date(Math.trunc(mtimeMs)));
  return changed;
};

/** Waits until no scan is under way. */
const untilIdle = async (): Promise<void> => {
  for (const until = Date.now() + 60_000; Date.now() < until; await delay(100)) {
    const { status } = await journey.request('/health/ready');
    const open = await journey.server.db.selectFrom('ingestion.scan').select('id').where('state', 'in', ['queued', 'running']).execute();
    if (status === 200 && open.length === 0) return;
  }
  throw new Error('the scan does not end');
};

beforeAll(async () => {
  journey = await Journey.prepare();
  await generateFiles({ out: journey.music, count: FILES, formats: ['flac', 'mp3'], seed: 11, flat: false });
  await journey.start({ DELETE_FROM_DISK: 'on' });
  await journey.scan();
});
afterAll(() => journey.end());

const plainFlac = async (skip = 0): Promise<Song> => {
  const song = (await songs()).filter(({ format, title }) => format === 'flac' && /^[A-Y][\x20-\x7e]+$/.test(title))[skip];
  if (!song) throw new Error('the generated library has no plain FLAC');
  return song;
};

describe('a catalog is maintained over the native API', () => {
  it('verify reads every file again, whatever its size and time say, also when the server is stopped meanwhile', async () => {
    const song = await plainFlac();
    const changed = await retitleUnseen(song);
    const before = (await songs()).map(({ id }) => id).toSorted();
    await native('catalog_action', { catalog: '1', task: 'add_to_catalog' });
    await untilIdle();
    expect((await songAt(song.filename))?.title).toBe(song.title);
    await native('catalog_action', { catalog: '1', task: 'verify_catalog' });
    await journey.stop();
    await journey.start({ DELETE_FROM_DISK: 'on' });
    await untilIdle();
    expect(await songAt(song.filename)).toMatchObject({ id: song.id, title: changed });
    expect((await songs()).map(({ id }) => id).toSorted()).toEqual(before);
    const { last_add, last_clean, last_update } = await catalog();
    expect(last_update).toBeGreaterThan(last_clean ?? 0);
    expect(last_add).toBeGreaterThanOrEqual(last_clean ?? 0);
  });

  it('update_from_tags shows at once what a file says now, as song_tags does without writing', async () => {
    const song = await plainFlac();
    const changed = await retitleUnseen(song);
    expect(await native('song_tags', { filter: song.id })).toMatchObject({ id: song.id, title: changed, file: song.filename });
    expect((await songAt(song.filename))?.title).toBe(song.title);
    expect(await native<Answer>('update_from_tags', { type: 'album', id: song.album.id })).toEqual({
      success: `Updated tags for: ${song.album.id} (album)`,
    });
    expect(await songAt(song.filename)).toMatchObject({ id: song.id, title: changed });
  });

  it('files and folders come and go one by one, and can be seen at once', async () => {
    const source = await plainFlac();
    const folder = join(journey.music, 'Later & "more"');
    await mkdir(folder);
    for (const name of ['1.flac', '2.flac']) await copyFile(source.filename, join(folder, name));
    await native('catalog_file', { catalog: '1', task: 'add', file: join(folder, '1.flac') });
    expect([Boolean(await songAt(join(folder, '1.flac'))), Boolean(await songAt(join(folder, '2.flac')))]).toEqual([true, false]);
    const { id } = (await songAt(join(folder, '1.flac'))) as Song;
    await native('catalog_folder', { catalog: '1', task: 'add,verify', folder });
    expect((await songAt(join(folder, '1.flac')))?.id).toBe(id);
    await rm(folder, { recursive: true });
    await native('catalog_folder', { catalog: '1', task: 'clean', folder });
    expect(await songs()).toHaveLength(FILES);
    expect(await native<Answer>('catalog_folder', { catalog: '1', task: 'add', folder })).toMatchObject({ error: { errorCode: '4704' } });
  });

  it('a song is deleted from the disk and remembered', async () => {
    const song = await plainFlac(1);
    expect(await native<Answer>('song_delete', { filter: song.id })).toEqual({ success: `song ${song.id} deleted` });
    expect(await exists(song.filename)).toBe(false);
    expect(await songAt(song.filename)).toBeUndefined();
    const { deleted_song: deleted } = await native<{ deleted_song: readonly { id: string; file: string }[] }>('deleted_songs', {
      limit: 'none',
    });
    expect(deleted).toContainEqual(expect.objectContaining({ id: song.id, file: song.filename }));
  });

  it('deletion is off where it was not switched on', async () => {
    await journey.stop();
    await journey.start();
    const song = await plainFlac();
    expect(await native<Answer>('song_delete', { filter: song.id })).toMatchObject({ error: { errorCode: '4703' } });
    expect(await exists(song.filename)).toBe(true);
  });
});
