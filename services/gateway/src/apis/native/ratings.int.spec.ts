import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { create } from 'xmlbuilder2';
import { AnnotationWriter } from '../../../test/library/annotation-writer.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { expectGolden } from '../../../test/goldens/golden.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts, startTestGateway, TEST_NOW_MS, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';
import { annotationCases } from '../../../test/calls/native/annotation.cases.js';
import type { ApiVersion, Format } from './versions/policy.js';
import { clientVersions } from '../../../test/calls/native/client-versions.js';

let model: TestReadModel;
let gateway: TestGateway;
let writer: AnnotationWriter;
const commands = new InMemoryCommandClient();

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
  writer = new AnnotationWriter(model.write);
  writer.answer(commands);
  gateway = await startTestGateway(model.read, { settings: { PUBLIC_URL: 'http://server.example' }, commands });
});
const clear = async (): Promise<void> => {
  for (const table of ['social.user_flag', 'social.rating', 'social.rating_average'] as const)
    await model.write.deleteFrom(table).execute();
};
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

const call = async (version: ApiVersion, format: Format, query: string, token: string = testAccounts.admin.token): Promise<string> => {
  const url = `/server/${format}.server.php?version=${clientVersions[version]}&${query}`;
  return (await gateway.app.inject({ url, headers: { authorization: `Bearer ${token}` } })).body;
};
// oxlint-disable-next-line typescript/no-explicit-any
const json = async (version: ApiVersion, query: string, token?: string): Promise<any> =>
  JSON.parse(await call(version, 'json', query, token));

const forms = [
  ...([8, 6, 5, 4] as const).flatMap((version) => (['json', 'xml'] as const).map((format) => ({ version, format }))),
  { version: 3, format: 'xml' },
] as const;

describe.each(forms)('documents of version $version in $format', ({ version, format }) => {
  beforeAll(async () => {
    await clear();
    await writer.seed();
  });
  it.each(Object.entries(annotationCases))('%s', async (name, query) => {
    const body = await call(version, format, query);
    if (format === 'json') JSON.parse(body);
    else create(body);
    expectGolden('native', name, { format, variant: version }, body);
  });
});

describe('rate', () => {
  beforeEach(clear);
  it.each([4, 5, 6, 8] as const)('in version %d can be read at once, by whoever rated', async (version) => {
    expect(await json(version, 'action=rate&type=song&id=1&rating=4')).toEqual({ success: 'rating set to 4 for 1' });
    await json(8, 'action=rate&type=song&filter=1&rating=1', testAccounts.listener.token);
    expect(await json(8, 'action=song&filter=1')).toMatchObject({ rating: 4, averagerating: 2.5, flag: false });
    expect(await json(8, 'action=song&filter=1', testAccounts.listener.token)).toMatchObject({ rating: 1, averagerating: 2.5 });
    await json(version, 'action=rate&type=song&id=1&rating=0');
    expect(await json(8, 'action=song&filter=1')).toMatchObject({ rating: null, averagerating: 1 });
  });
  it('takes the kinds of each version', async () => {
    const kinds: readonly (readonly [string, number])[] = [
      ['song', 1],
      ['album', 1],
      ['artist', 1],
      ['album_disk', 257],
      ['folder', 3],
    ];
    for (const [type, id] of kinds)
      expect(await json(8, `action=rate&type=${type}&filter=${id}&rating=3`)).toEqual({ success: `rating set to 3 for ${id}` });
    for (const type of ['album_disk', 'folder'])
      expect(await json(6, `action=rate&type=${type}&filter=257&rating=3`)).toMatchObject({
        error: { errorCode: '4710', errorType: 'type' },
      });
    for (const type of ['playlist', 'search', 'smartlist', 'podcast', 'podcast_episode', 'video', 'live_stream', 'stream'])
      expect(await json(8, `action=rate&type=${type}&filter=1&rating=3`)).toMatchObject({
        error: { errorCode: '4704', errorType: 'filter' },
      });
  });
  it('takes collections, of those who may open them', async () => {
    const times = { created_at_ms: TEST_NOW_MS, updated_at_ms: TEST_NOW_MS };
    const terms = { is_public: false, collaborator_ids: [], object_kind: null, member_count: 0, ...times };
    await model.write
      .insertInto('library.collection')
      .values({ id: 5, owner_id: 3, name: 'Quiet', name_sort: 'quiet', ...terms })
      .execute();
    const rating = 'action=rate&type=collection&filter=5&rating=3';
    expect(await json(8, rating)).toEqual({ success: 'rating set to 3 for 5' });
    expect(await json(8, 'action=flag&type=collection&filter=5&flag=1')).toEqual({ success: 'flag ADDED to 5' });
    expect(await json(8, rating, testAccounts.listener.token)).toMatchObject({ error: { errorCode: '4704', errorType: 'filter' } });
    expect(await json(6, rating)).toMatchObject({ error: { errorCode: '4710', errorType: 'type' } });
  });
  it.each(['toString', '__proto__', 'song ', '', "song'; drop table x"])('refuses the type %j', async (type) => {
    const { error } = await json(8, `action=rate&type=${encodeURIComponent(type)}&filter=1&rating=3`);
    expect(error).toMatchObject({ errorCode: '4710', errorType: 'type' });
  });
  it.each(['-1', '6', '3.5', 'many', '%00', ''])('refuses the rating %j', async (rating) => {
    const { error } = await json(8, `action=rate&type=song&filter=1&rating=${rating}`);
    expect(error).toMatchObject({ errorCode: '4710' });
    expect(commands.sent.at(-1)?.message.data).not.toMatchObject({ rating: 6 });
  });
  it.each(['0', '-1', '99999999999', 'x', '1 or 1=1', '💣'])('finds nothing under %j', async (id) => {
    expect(await json(8, `action=rate&type=song&filter=${encodeURIComponent(id)}&rating=3`)).toMatchObject({
      error: { errorCode: '4704' },
    });
  });
});

