import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AnnotationWriter } from '../../../test/library/annotation-writer.js';
import { asking } from '../../../test/servers/compat-asking.js';
import { compatServer, type CompatServer, type TestAccount } from '../../../test/servers/compat-server.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';

let model: TestReadModel;
let server: CompatServer;
let folder: string;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  folder = await mkdtemp(join(tmpdir(), 'continuo-compat-'));
  server = await compatServer(model.read, folder);
  new AnnotationWriter(model.write).answer(server.commands);
});
beforeEach(async () => {
  for (const table of ['social.user_flag', 'social.rating', 'social.rating_average'] as const)
    await model.write.deleteFrom(table).execute();
});
afterAll(async () => {
  await server.app.close();
  await model.close();
  await rm(folder, { recursive: true });
});

const { ask, codeOf } = asking(() => server);
const idsOf = (items: readonly { id: string }[] = []): string[] => items.map((item) => item.id);
const starred = async (as: TestAccount = 'ada', operation: 'getStarred' | 'getStarred2' = 'getStarred2') => {
  const { [operation === 'getStarred' ? 'starred' : 'starred2']: lists } = (await ask(operation, {}, as)) as Record<
    string,
    { artist?: { id: string }[]; album?: { id: string }[]; song?: { id: string }[] }
  >;
  return [...idsOf(lists?.artist), ...idsOf(lists?.album), ...idsOf(lists?.song)];
};

describe('stars', () => {
  it('are set on all three lists in one call, by everybody for himself, and taken away', async () => {
    expect(await codeOf('star', { id: ['so-1', 'so-2'], albumId: 'al-1', artistId: ['1', 'ar-2'] }, 'gus')).toBeUndefined();
    expect((await starred('gus')).toSorted()).toEqual(['al-1', 'ar-1', 'ar-2', 'so-1', 'so-2']);
    expect((await starred('gus', 'getStarred')).toSorted()).toEqual(['al-1', 'ar-1', 'ar-2', 'so-1', 'so-2']);
    expect(await starred('ada')).toEqual([]);
    expect(server.commands.sent.filter(({ subject }) => subject === 'cmd.social.flag-objects')).toHaveLength(1);
    await ask('unstar', { id: 'so-1', albumId: 'al-1', artistId: 'ar-1' }, 'gus');
    expect((await starred('gus')).toSorted()).toEqual(['ar-2', 'so-2']);
  });
  it('show on what is starred, and nowhere else', async () => {
    await ask('star', { id: ['so-1', 'fo-3'], albumId: 'al-1', artistId: 'ar-1' });
    const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/) as unknown;
    expect((await ask('getSong', { id: 'so-1' })).song).toMatchObject({ starred: time });
    expect((await ask('getSong', { id: 'so-2' })).song).not.toHaveProperty('starred');
    expect((await ask('getSong', { id: 'so-1' }, 'bob')).song).not.toHaveProperty('starred');
    expect((await ask('getAlbum', { id: 'al-1' })).album).toMatchObject({ starred: time });
    expect((await ask('getArtist', { id: 'ar-1' })).artist).toMatchObject({ starred: time });
    expect((await ask('getMusicDirectory', { id: 'al-1' })).directory).toMatchObject({ starred: time });
    expect((await ask('getMusicDirectory', { id: 'fo-3' })).directory).toMatchObject({ starred: time });
  });
  it('take albums and artists by `id` too, as clients of the folder mode send them', async () => {
    await ask('star', { id: ['al-1', 'ar-1'] });
    expect(await starred()).toEqual(['ar-1', 'al-1']);
    expect(idsOf((await ask('getAlbumList2', { type: 'starred' })).albumList2.album)).toEqual(['al-1']);
  });
  it('of things that are not there are refused, and then nothing is done', async () => {
    for (const id of ['so-999', 'al-999', 'pl-1', 'mf-1', 'zzz', '0']) expect(await codeOf('star', { id: ['so-1', id] })).toBe(70);
    expect(await codeOf('star', { albumId: 'so-999' })).toBe(70);
    expect(await codeOf('star')).toBe(10);
    expect(await starred()).toEqual([]);
  });
  it('of thousands of things are set by one call, and too many are refused', async () => {
    const many = Array.from({ length: 10_001 }, () => 'so-1');
    const form = async (ids: readonly string[]) => {
      const payload = new URLSearchParams({ u: 'ada', p: 'secret', v: '1.16.1', c: 'x', f: 'json' });
      for (const id of ids) payload.append('id', id);
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const { payload: body } = await server.app.inject({ method: 'POST', url: '/rest/star', headers, payload: payload.toString() });
      return (JSON.parse(body) as { 'subsonic-response': { status: string } })['subsonic-response'];
    };
    const before = server.commands.sent.length;
    expect((await form(many.slice(0, 1500))).status).toBe('ok');
    expect(server.commands.sent.slice(before)).toHaveLength(2);
    expect((await form(many)).status).toBe('failed');
  });
});

describe('ratings', () => {
  it('are the caller’s own, beside the mean of all', async () => {
    await ask('setRating', { id: 'so-1', rating: 5 });
    await ask('setRating', { id: 'so-1', rating: 2 }, 'bob');
    await ask('setRating', { id: 'so-1', rating: 4 }, 'mia');
    expect((await ask('getSong', { id: 'so-1' })).song).toMatchObject({ userRating: 5, averageRating: 3.67 });
    expect((await ask('getSong', { id: 'so-1' }, 'gus')).song).toMatchObject({ averageRating: 3.67 });
    expect((await ask('getSong', { id: 'so-1' }, 'gus')).song).not.toHaveProperty('userRating');
    await ask('setRating', { id: 'so-1', rating: 0 });
    expect((await ask('getSong', { id: 'so-1' })).song).toMatchObject({ averageRating: 3 });
    expect((await ask('getSong', { id: 'so-1' })).song).not.toHaveProperty('userRating');
  });
  it('order the albums that have one', async () => {
    await ask('setRating', { id: 'al-2', rating: 3 });
    await ask('setRating', { id: 'al-1', rating: 5 });
    await ask('setRating', { id: 'al-1', rating: 1 }, 'bob');
    await ask('setRating', { id: 'al-3', rating: 4 });
    expect(idsOf((await ask('getAlbumList', { type: 'highest' })).albumList.album)).toEqual(['al-3', 'al-1', 'al-2']);
    expect(idsOf((await ask('getAlbumList2', { type: 'highest', musicFolderId: 99 })).albumList2.album)).toEqual([]);
  });
  it.each([['6'], ['-1'], ['2.5'], ['five'], ['']])('refuse %j', async (rating) => {
    expect(await codeOf('setRating', { id: 'so-1', rating })).toBe(10);
  });
  it('need an id of something', async () => {
    expect(await codeOf('setRating', { rating: 3 })).toBe(10);
    expect(await codeOf('setRating', { id: 'so-999', rating: 3 })).toBe(70);
  });
});

it('refuses both when they are switched off', async () => {
  const closed = await compatServer(model.read, folder, { RATINGS: 'off' });
  for (const [operation, params] of [
    ['star', { id: 'so-1' }],
    ['setRating', { id: 'so-1', rating: 1 }],
  ] as const) {
    const { body } = await closed.call(operation, { ...params, f: 'json' });
    expect(JSON.parse(body)).toMatchObject({ 'subsonic-response': { status: 'failed', error: { code: 0 } } });
  }
  expect(closed.commands.sent).toEqual([]);
  await closed.app.close();
});
