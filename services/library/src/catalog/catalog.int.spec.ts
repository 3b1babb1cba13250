import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addCatalog, changeCatalog, moveCatalog, removeCatalog, type CatalogId } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RunningLibrary } from '../../test/running-library.js';
import { track } from '../../test/tracks.js';

let library: RunningLibrary;
let { rows, send, record, verifyRebuild } = {} as RunningLibrary;
let outer: string;

beforeAll(async () => {
  library = await RunningLibrary.start();
  ({ rows, send, record, verifyRebuild } = library);
});
afterAll(() => library.stop());
beforeEach(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'continuo-catalogs-')));
});
afterEach(() => rm(outer, { recursive: true, force: true }));

const shown = async (id: number) => (await rows(sql<Record<string, unknown>>`select * from library.catalog where id = ${id}`))[0];
const added = async (name: string): Promise<CatalogId> => {
  await mkdir(join(outer, name));
  return (await send(addCatalog, { name, path: join(outer, name), renamePattern: '%t', sortPattern: '%a' })).result.catalogId;
};

describe('what is said of a catalog', () => {
  it('changes word by word, and survives a rebuild', async () => {
    const catalogId = await added('first');
    await send(changeCatalog, { catalogId, name: 'Other', enabled: false });
    expect(await shown(catalogId)).toMatchObject({ name: 'Other', enabled: false, rename_pattern: '%t', sort_pattern: '%a' });
    await send(changeCatalog, { catalogId, enabled: true, renamePattern: null });
    expect(await shown(catalogId)).toMatchObject({ name: 'Other', enabled: true, rename_pattern: null, sort_pattern: '%a' });
    expect(await shown(catalogId)).toMatchObject({ watched: null, scan_schedule: null });
    await send(changeCatalog, { catalogId, watched: true, scanSchedule: '0 3 * * *' });
    expect(await shown(catalogId)).toMatchObject({ watched: true, scan_schedule: '0 3 * * *' });
    await send(changeCatalog, { catalogId, watched: null, scanSchedule: '' });
    expect(await shown(catalogId)).toMatchObject({ watched: null, scan_schedule: '' });
    const end = await library.logEnd();
    await expect(send(changeCatalog, { catalogId, scanSchedule: 'sometimes' })).rejects.toMatchObject({ code: 'input.invalid' });
    await send(changeCatalog, { catalogId, name: 'Other', watched: null });
    expect(await library.logEnd()).toBe(end);
    expect(await verifyRebuild()).toEqual([]);
    await send(removeCatalog, { catalogId });
    await expect(send(changeCatalog, { catalogId, name: 'x' })).rejects.toMatchObject({ code: 'catalog.not-found' });
    await expect(send(changeCatalog, { catalogId: 999, name: 'x' })).rejects.toMatchObject({ code: 'catalog.not-found' });
  });
});

describe('a catalog whose files lie elsewhere now', () => {
  it('keeps its songs with their ids, and leaves its old folder to others', async () => {
    const { catalogId, root } = library;
    await mkdir(join(root, 'Testers'));
    for (const name of ['01.mp3', '02.mp3']) await writeFile(join(root, 'Testers', name), 'x');
    await record('Testers', { tracks: [track('01.mp3'), track('02.mp3')] });
    const before = await rows(sql`select id, folder_id, file_name, title from library.song order by id`);
    expect(before).toHaveLength(2);
    const next = join(outer, 'moved');
    await mkdir(next);
    await expect(send(moveCatalog, { catalogId, path: next })).rejects.toMatchObject({ code: 'catalog.path-unusable' });
    expect(await shown(catalogId)).toMatchObject({ path: root });
    await rename(join(root, 'Testers'), join(next, 'Testers'));
    expect((await send(moveCatalog, { catalogId, path: join(next, '.') })).result).toEqual({ path: next });
    expect(await shown(catalogId)).toMatchObject({ path: next });
    expect(await rows(sql`select id, folder_id, file_name, title from library.song order by id`)).toEqual(before);
    expect(await verifyRebuild()).toEqual([]);
    const { catalogId: another } = (await send(addCatalog, { name: 'another', path: root })).result;
    await expect(send(moveCatalog, { catalogId, path: root, force: true })).rejects.toMatchObject({ code: 'catalog.path-taken' });
    await expect(send(moveCatalog, { catalogId: another, path: next, force: true })).rejects.toMatchObject({ code: 'catalog.path-taken' });
    await mkdir(join(next, 'inside'));
    await expect(send(moveCatalog, { catalogId: another, path: join(next, 'inside'), force: true })).rejects.toMatchObject({
      code: 'catalog.path-taken',
    });
    await send(removeCatalog, { catalogId: another });
    await mkdir(join(outer, 'empty'));
    expect((await send(moveCatalog, { catalogId, path: join(outer, 'empty'), force: true })).result).toEqual({
      path: join(outer, 'empty'),
    });
    await expect(send(moveCatalog, { catalogId, path: join(outer, 'nowhere') })).rejects.toMatchObject({ code: 'catalog.path-unusable' });
  });
});