describe('flag', () => {
  beforeEach(clear);
  const flags = () => model.write.selectFrom('social.user_flag').select(['kind', 'object_id', 'flagged_at_ms']).execute();
  it('makes favourites and takes them off, as often as one likes', async () => {
    for (const answer of ['flag ADDED to 1', 'flag ADDED to 1'])
      expect(await json(8, 'action=flag&type=album&filter=1&flag=1')).toEqual({ success: answer });
    expect(await json(8, 'action=album&filter=1')).toMatchObject({ flag: true });
    expect(await json(5, 'action=album&filter=1')).toMatchObject({ album: [{ flag: 1 }] });
    expect(await json(8, 'action=album&filter=1', testAccounts.listener.token)).toMatchObject({ flag: false });
    for (const answer of ['flag REMOVED from 1', 'flag REMOVED from 1'])
      expect(await json(8, 'action=flag&type=album&filter=1&flag=0')).toEqual({ success: answer });
    expect(await flags()).toEqual([]);
  });
  it('takes a time of the past from version 6 on, and none of the future', async () => {
    await json(8, 'action=flag&type=song&filter=1&flag=1&date=1600000000');
    expect(await flags()).toEqual([{ kind: 'song', object_id: 1, flagged_at_ms: 1_600_000_000_000 }]);
    await json(6, 'action=flag&type=song&filter=1&flag=1&date=99999999999');
    expect(await flags()).toEqual([{ kind: 'song', object_id: 1, flagged_at_ms: TEST_NOW_MS }]);
    await json(5, 'action=flag&type=song&filter=2&flag=1&date=1600000000');
    expect((await flags()).find((row) => row.object_id === 2)?.flagged_at_ms).not.toBe(1_600_000_000_000);
    expect(await json(8, 'action=flag&type=song&filter=1&flag=1&date=yesterday')).toMatchObject({
      error: { errorCode: '4710', errorType: 'date' },
    });
  });
  it('does not take nonsense for no', async () => {
    await json(8, 'action=flag&type=song&filter=1&flag=true');
    for (const value of ['', '2', 'maybe']) {
      const { error } = await json(8, `action=flag&type=song&filter=1&flag=${value}`);
      expect(error).toMatchObject({ errorCode: '4710', errorType: 'flag' });
    }
    expect(await flags()).toHaveLength(1);
  });
});

describe('over REST', () => {
  beforeEach(clear);
  const post = async (path: string, payload: object = {}) => {
    const headers = { authorization: `Bearer ${testAccounts.listener.token}`, 'content-type': 'application/json' };
    const answer = await gateway.app.inject({ method: 'POST', url: `/rest/${path}`, headers, payload });
    return JSON.parse(answer.body) as unknown;
  };
  it('answers by path, query and body', async () => {
    expect(await post('8/json/songs/1/rate', { rating: 4 })).toEqual({ success: 'rating set to 4 for 1' });
    expect(await post('8/json/album-disks/257/rate?rating=2')).toEqual({ success: 'rating set to 2 for 257' });
    expect(await post('6/json/artists/1/flag', { flag: 1 })).toEqual({ success: 'flag ADDED to 1' });
    expect(await post('8/json/songs/1/flag', { flag: true })).toEqual({ success: 'flag ADDED to 1' });
    expect(await post('8/json/playlists/1/rate', { rating: 4 })).toMatchObject({ error: { errorCode: '4704' } });
    expect(await json(8, 'action=song&filter=1', testAccounts.listener.token)).toMatchObject({ rating: 4, flag: true });
  });
});

it('refuses both when they are switched off, before it looks at anything else, and still shows what stands', async () => {
  await clear();
  await writer.seed();
  const closed = await startTestGateway(model.read, { settings: { RATINGS: false } });
  const ask = async (query: string) =>
    JSON.parse(
      (await closed.app.inject({ url: `/server/json.server.php?version=8.0.0&auth=${testAccounts.admin.token}&${query}` })).body,
    ) as object;
  for (const action of ['rate', 'flag'])
    expect(await ask(`action=${action}`)).toEqual({
      error: { errorCode: '4703', errorAction: action, errorType: 'system', errorMessage: 'Enable: ratings' },
    });
  expect(await ask('action=song&filter=1')).toMatchObject({ rating: 5, flag: true, averagerating: 3.67 });
  await closed.stop();
});
