import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeCatalog, catalogId, moveCatalog } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateFiles } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';

interface Song {
  readonly id: string;
  readonly title: string;
  readonly filename: string;
  readonly artist: { readonly name: string };
}
interface Answer {
  readonly success?: string;
  readonly error?: { readonly errorCode: string; readonly errorMessage: string };
}

let journey: Journey;
let sent: string;
/** Files that are sent, absolute. */
let files: string[] = [];

const headers = { authorization: `Bearer ${administrator.apiKey}` };
const native = <T>(action: string, query: Record<string, string> = {}): Promise<T> =>
  journey.json<T>('/server/json.server.php', { action, version: '8.0.0', ...query }, { headers });
const songs = async (): Promise<readonly Song[]> => (await native<{ song: readonly Song[] }>('songs', { limit: 'none' })).song;
const upload = async (path: string, words: Readonly<Record<string, string>> = {}): Promise<Answer> => {
  const body = new FormData();
  for (const [name, value] of Object.entries(words)) body.append(name, value);
  body.append('upl', new Blob([await readFile(path)]), path.slice(path.lastIndexOf('/') + 1));
  return journey.json<Answer>('/server/json.server.php', { action: 'upload', version: '8.0.0' }, { method: 'POST', body, headers });
};
const context = { actor: 'user:1', correlationId: 'uploads', causationId: 'uploads' };
const prefer = (filter: string, value: string) => native('preference_edit', { filter, value, all: '1', default: '1' });

beforeAll(async () => {
  journey = await Journey.prepare();
  await generateFiles({ out: journey.music, count: 12, formats: ['flac', 'mp3'], seed: 11, flat: false });
  sent = await mkdtemp(join(tmpdir(), 'continuo-sent-'));
  await generateFiles({ out: sent, count: 4, formats: ['mp3'], seed: 77, flat: true });
  files = (await readdir(sent)).filter((name) => name.endsWith('.mp3')).map((name) => join(sent, name));
  await journey.start({ UPLOAD_KEEP_FREE_BYTES: '0', SCAN_WATCH: 'on', SCAN_WATCH_QUIET_MS: '300' });
  await journey.scan();
});
afterAll(async () => {
  await journey.end();
  await rm(sent, { recursive: true, force: true });
});

describe('files that are sent', () => {
  it('are songs of the catalog for uploads as soon as they are answered, once somebody has opened it', async () => {
    expect((await upload(files[0] ?? '')).error).toMatchObject({ errorCode: '4703', errorMessage: 'Enable: allow_upload' });
    await prefer('allow_upload', '1');
    expect((await upload(files[0] ?? '')).error).toMatchObject({ errorCode: '4703', errorMessage: 'Enable: upload_catalog' });
    await prefer('upload_catalog', '1');
    const before = (await songs()).length;
    expect(await upload(files[0] ?? '')).toEqual({ success: 'file uploaded' });
    expect(await songs()).toHaveLength(before + 1);
    expect((await upload(files[0] ?? '')).error).toMatchObject({ errorCode: '4710' });
    expect(await songs()).toHaveLength(before + 1);
  });

  it('lie where the patterns of the catalog say, under the words of whoever sent them, and play', async () => {
    const terms = { catalogId: catalogId.parse(1), sortPattern: '%a/%A', renamePattern: '%t' };
    await journey.server.commands.send(changeCatalog, terms, context);
    await expect
      .poll(() => native<{ sort_pattern: string }>('catalog', { filter: '1' }), { timeout: 20_000 })
      .toMatchObject({ sort_pattern: '%a/%A' });
    expect(await upload(files[1] ?? '', { artist_name: 'Whoever Sent It', album_name: 'Sent' })).toEqual({ success: 'file uploaded' });
    const song = (await songs()).find(({ artist }) => artist.name === 'Whoever Sent It');
    expect(song?.filename).toContain('/Whoever Sent It/Sent/');
    const played = await journey.request(
      '/server/json.server.php',
      { action: 'stream', version: '8.0.0', type: 'song', id: song?.id ?? '' },
      { headers },
    );
    expect(played.status).toBe(200);
  });
});

describe('folders that are watched', () => {
  it('show what is put into them, and songs stay the same when all of them are moved', async () => {
    const before = await songs();
    await mkdir(join(journey.music, 'by hand'));
    await copyFile(files[2] ?? '', join(journey.music, 'by hand', 'new.mp3'));
    await expect.poll(async () => (await songs()).length, { timeout: 40_000 }).toBe(before.length + 1);
    const ids = (await songs()).map(({ id }) => id).toSorted();
    const elsewhere = `${journey.music}-moved`;
    await rename(journey.music, elsewhere);
    await journey.server.commands.send(moveCatalog, { catalogId: catalogId.parse(1), path: elsewhere }, context, { timeoutMs: 20_000 });
    await expect.poll(async () => (await songs()).every(({ filename }) => filename.startsWith(elsewhere)), { timeout: 20_000 }).toBe(true);
    expect((await songs()).map(({ id }) => id).toSorted()).toEqual(ids);
    await copyFile(files[3] ?? '', join(elsewhere, 'by hand', 'last.mp3'));
    await expect.poll(async () => (await songs()).length, { timeout: 40_000 }).toBe(before.length + 2);
    await rename(elsewhere, journey.music);
  });
});
